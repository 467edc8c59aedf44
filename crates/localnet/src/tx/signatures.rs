//! Signatures, weights and thresholds.

use ed25519_dalek::{Signature, VerifyingKey};
use soroban_env_host::xdr::{
    AccountEntry, AccountId, DecoratedSignature, OperationBody, PublicKey, SignerKey, Uint256,
};

/// How much weight an act needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Sequence numbers and fees, lifetimes, trustline flags.
    Low,
    /// Money, trust and contract calls.
    Medium,
    /// Who may sign, and the end of the account.
    High,
}

/// Checks the signatures of one transaction and remembers which of them were needed.
pub(crate) struct SignatureChecker<'a> {
    hash: [u8; 32],
    signatures: &'a [DecoratedSignature],
    used: Vec<bool>,
}

impl<'a> SignatureChecker<'a> {
    pub(crate) fn new(hash: [u8; 32], signatures: &'a [DecoratedSignature]) -> Self {
        Self {
            hash,
            signatures,
            used: vec![false; signatures.len()],
        }
    }

    /// Whether an account's signers reach its threshold for `level`.
    pub(crate) fn account(&mut self, account: &AccountEntry, level: Level) -> bool {
        let [master, low, medium, high] = account.thresholds.0;
        let needed = match level {
            Level::Low => low,
            Level::Medium => medium,
            Level::High => high,
        };
        let own = (master > 0).then(|| (key_of(&account.account_id), u32::from(master)));
        let others = account
            .signers
            .iter()
            .filter_map(|signer| ed25519_key(&signer.key).map(|key| (key, signer.weight)));
        self.reaches(own.into_iter().chain(others).collect(), u32::from(needed))
    }

    /// Whether the key of an account that does not exist signed.
    pub(crate) fn missing_account(&mut self, id: &AccountId) -> bool {
        self.reaches(vec![(key_of(id), 1)], 0)
    }

    /// Whether a further key that the transaction asks for signed.
    pub(crate) fn extra_signer(&mut self, key: &Uint256) -> bool {
        self.reaches(vec![(key.0, 1)], 1)
    }

    /// Whether every signature was needed by somebody.
    pub(crate) fn all_used(&self) -> bool {
        self.used.iter().all(|used| *used)
    }

    /// One signature counts once for its key. At least one valid signature is needed even where
    /// the threshold is 0.
    fn reaches(&mut self, mut signers: Vec<([u8; 32], u32)>, needed: u32) -> bool {
        let mut weight = 0_u32;
        for (index, signature) in self.signatures.iter().enumerate() {
            let Some(position) = signers
                .iter()
                .position(|(key, _)| verifies(key, signature, &self.hash))
            else {
                continue;
            };
            self.used[index] = true;
            weight = weight.saturating_add(signers.remove(position).1.min(255));
            if weight >= needed {
                return true;
            }
        }
        false
    }
}

fn verifies(key: &[u8; 32], decorated: &DecoratedSignature, hash: &[u8; 32]) -> bool {
    if decorated.hint.0 != key[28..] {
        return false;
    }
    let (Ok(key), Ok(signature)) = (
        VerifyingKey::from_bytes(key),
        Signature::from_slice(decorated.signature.0.as_slice()),
    ) else {
        return false;
    };
    key.verify_strict(hash, &signature).is_ok()
}

fn key_of(id: &AccountId) -> [u8; 32] {
    let PublicKey::PublicKeyTypeEd25519(Uint256(key)) = &id.0;
    *key
}

/// The key of an ed25519 signer; this ledger accepts no other kind.
pub(crate) fn ed25519_key(key: &SignerKey) -> Option<[u8; 32]> {
    match key {
        SignerKey::Ed25519(Uint256(key)) => Some(*key),
        _ => None,
    }
}

/// The level of an operation.
pub(crate) fn operation_level(body: &OperationBody) -> Level {
    match body {
        OperationBody::ExtendFootprintTtl(_)
        | OperationBody::RestoreFootprint(_)
        | OperationBody::SetTrustLineFlags(_) => Level::Low,
        OperationBody::AccountMerge(_) => Level::High,
        OperationBody::SetOptions(op)
            if op.master_weight.is_some()
                || op.low_threshold.is_some()
                || op.med_threshold.is_some()
                || op.high_threshold.is_some()
                || op.signer.is_some() =>
        {
            Level::High
        }
        _ => Level::Medium,
    }
}
