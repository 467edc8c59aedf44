//! The contract's calls.

use payout_keys::{ContractId, IdempotencyKey, Recipient};
use stellar_xdr::{
    AccountId, ContractId as XdrContractId, Hash, Int128Parts, InvokeContractArgs, PublicKey,
    ScAddress, ScBytes, ScString, ScSymbol, ScVal, ScVec, Uint256, VecM,
};

use super::error::EnvelopeError;
use crate::Payout;
use crate::journal::Intent;

/// Who authorises a payout: the payout key or a delegate. It need not be the transaction's source.
pub type Caller = Recipient;

/// The call that pays `payout` under `key`: with references if the payout has them, and else as a
/// single payout or a batch.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn payout_call(
    contract: ContractId,
    caller: Caller,
    key: &IdempotencyKey,
    payout: &Payout,
) -> Result<InvokeContractArgs, EnvelopeError> {
    let lines = payout.lines();
    let recipients = lines.iter().map(|line| address(line.recipient));
    let amounts = lines.iter().map(|line| integer(line.amount.units()));
    let mut arguments = vec![text(key.as_str())?, address(caller)];
    let function = match lines {
        _ if payout.referenced() => {
            let references = lines.iter().filter_map(|line| line.reference);
            let references = references
                .map(|reference| Ok(ScVal::Bytes(ScBytes(reference.0.to_vec().try_into()?))))
                .collect::<Result<Vec<_>, stellar_xdr::Error>>()
                .map_err(EnvelopeError::xdr("a reference"))?;
            arguments.push(vector(recipients.collect())?);
            arguments.push(vector(amounts.collect())?);
            arguments.push(vector(references)?);
            "batch_payout_with_references"
        }
        [line] => {
            arguments.push(address(line.recipient));
            arguments.push(integer(line.amount.units()));
            "single_payout_idempotent_by"
        }
        _ => {
            arguments.push(vector(recipients.collect())?);
            arguments.push(vector(amounts.collect())?);
            "batch_payout_idempotent_by"
        }
    };
    call(contract, function, arguments)
}

/// The call that does what `intent` says: its payout, or the void of its key.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn intent_call(
    contract: ContractId,
    caller: Caller,
    intent: &Intent,
) -> Result<InvokeContractArgs, EnvelopeError> {
    match &intent.payout {
        Some(payout) => payout_call(contract, caller, &intent.key, payout),
        None => void_call(contract, caller, &intent.key),
    }
}

/// The call that voids `key`.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn void_call(
    contract: ContractId,
    caller: Caller,
    key: &IdempotencyKey,
) -> Result<InvokeContractArgs, EnvelopeError> {
    let arguments = vec![address(caller), text(key.as_str())?];
    call(contract, "void_idempotency_key", arguments)
}

/// The call that reads the record of `key`. It is simulated and never sent.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn record_call(
    contract: ContractId,
    key: &IdempotencyKey,
) -> Result<InvokeContractArgs, EnvelopeError> {
    call(
        contract,
        "get_idempotency_record",
        vec![text(key.as_str())?],
    )
}

pub(crate) fn call(
    contract: ContractId,
    function: &str,
    arguments: Vec<ScVal>,
) -> Result<InvokeContractArgs, EnvelopeError> {
    let what = "the call";
    Ok(InvokeContractArgs {
        contract_address: ScAddress::Contract(XdrContractId(Hash(contract.0))),
        function_name: ScSymbol(function.try_into().map_err(EnvelopeError::xdr(what))?),
        args: arguments.try_into().map_err(EnvelopeError::xdr(what))?,
    })
}

pub(crate) fn sc_address(of: Recipient) -> ScAddress {
    match of {
        Recipient::Account(key) => {
            ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(key))))
        }
        Recipient::Contract(id) => ScAddress::Contract(XdrContractId(Hash(id))),
    }
}

pub(crate) fn address(of: Recipient) -> ScVal {
    ScVal::Address(sc_address(of))
}

pub(crate) fn text(value: &str) -> Result<ScVal, EnvelopeError> {
    let value = value.try_into().map_err(EnvelopeError::xdr("the key"))?;
    Ok(ScVal::String(ScString(value)))
}

pub(crate) fn vector(elements: Vec<ScVal>) -> Result<ScVal, EnvelopeError> {
    let elements: VecM<ScVal> = elements
        .try_into()
        .map_err(EnvelopeError::xdr("the arguments"))?;
    Ok(ScVal::Vec(Some(ScVec(elements))))
}

pub(crate) fn integer(amount: i128) -> ScVal {
    let [high @ .., _, _, _, _, _, _, _, _] = amount.to_be_bytes();
    let [_, _, _, _, _, _, _, _, low @ ..] = amount.to_be_bytes();
    ScVal::I128(Int128Parts {
        hi: i64::from_be_bytes(high),
        lo: u64::from_be_bytes(low),
    })
}
