//! Whether an envelope is one payout and nothing else.

use payout_keys::Recipient;
use stellar_xdr::{
    DecoratedSignature, HostFunction, InvokeContractArgs, InvokeHostFunctionOp, Memo,
    OperationBody, ScVal, SorobanAuthorizationEntry, SorobanAuthorizedFunction, SorobanCredentials,
    Transaction, TransactionExt,
};

use super::error::ApprovalError;
use super::proposal::{Proposal, Terms};
use crate::envelope::{preconditions, sc_address};

/// What the arguments of a payout are called, and one of a list.
const ARGUMENTS: [(&str, &str); 5] = [
    ("key", "key"),
    ("payout key", "payout key"),
    ("number of recipients", "recipient"),
    ("number of amounts", "amount"),
    ("number of references", "reference"),
];

impl Proposal {
    /// The offer, if `transaction` carries `terms` and nothing else.
    pub(super) fn checked(
        terms: Terms,
        authorised: bool,
        transaction: Transaction,
        signatures: Vec<DecoratedSignature>,
    ) -> Result<Self, ApprovalError> {
        let expected = terms.call()?;
        let proposal = Self {
            terms,
            authorised,
            transaction,
            signatures,
        };
        let source = proposal.source()?;
        let shape = |fault| Err(ApprovalError::Shape(fault));
        let transaction = &proposal.transaction;
        let [operation] = transaction.operations.as_slice() else {
            return shape("it has not one operation");
        };
        if operation.source_account.is_some() {
            return shape("its operation has another source");
        }
        let OperationBody::InvokeHostFunction(InvokeHostFunctionOp {
            host_function: HostFunction::InvokeContract(call),
            auth,
        }) = &operation.body
        else {
            return shape("its operation is no contract's call");
        };
        same_call(&expected, call)?;
        let [entry] = auth.as_slice() else {
            return shape("it has not one authorisation");
        };
        authorisation(&proposal.terms, source, &expected, entry)?;
        let bounds = proposal.bounds();
        if bounds.max_time == 0 || bounds.max_ledger == 0 {
            return shape("it has no maxTime or no maxLedger");
        }
        if transaction.cond != preconditions(bounds) {
            return shape("it has other conditions than maxTime and maxLedger");
        }
        if bounds
            .authorised_until
            .is_some_and(|until| until > bounds.max_ledger)
        {
            return shape("its authorisation outlives maxLedger");
        }
        if transaction.memo != Memo::None {
            return shape("it has a memo");
        }
        let fee = i64::from(transaction.fee);
        match &transaction.ext {
            TransactionExt::V1(data) if (0..fee).contains(&data.resource_fee) => {}
            _ => return shape("its fee and its resource fee do not agree"),
        }
        if !proposal.signatures.is_empty() && !proposal.authorised() {
            return shape("it is signed before it is authorised");
        }
        Ok(proposal)
    }
}

fn authorisation(
    terms: &Terms,
    source: Recipient,
    call: &InvokeContractArgs,
    entry: &SorobanAuthorizationEntry,
) -> Result<(), ApprovalError> {
    let by = match &entry.credentials {
        SorobanCredentials::SourceAccount => sc_address(source),
        SorobanCredentials::Address(credentials) => credentials.address.clone(),
        _ => {
            return Err(ApprovalError::Shape(
                "its authorisation is of an unknown kind",
            ));
        }
    };
    if by != sc_address(terms.caller) {
        return Err(differs("who authorises", &terms.caller, &by));
    }
    match &entry.root_invocation.function {
        SorobanAuthorizedFunction::ContractFn(authorised) => same_call(call, authorised)?,
        _ => {
            return Err(ApprovalError::Shape(
                "its authorisation is for no contract's call",
            ));
        }
    }
    if !entry.root_invocation.sub_invocations.is_empty() {
        return Err(ApprovalError::Shape("its authorisation allows more calls"));
    }
    Ok(())
}

/// Names the first difference between the call that the file means and the one that is carried.
fn same_call(
    stated: &InvokeContractArgs,
    carried: &InvokeContractArgs,
) -> Result<(), ApprovalError> {
    if stated.contract_address != carried.contract_address {
        let (stated, carried) = (&stated.contract_address, &carried.contract_address);
        return Err(differs("contract", stated, carried));
    }
    if stated.function_name != carried.function_name {
        let name = |call: &InvokeContractArgs| {
            String::from_utf8_lossy(call.function_name.0.as_slice()).into_owned()
        };
        return Err(differs("function", &name(stated), &name(carried)));
    }
    if stated.args.len() != carried.args.len() {
        let (stated, carried) = (stated.args.len(), carried.args.len());
        return Err(differs("number of arguments", &stated, &carried));
    }
    let arguments = stated.args.iter().zip(carried.args.iter());
    for ((stated, carried), (name, one)) in arguments.zip(ARGUMENTS) {
        same_value(name, one, stated, carried)?;
    }
    Ok(())
}

fn same_value(name: &str, one: &str, stated: &ScVal, carried: &ScVal) -> Result<(), ApprovalError> {
    if stated == carried {
        return Ok(());
    }
    let (ScVal::Vec(Some(mine)), ScVal::Vec(Some(theirs))) = (stated, carried) else {
        return Err(differs(name, &shown(stated), &shown(carried)));
    };
    if mine.len() != theirs.len() {
        return Err(differs(name, &mine.len(), &theirs.len()));
    }
    for (number, (mine, theirs)) in (1_usize..).zip(mine.iter().zip(theirs.iter())) {
        if mine != theirs {
            let what = format!("{one} of line {number}");
            return Err(differs(&what, &shown(mine), &shown(theirs)));
        }
    }
    Ok(())
}

pub(super) fn differs(
    what: &str,
    stated: &impl ToString,
    carried: &impl ToString,
) -> ApprovalError {
    ApprovalError::Differs {
        what: what.to_owned(),
        stated: stated.to_string(),
        carried: carried.to_string(),
    }
}

fn shown(value: &ScVal) -> String {
    match value {
        ScVal::Address(address) => address.to_string(),
        ScVal::I128(parts) => i128::from(parts).to_string(),
        ScVal::Bytes(bytes) => hex::encode(bytes.as_slice()),
        ScVal::String(text) => String::from_utf8_lossy(text.0.as_slice()).into_owned(),
        other => other.name().to_owned(),
    }
}
