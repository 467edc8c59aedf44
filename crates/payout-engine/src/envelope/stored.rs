//! The contract's record as the ledger keeps it: a packed entry under the key's digest. Many are read
//! in one call, archived ones too, without running the contract.

use payout_keys::{ContractId, Fingerprint, IdempotencyKey};
use sha2::{Digest, Sha256};
use stellar_xdr::{
    ContractDataDurability, ContractId as XdrContractId, Hash, LedgerEntryData, LedgerKey,
    LedgerKeyContractData, ScAddress, ScBytes, ScSymbol, ScVal, ScVec,
};

use super::error::EnvelopeError;
use crate::record::{Record, RecordKind};

/// Bytes of a record that no payout stands behind.
const SHORT: usize = 5;
/// Bytes of a payout's record.
const FULL: usize = 60;

/// The ledger key of the entry that holds the record of `key`.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn record_ledger_key(
    contract: ContractId,
    key: &IdempotencyKey,
) -> Result<LedgerKey, EnvelopeError> {
    record_ledger_key_of(contract, Sha256::digest(key.as_str().as_bytes()).into())
}

/// The same of a key of which only the SHA-256 digest is at hand.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn record_ledger_key_of(
    contract: ContractId,
    digest: [u8; 32],
) -> Result<LedgerKey, EnvelopeError> {
    let what = "the record's ledger key";
    let name = ScSymbol(
        "IdempotencyKey"
            .try_into()
            .map_err(EnvelopeError::xdr(what))?,
    );
    let digest = ScBytes(
        digest
            .to_vec()
            .try_into()
            .map_err(EnvelopeError::xdr(what))?,
    );
    let parts = vec![ScVal::Symbol(name), ScVal::Bytes(digest)];
    let parts = ScVec(parts.try_into().map_err(EnvelopeError::xdr(what))?);
    Ok(LedgerKey::ContractData(LedgerKeyContractData {
        contract: ScAddress::Contract(XdrContractId(Hash(contract.0))),
        key: ScVal::Vec(Some(parts)),
        durability: ContractDataDurability::Persistent,
    }))
}

/// The record in an entry that was found under its ledger key.
///
/// # Errors
/// [`EnvelopeError::NotARecord`]: anything else, also a kind that is not known, which must never
/// read as unused.
pub fn stored_record(entry: &LedgerEntryData) -> Result<Record, EnvelopeError> {
    let wrong = EnvelopeError::NotARecord;
    let LedgerEntryData::ContractData(data) = entry else {
        return Err(wrong("it is no contract data"));
    };
    let ScVal::Bytes(packed) = &data.val else {
        return Err(wrong("it is not packed"));
    };
    let packed = packed.as_slice();
    let (Some(kind), Some(ledger)) = (packed.first(), part::<4>(packed, 1)) else {
        return Err(wrong("it is too short"));
    };
    let kind = match kind {
        0 => RecordKind::Single,
        1 => RecordKind::Batch,
        2 => RecordKind::Imported,
        3 => RecordKind::Voided,
        _ => return Err(wrong("its kind is not known")),
    };
    let ledger = u32::from_be_bytes(ledger);
    if matches!(kind, RecordKind::Imported | RecordKind::Voided) {
        return Ok(Record {
            kind,
            payout_id: 0,
            fingerprint: Fingerprint([0; 32]),
            total: 0,
            ledger,
        });
    }
    let too_short = || wrong("it is too short");
    // Seven bytes of a number of eight.
    let payout_id: [u8; 8] = part(packed, SHORT - 1).ok_or_else(too_short)?;
    let total = part::<16>(packed, 12).ok_or_else(too_short)?;
    let fingerprint = part::<32>(packed, FULL - 32).ok_or_else(too_short)?;
    Ok(Record {
        kind,
        payout_id: u64::from_be_bytes(payout_id) & (u64::MAX >> 8),
        fingerprint: Fingerprint(fingerprint),
        total: i128::from_be_bytes(total),
        ledger,
    })
}

fn part<const N: usize>(packed: &[u8], at: usize) -> Option<[u8; N]> {
    packed.get(at..at.checked_add(N)?)?.try_into().ok()
}
