//! Namespace 1: one persistent entry a key, written once and never touched again.
//!
//! Rent is what a payout costs, and rent is counted in bytes of the entry, so a record is packed:
//!
//! | Bytes | Field | |
//! | --- | --- | --- |
//! | 0 | kind | all records |
//! | 1–4 | ledger, big-endian | all records |
//! | 5–11 | `payout_id`, big-endian | payouts only |
//! | 12–27 | `total_amount`, big-endian | payouts only |
//! | 28–59 | fingerprint | payouts only |
//!
//! Who got what stands in the token's events and in the caller's own request; the fingerprint
//! commits to it.

use soroban_sdk::{Bytes, BytesN, Env, panic_with_error};

use super::Key;
use crate::error::Error;
use crate::storage;
use crate::types::{IdempotencyRecord, PayoutKind};

/// Bytes of a record of kind `Imported` or `Voided`.
const SHORT: usize = 5;
/// Bytes of a record of kind `Single` or `Batch`.
const FULL: u32 = 60;

/// The record under a digest, if any.
pub(crate) fn get(env: &Env, digest: &BytesN<32>) -> Option<IdempotencyRecord> {
    storage::record(env, digest).map(|packed| unpack(env, &packed))
}

/// Consumes a key. An existing record is never touched: the callers have looked, and this looks
/// again, so that no later caller can forget.
///
/// # Errors
/// [`Error::KeyAlreadyConsumed`] when a record exists.
pub(crate) fn consume(env: &Env, key: &Key, record: &IdempotencyRecord) {
    if storage::record(env, &key.digest).is_some() {
        panic_with_error!(env, Error::KeyAlreadyConsumed);
    }
    storage::set_record(env, &key.digest, &pack(env, record));
}

/// A record that no payout stands behind.
pub(crate) fn unpaid(env: &Env, kind: PayoutKind) -> IdempotencyRecord {
    IdempotencyRecord {
        kind,
        payout_id: 0,
        fingerprint: BytesN::from_array(env, &[0; 32]),
        total_amount: 0,
        ledger: env.ledger().sequence(),
    }
}

fn pack(env: &Env, record: &IdempotencyRecord) -> Bytes {
    let mut packed = [0u8; FULL as usize];
    let payout_id = record.payout_id.to_be_bytes();
    // Seven bytes: 2^56 payouts are more than the ledger will ever hold.
    if payout_id[0] != 0 {
        panic_with_error!(env, Error::AmountOverflow);
    }
    packed[5..12].copy_from_slice(&payout_id[1..]);
    packed[0] = record.kind as u8;
    packed[1..5].copy_from_slice(&record.ledger.to_be_bytes());
    packed[12..28].copy_from_slice(&record.total_amount.to_be_bytes());
    packed[28..].copy_from_slice(&record.fingerprint.to_array());
    match record.kind {
        PayoutKind::Single | PayoutKind::Batch => Bytes::from_slice(env, &packed),
        PayoutKind::Imported | PayoutKind::Voided => Bytes::from_slice(env, &packed[..SHORT]),
    }
}

fn unpack(env: &Env, packed: &Bytes) -> IdempotencyRecord {
    let mut buffer = [0u8; FULL as usize];
    // Code after ours may have written more; what it appended is not ours to read.
    let known = packed.slice(..packed.len().min(FULL));
    known.copy_into_slice(&mut buffer[..known.len() as usize]);
    let kind = match buffer[0] {
        0 => PayoutKind::Single,
        1 => PayoutKind::Batch,
        2 => PayoutKind::Imported,
        // Anything else was written by code after ours: it must never read as unused.
        _ => PayoutKind::Voided,
    };
    let mut ledger = [0; 4];
    ledger.copy_from_slice(&buffer[1..5]);
    let mut payout_id = [0; 8];
    payout_id[1..].copy_from_slice(&buffer[5..12]);
    let mut total_amount = [0; 16];
    total_amount.copy_from_slice(&buffer[12..28]);
    let mut fingerprint = [0; 32];
    fingerprint.copy_from_slice(&buffer[28..]);
    IdempotencyRecord {
        kind,
        payout_id: u64::from_be_bytes(payout_id),
        fingerprint: BytesN::from_array(env, &fingerprint),
        total_amount: i128::from_be_bytes(total_amount),
        ledger: u32::from_be_bytes(ledger),
    }
}
