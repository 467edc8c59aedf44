//! The payouts that a transaction asks for: its own call, and what was authorised below it.

use payout_keys::{Recipient, Reference};
use stellar_xdr::{
    HostFunction, InvokeContractArgs, InvokeHostFunctionOp, OperationBody, ScVal,
    SorobanAuthorizedFunction, SorobanAuthorizedInvocation, TransactionEnvelope,
};

use super::Subject;
use super::value::{address, bytes, integer, list, party, text};

/// Authorised calls nest; more levels than this no host executes.
const DEEPEST: u32 = 64;

/// A call of one of the payout entrypoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The key.
    pub key: String,
    /// Whom it pays.
    pub recipients: Vec<Recipient>,
    /// How much each.
    pub amounts: Vec<i128>,
    /// One a recipient, where the call has them.
    pub references: Option<Vec<Reference>>,
}

/// The payout calls of the contract in an envelope, its own call first, and whether it is that own
/// call that pays.
pub(super) fn of(subject: &Subject, envelope: &TransactionEnvelope) -> (Vec<Call>, bool) {
    let mut calls = Vec::new();
    let mut direct = false;
    for operation in invocations(envelope) {
        if let HostFunction::InvokeContract(arguments) = &operation.host_function
            && let Some(call) = call(subject, arguments)
        {
            direct = true;
            calls.push(call);
        }
        if !direct {
            for entry in operation.auth.iter() {
                below(subject, &entry.root_invocation, DEEPEST, &mut calls);
            }
        }
    }
    (calls, direct)
}

fn invocations(envelope: &TransactionEnvelope) -> Vec<&InvokeHostFunctionOp> {
    let operations = match envelope {
        TransactionEnvelope::Tx(envelope) => &envelope.tx.operations,
        TransactionEnvelope::TxFeeBump(bump) => {
            let stellar_xdr::FeeBumpTransactionInnerTx::Tx(inner) = &bump.tx.inner_tx;
            &inner.tx.operations
        }
        TransactionEnvelope::TxV0(envelope) => &envelope.tx.operations,
    };
    operations
        .iter()
        .filter_map(|operation| match &operation.body {
            OperationBody::InvokeHostFunction(operation) => Some(operation),
            _ => None,
        })
        .collect()
}

fn below(
    subject: &Subject,
    invocation: &SorobanAuthorizedInvocation,
    levels: u32,
    calls: &mut Vec<Call>,
) {
    if let SorobanAuthorizedFunction::ContractFn(arguments) = &invocation.function
        && let Some(call) = call(subject, arguments)
    {
        calls.push(call);
    }
    if let Some(levels) = levels.checked_sub(1) {
        for inner in invocation.sub_invocations.iter() {
            below(subject, inner, levels, calls);
        }
    }
}

fn call(subject: &Subject, arguments: &InvokeContractArgs) -> Option<Call> {
    if party(&arguments.contract_address)? != subject.party() {
        return None;
    }
    let name = std::str::from_utf8(arguments.function_name.0.as_slice()).ok()?;
    let arguments = arguments.args.as_slice();
    let (key, rest) = match (name, arguments) {
        ("batch_payout_idempotent" | "single_payout_idempotent", [key, rest @ ..]) => (key, rest),
        (
            "batch_payout_idempotent_by"
            | "single_payout_idempotent_by"
            | "batch_payout_with_references",
            [key, _caller, rest @ ..],
        ) => (key, rest),
        _ => return None,
    };
    let key = text(key)?.to_owned();
    match rest {
        [recipient, amount] if name.starts_with("single") => Some(Call {
            key,
            recipients: vec![address(recipient)?],
            amounts: vec![integer(amount)?],
            references: None,
        }),
        [recipients, amounts] => Some(Call {
            key,
            recipients: all(recipients, address)?,
            amounts: all(amounts, integer)?,
            references: None,
        }),
        [recipients, amounts, references] => Some(Call {
            key,
            recipients: all(recipients, address)?,
            amounts: all(amounts, integer)?,
            references: Some(all(references, |value| bytes(value).map(Reference))?),
        }),
        _ => None,
    }
}

fn all<T>(values: &ScVal, read: impl Fn(&ScVal) -> Option<T>) -> Option<Vec<T>> {
    list(values)?.iter().map(read).collect()
}
