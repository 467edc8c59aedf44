//! Keys of the entries that are read.

use payout_keys::{ContractId, Recipient};
use stellar_xdr::{
    AccountId, ContractDataDurability, ContractId as XdrContractId, DataEntry, Hash, LedgerKey,
    LedgerKeyAccount, LedgerKeyContractCode, LedgerKeyContractData, LedgerKeyData,
    LedgerKeyTrustLine, PublicKey, ScAddress, ScSymbol, ScVal, ScVec, StringM, TrustLineAsset,
    Uint256,
};

use crate::envelope::sc_address;

/// The name of SEP-29's data entry, of at most 64 bytes.
const MEMO_REQUIRED: &[u8] = b"config.memo_required";

fn account_id(key: [u8; 32]) -> AccountId {
    AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(key)))
}

/// An account.
pub(crate) fn account(key: [u8; 32]) -> LedgerKey {
    LedgerKey::Account(LedgerKeyAccount {
        account_id: account_id(key),
    })
}

/// An account's trustline.
pub(crate) fn trustline(key: [u8; 32], asset: TrustLineAsset) -> LedgerKey {
    LedgerKey::Trustline(LedgerKeyTrustLine {
        account_id: account_id(key),
        asset,
    })
}

/// An account's data entry that asks for a memo, as SEP-29 has it.
pub(crate) fn memo_required(key: [u8; 32]) -> LedgerKey {
    let name = StringM::try_from(MEMO_REQUIRED.to_vec()).unwrap_or_default();
    LedgerKey::Data(LedgerKeyData {
        account_id: account_id(key),
        data_name: name.into(),
    })
}

/// Whether a data entry asks for a memo: SEP-29 knows the value `1` alone.
pub(crate) fn asks_for_memo(entry: &DataEntry) -> bool {
    entry.data_value.as_slice() == b"1"
}

/// A contract's instance.
pub(crate) fn instance(contract: ContractId) -> LedgerKey {
    persistent(contract, ScVal::LedgerKeyContractInstance)
}

/// A contract's code.
pub(crate) fn code(hash: [u8; 32]) -> LedgerKey {
    LedgerKey::ContractCode(LedgerKeyContractCode { hash: Hash(hash) })
}

/// A persistent entry of a contract.
pub(crate) fn persistent(contract: ContractId, key: ScVal) -> LedgerKey {
    contract_data(contract, key, ContractDataDurability::Persistent)
}

/// A temporary entry of a contract.
pub(crate) fn temporary(contract: ContractId, key: ScVal) -> LedgerKey {
    contract_data(contract, key, ContractDataDurability::Temporary)
}

fn contract_data(
    contract: ContractId,
    key: ScVal,
    durability: ContractDataDurability,
) -> LedgerKey {
    LedgerKey::ContractData(LedgerKeyContractData {
        contract: ScAddress::Contract(XdrContractId(Hash(contract.0))),
        key,
        durability,
    })
}

/// What a contract holds of an asset, in the asset's contract.
pub(crate) fn balance(token: ContractId, holder: ContractId) -> LedgerKey {
    let holder = ScVal::Address(sc_address(Recipient::Contract(holder.0)));
    persistent(token, variant("Balance", Some(holder)))
}

/// The key that a contract's enum variant makes.
pub(crate) fn variant(name: &'static str, value: Option<ScVal>) -> ScVal {
    let elements: Vec<ScVal> = std::iter::once(symbol(name)).chain(value).collect();
    ScVal::Vec(Some(ScVec(elements.try_into().unwrap_or_default())))
}

/// A symbol.
pub(crate) fn symbol(name: &'static str) -> ScVal {
    ScVal::Symbol(ScSymbol(name.try_into().unwrap_or_default()))
}
