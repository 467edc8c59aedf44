//! What an included transaction carried: the arguments of our calls, read back.

use payout_keys::{ContractId, IdempotencyKey, Recipient, Reference};
use stellar_xdr::{
    AccountId, ContractId as XdrContractId, FeeBumpTransactionInnerTx, Hash, HostFunction,
    InvokeContractArgs, Operation, OperationBody, PublicKey, ScAddress, ScVal,
    SorobanAuthorizedFunction, SorobanAuthorizedInvocation, TransactionEnvelope, Uint256,
};

use crate::{Amount, Line, Payout};

/// How deep calls below calls are looked at; more than any real one has.
const DEPTH: u8 = 10;

/// Every payout under `key` that the transaction asks `contract` for: in its operation, and in the
/// calls that its authorisations cover, where another contract passed them on.
#[must_use]
pub fn payouts_under(
    contract: ContractId,
    key: &IdempotencyKey,
    envelope: &TransactionEnvelope,
) -> Vec<Payout> {
    let mut found = Vec::new();
    for operation in operations(envelope) {
        let OperationBody::InvokeHostFunction(invoke) = &operation.body else {
            continue;
        };
        if let HostFunction::InvokeContract(call) = &invoke.host_function {
            found.extend(payout_in(contract, key, call));
        }
        for entry in &invoke.auth {
            within(contract, key, &entry.root_invocation, DEPTH, &mut found);
        }
    }
    found.dedup();
    found
}

fn operations(envelope: &TransactionEnvelope) -> &[Operation] {
    match envelope {
        TransactionEnvelope::TxV0(old) => old.tx.operations.as_slice(),
        TransactionEnvelope::Tx(one) => one.tx.operations.as_slice(),
        TransactionEnvelope::TxFeeBump(bump) => match &bump.tx.inner_tx {
            FeeBumpTransactionInnerTx::Tx(one) => one.tx.operations.as_slice(),
        },
    }
}

fn within(
    contract: ContractId,
    key: &IdempotencyKey,
    invocation: &SorobanAuthorizedInvocation,
    depth: u8,
    found: &mut Vec<Payout>,
) {
    if let SorobanAuthorizedFunction::ContractFn(call) = &invocation.function {
        found.extend(payout_in(contract, key, call));
    }
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for below in &invocation.sub_invocations {
        within(contract, key, below, depth, found);
    }
}

/// The payout that a call asks for, if it is one of `contract` under `key`.
fn payout_in(
    contract: ContractId,
    key: &IdempotencyKey,
    call: &InvokeContractArgs,
) -> Option<Payout> {
    if call.contract_address != ScAddress::Contract(XdrContractId(Hash(contract.0))) {
        return None;
    }
    let function = std::str::from_utf8(call.function_name.0.as_slice()).ok()?;
    let (first, rest) = call.args.as_slice().split_first()?;
    let ScVal::String(text) = first else {
        return None;
    };
    if text.0.as_slice() != key.as_str().as_bytes() {
        return None;
    }
    // Forms that take a caller have it behind the key.
    let rest = match function {
        "single_payout_idempotent" | "batch_payout_idempotent" => rest,
        "single_payout_idempotent_by"
        | "batch_payout_idempotent_by"
        | "batch_payout_with_references" => rest.get(1..)?,
        _ => return None,
    };
    let lines = match rest {
        [one, amount] if function.starts_with("single") => vec![Line {
            recipient: recipient(one)?,
            amount: units(amount)?,
            reference: None,
        }],
        [recipients, amounts] => lines(recipients, amounts, None)?,
        [recipients, amounts, references] => lines(recipients, amounts, Some(references))?,
        _ => return None,
    };
    Payout::new(lines).ok()
}

fn lines(recipients: &ScVal, amounts: &ScVal, references: Option<&ScVal>) -> Option<Vec<Line>> {
    let recipients = list(recipients)?;
    let amounts = list(amounts)?;
    let references = match references {
        Some(value) => Some(list(value)?),
        None => None,
    };
    let lengths_agree = recipients.len() == amounts.len()
        && references.is_none_or(|references| references.len() == recipients.len());
    if !lengths_agree {
        return None;
    }
    recipients
        .iter()
        .zip(amounts)
        .enumerate()
        .map(|(index, (to, amount))| {
            Some(Line {
                recipient: recipient(to)?,
                amount: units(amount)?,
                reference: match references {
                    Some(references) => Some(reference(references.get(index)?)?),
                    None => None,
                },
            })
        })
        .collect()
}

fn list(value: &ScVal) -> Option<&[ScVal]> {
    match value {
        ScVal::Vec(Some(values)) => Some(values.0.as_slice()),
        _ => None,
    }
}

fn recipient(value: &ScVal) -> Option<Recipient> {
    match value {
        ScVal::Address(ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(
            Uint256(key),
        )))) => Some(Recipient::Account(*key)),
        ScVal::Address(ScAddress::Contract(XdrContractId(Hash(id)))) => {
            Some(Recipient::Contract(*id))
        }
        _ => None,
    }
}

fn units(value: &ScVal) -> Option<Amount> {
    match value {
        ScVal::I128(parts) => Amount::new((i128::from(parts.hi) << 64) | i128::from(parts.lo)).ok(),
        _ => None,
    }
}

fn reference(value: &ScVal) -> Option<Reference> {
    match value {
        ScVal::Bytes(bytes) => bytes.as_slice().try_into().ok().map(Reference),
        _ => None,
    }
}
