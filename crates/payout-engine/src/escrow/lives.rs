//! How long instance and code live, also where they do not any more.

use payout_keys::ContractId;
use stellar_xdr::{ContractExecutable, LedgerEntryData, LedgerKey, ScVal};

use super::error::EscrowError;
use super::facts::CodeHash;
use crate::ledger::{self, Life, keys};
use crate::rpc::Client;

/// The two entries that every call needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lives {
    /// The ledger that was read.
    pub ledger: u32,
    /// The instance's life.
    pub instance: Life,
    /// The instance's key.
    pub instance_key: LedgerKey,
    /// The hash of the code.
    pub code_hash: CodeHash,
    /// The code's life; `None` where the network does not have the code.
    pub code: Option<Life>,
    /// The code's key.
    pub code_key: LedgerKey,
}

/// Reads the lives of a contract's instance and code, archived or not.
///
/// # Errors
/// [`EscrowError::Rpc`], [`EscrowError::NotFound`], [`EscrowError::NotAnEscrow`].
pub async fn lives(client: &Client, contract: ContractId) -> Result<Lives, EscrowError> {
    let instance_key = keys::instance(contract);
    let entries = ledger::read(client, [instance_key.clone()]).await?;
    let not_found = EscrowError::NotFound {
        contract,
        ledger: entries.ledger().unwrap_or_default(),
    };
    let entry = entries.get(&instance_key).ok_or(not_found)?;
    let hash = match &entry.data {
        LedgerEntryData::ContractData(data) => match &data.val {
            ScVal::ContractInstance(instance) => match &instance.executable {
                ContractExecutable::Wasm(hash) => Some(CodeHash(hash.0)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let code_hash = hash.ok_or(EscrowError::NotAnEscrow {
        contract,
        why: "it has no code of its own",
    })?;
    let (code, ledger) = code_life(client, code_hash).await?;
    Ok(Lives {
        ledger,
        instance: entry.life,
        instance_key,
        code_hash,
        code,
        code_key: keys::code(code_hash.0),
    })
}

/// The life of a code and the ledger that was read; `None` where the network does not have the code.
///
/// # Errors
/// [`EscrowError::Rpc`].
pub async fn code_life(
    client: &Client,
    hash: CodeHash,
) -> Result<(Option<Life>, u32), EscrowError> {
    let key = keys::code(hash.0);
    let entries = ledger::read(client, [key.clone()]).await?;
    let life = entries.get(&key).map(|entry| entry.life);
    Ok((life, entries.ledger().unwrap_or_default()))
}
