//! Signatures: put in, and believed only where they hold.

use std::collections::{BTreeMap, BTreeSet};

use ed25519_dalek::{Signature, VerifyingKey};
use stellar_xdr::{
    InvokeHostFunctionOp, OperationBody, ReadXdr, ScVal, SorobanAuthorizationEntry,
    SorobanCredentials,
};

use super::authority::Authority;
use super::error::ApprovalError;
use super::proposal::Proposal;
use crate::envelope::{SecretKey, authorisation_payload, decorated, signatures};
use crate::ledger::value::Fields;
use crate::rpc::LIMITS;

/// What a signature of the payout key's is called.
const AUTHORISATION: &str = "the payout key's authorisation";
/// What a signature of the source account's is called.
const ENVELOPE: &str = "the envelope";

impl Proposal {
    /// What signers of the payout key sign, where that is apart from the envelope.
    ///
    /// # Errors
    /// [`ApprovalError::Envelope`].
    pub fn payload(&self) -> Result<Option<[u8; 32]>, ApprovalError> {
        let Some((credentials, entry)) = self.credentials() else {
            return Ok(None);
        };
        let network = self.terms.network();
        let payload = authorisation_payload(network, credentials, &entry.root_invocation)?;
        Ok(Some(payload))
    }

    /// Who signed the payout key's authorisation, where that is an account. Each signature is
    /// verified.
    ///
    /// # Errors
    /// [`ApprovalError::Signature`].
    pub fn authorised_by(&self) -> Result<BTreeSet<[u8; 32]>, ApprovalError> {
        Ok(self.authorisations()?.into_keys().collect())
    }

    fn authorisations(&self) -> Result<BTreeMap<[u8; 32], [u8; 64]>, ApprovalError> {
        let wrong = |why: String| ApprovalError::Signature {
            of: AUTHORISATION,
            why,
        };
        let (Some((credentials, _)), Some(payload)) = (self.credentials(), self.payload()?) else {
            return Ok(BTreeMap::new());
        };
        let list = match &credentials.signature {
            ScVal::Void => return Ok(BTreeMap::new()),
            ScVal::Vec(Some(list)) => list,
            _ => return Err(wrong("it is no list of signatures".to_owned())),
        };
        let mut found = BTreeMap::new();
        for one in list.iter() {
            let (key, signature) =
                signature_in(one).ok_or_else(|| wrong("it cannot be read".to_owned()))?;
            if !holds(&key, &payload, &signature) {
                return Err(wrong(format!("not {}'s", address(&key))));
            }
            found.insert(key, signature);
        }
        // The host takes no other order, and nobody twice.
        if credentials.signature != signatures(&found)? {
            return Err(wrong("not in the order of the public keys".to_owned()));
        }
        Ok(found)
    }

    /// Signs the payout key's authorisation.
    ///
    /// # Errors
    /// [`ApprovalError::NothingApart`], [`ApprovalError::EnvelopeFirst`],
    /// [`ApprovalError::Signature`].
    pub fn authorise(&mut self, key: &SecretKey) -> Result<(), ApprovalError> {
        let mut by = self.authorisations()?;
        let payload = self.payload()?.ok_or(ApprovalError::NothingApart)?;
        by.insert(key.public(), key.sign(&payload));
        self.put(signatures(&by)?)
    }

