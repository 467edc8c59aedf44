//! The promise: a key consumes once.
//!
//! Four namespaces are read, in this order, by every payout, by void and by both views; only the
//! first is ever written:
//!
//! 1. [`record`]: one persistent entry a key, under the key's SHA-256,
//! 2. – 4. [`crate::legacy`]: what earlier layouts wrote.

pub(crate) mod import;
pub(crate) mod key;
pub(crate) mod record;
pub(crate) mod void;

use soroban_sdk::{BytesN, Env, String};

use crate::legacy;
use crate::types::{IdempotencyRecord, PayoutKind};

/// A key and its digest, computed once a call.
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) digest: BytesN<32>,
}

impl Key {
    /// Digests any text, valid or not: what an earlier layout consumed is never judged again.
    pub(crate) fn new(env: &Env, text: String) -> Self {
        let digest = env.crypto().sha256(&text.to_bytes()).to_bytes();
        Self { text, digest }
    }

    /// The original effect of this key in any namespace; one that only an earlier layout knows
    /// reads as `Imported` with zeros.
    pub(crate) fn find(&self, env: &Env) -> Option<IdempotencyRecord> {
        record::get(env, &self.digest).or_else(|| {
            legacy::knows(env, &self.text).then(|| IdempotencyRecord {
                kind: PayoutKind::Imported,
                payout_id: 0,
                fingerprint: BytesN::from_array(env, &[0; 32]),
                total_amount: 0,
                ledger: 0,
            })
        })
    }
}

/// Whether a key is consumed: paid here or asserted elsewhere, not voided.
pub(crate) fn is_consumed(env: &Env, key: String) -> bool {
    Key::new(env, key)
        .find(env)
        .is_some_and(|record| record.kind != PayoutKind::Voided)
}
