//! Keys to sign with.

use std::fmt;

use ed25519_dalek::{Signer as _, SigningKey};
use hmac::{Hmac, Mac as _};
use payout_keys::{NetworkId, Recipient};
use sha2::Sha256;
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

    /// The key of channel account `index` on a network, which follows from this key: nothing has to
    /// be stored, and a lane's key says nothing about this one.
    ///
    /// HMAC-SHA256 of `stellar-escrow/lane/1`, the network's id and the index (four bytes,
    /// big-endian), with this key's seed.
    #[must_use]
    pub fn lane(&self, network: NetworkId, index: u32) -> Self {
        let seed = Zeroizing::new(self.key.to_bytes());
        let mut block = Zeroizing::new([0_u8; 64]);
        for (to, from) in block.iter_mut().zip(seed.iter()) {
            *to = *from;
        }
        // A key that is shorter than the hash's block is padded with zeros, here as in HMAC itself.
        let mut mac = Hmac::<Sha256>::new(&(*block).into());
        mac.update(b"stellar-escrow/lane/1");
        mac.update(&network.0);
        mac.update(&index.to_be_bytes());
        let derived: Zeroizing<[u8; 32]> = Zeroizing::new(mac.finalize().into_bytes().into());
        Self::from_seed(&derived)
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

    pub(crate) fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        self.key.sign(bytes).to_bytes()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SecretKey(hidden)")
    }
}
