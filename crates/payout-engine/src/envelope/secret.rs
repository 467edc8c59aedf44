//! Keys to sign with.

use std::fmt;

use ed25519_dalek::{Signer as _, SigningKey};
use payout_keys::Recipient;
use zeroize::Zeroizing;

use super::error::EnvelopeError;

/// An account's secret key. It is shown nowhere, stored nowhere, and wiped when it is dropped.
pub struct SecretKey {
    key: SigningKey,
}

impl SecretKey {
    /// Reads a strkey (S…).
    ///
    /// # Errors
    /// [`EnvelopeError::Secret`], which does not repeat it.
    pub fn from_strkey(text: &str) -> Result<Self, EnvelopeError> {
        let key = stellar_strkey::ed25519::PrivateKey::from_string(text)
            .map_err(|_| EnvelopeError::Secret)?;
        let seed = Zeroizing::new(key.0);
        Ok(Self::from_seed(&seed))
    }

    /// From the seed's 32 bytes. The caller wipes its own copy.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self {
            key: SigningKey::from_bytes(seed),
        }
    }

    /// The account's public key.
    #[must_use]
    pub fn public(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    /// The account's address.
    #[must_use]
    pub fn address(&self) -> Recipient {
        Recipient::Account(self.public())
    }

    /// The last four bytes of the public key, by which a signature is matched to it.
    pub(super) fn hint(&self) -> [u8; 4] {
        let [.., a, b, c, d] = self.public();
        [a, b, c, d]
    }

    pub(super) fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        self.key.sign(bytes).to_bytes()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SecretKey(hidden)")
    }
}
