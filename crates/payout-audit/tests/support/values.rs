//! XDR values for the story's events and transactions.

use payout_keys::{ContractId, Recipient};
use stellar_xdr::{
    AccountId, ContractId as XdrContractId, Hash, Int128Parts, Limits, PublicKey, ScAddress,
    ScBytes, ScMap, ScMapEntry, ScString, ScSymbol, ScVal, ScVec, Uint256, WriteXdr,
};

pub(crate) fn symbol(text: &str) -> ScVal {
    ScVal::Symbol(ScSymbol(text.try_into().expect("a short symbol")))
}

pub(crate) fn string(text: &str) -> ScVal {
    ScVal::String(ScString(text.try_into().expect("a text")))
}

pub(crate) fn integer(value: i128) -> ScVal {
    ScVal::I128(Int128Parts {
        hi: i64::try_from(value >> 64).expect("the upper half"),
        lo: u64::try_from(value & i128::from(u64::MAX)).expect("the lower half"),
    })
}

pub(crate) fn bytes(value: &[u8]) -> ScVal {
    ScVal::Bytes(ScBytes(value.to_vec().try_into().expect("few bytes")))
}

pub(crate) fn list(values: Vec<ScVal>) -> ScVal {
    ScVal::Vec(Some(ScVec(values.try_into().expect("a short list"))))
}

pub(crate) fn party(of: Recipient) -> ScAddress {
    match of {
        Recipient::Account(key) => {
            ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(key))))
        }
        Recipient::Contract(id) => contract(ContractId(id)),
    }
}

pub(crate) fn contract(id: ContractId) -> ScAddress {
    ScAddress::Contract(XdrContractId(Hash(id.0)))
}

pub(crate) fn address(of: Recipient) -> ScVal {
    ScVal::Address(party(of))
}

/// A map, its fields sorted by name as the host does.
pub(crate) fn map(fields: &[(&str, ScVal)]) -> ScVal {
    let mut fields = fields.to_vec();
    fields.sort_by_key(|(name, _)| *name);
    let entries: Vec<ScMapEntry> = fields
        .into_iter()
        .map(|(name, val)| ScMapEntry {
            key: symbol(name),
            val,
        })
        .collect();
    ScVal::Map(Some(ScMap(entries.try_into().expect("few fields"))))
}

pub(crate) fn base64(value: &impl WriteXdr) -> String {
    value.to_xdr_base64(Limits::none()).expect("it encodes")
}