    /// Puts an authorisation in that was signed elsewhere (base64): it has to be the offer's own
    /// entry with a signature. Whether that holds, only a simulation with it can tell.
    ///
    /// # Errors
    /// [`ApprovalError`].
    pub fn put_authorisation(&mut self, entry: &str) -> Result<(), ApprovalError> {
        let theirs = SorobanAuthorizationEntry::from_xdr_base64(entry.trim(), LIMITS)
            .map_err(ApprovalError::field("authorisation"))?;
        let (ours, entry) = self.credentials().ok_or(ApprovalError::NothingApart)?;
        let other = |what| Err(ApprovalError::OtherAuthorisation { what });
        let SorobanCredentials::Address(credentials) = &theirs.credentials else {
            return other("kind of credentials");
        };
        if credentials.address != ours.address {
            return other("address");
        }
        if theirs.root_invocation != entry.root_invocation {
            return other("call");
        }
        if credentials.nonce != ours.nonce {
            return other("nonce");
        }
        if credentials.signature_expiration_ledger != ours.signature_expiration_ledger {
            return other("expiry");
        }
        if credentials.signature == ScVal::Void {
            return Err(ApprovalError::Signature {
                of: AUTHORISATION,
                why: "there is none".to_owned(),
            });
        }
        self.put(credentials.signature.clone())
    }

    fn put(&mut self, signature: ScVal) -> Result<(), ApprovalError> {
        if !self.signatures.is_empty() {
            return Err(ApprovalError::EnvelopeFirst);
        }
        let mut operations = self.transaction.operations.to_vec();
        let Some(OperationBody::InvokeHostFunction(InvokeHostFunctionOp { auth, .. })) =
            operations.first_mut().map(|operation| &mut operation.body)
        else {
            return Err(ApprovalError::NothingApart);
        };
        let mut entries = auth.to_vec();
        let Some(SorobanCredentials::Address(credentials)) =
            entries.first_mut().map(|entry| &mut entry.credentials)
        else {
            return Err(ApprovalError::NothingApart);
        };
        credentials.signature = signature;
        *auth = entries
            .try_into()
            .map_err(ApprovalError::field("authorisation"))?;
        self.transaction.operations = operations
            .try_into()
            .map_err(ApprovalError::field("operation"))?;
        self.authorised = false;
        Ok(())
    }

    /// Who signed the envelope for its source account. Each signature is verified.
    ///
    /// # Errors
    /// [`ApprovalError::Signature`], also where it is nobody's who may.
    pub fn signed_by(&self, source: &Authority) -> Result<BTreeSet<[u8; 32]>, ApprovalError> {
        let hash = self.hash()?;
        let mut found = BTreeSet::new();
        for one in &self.signatures {
            let signature: Option<[u8; 64]> = one.signature.0.as_slice().try_into().ok();
            let by = signature.and_then(|signature| {
                source
                    .signers()
                    .keys()
                    .find(|key| key.ends_with(&one.hint.0) && holds(key, &hash.0, &signature))
            });
            let fresh = by.is_some_and(|key| found.insert(*key));
            if !fresh {
                return Err(ApprovalError::Signature {
                    of: ENVELOPE,
                    why: format!(
                        "with the hint {} it is nobody's who signs for {}, or there twice",
                        hex::encode(one.hint.0),
                        source.account()
                    ),
                });
            }
        }
        Ok(found)
    }

    /// Signs the envelope.
    ///
    /// # Errors
    /// [`ApprovalError::AuthorisationFirst`].
    pub fn sign(&mut self, key: &SecretKey) -> Result<(), ApprovalError> {
        if !self.authorised() {
            return Err(ApprovalError::AuthorisationFirst {
                payout_key: self.terms.caller,
            });
        }
        let signature = decorated(key, self.hash()?)?;
        if !self.signatures.contains(&signature) {
            self.signatures.push(signature);
        }
        Ok(())
    }
}

fn signature_in(value: &ScVal) -> Option<([u8; 32], [u8; 64])> {
    let fields = Fields::of("signature", value).ok()?;
    Some((
        fields.get("public_key").ok()?,
        fields.get("signature").ok()?,
    ))
}

fn holds(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    VerifyingKey::from_bytes(key).is_ok_and(|key| {
        key.verify_strict(message, &Signature::from_bytes(signature))
            .is_ok()
    })
}

pub(super) fn address(key: &[u8; 32]) -> String {
    payout_keys::Recipient::Account(*key).to_string()
}
