//! Where keys are valid: one contract on one network.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::Error;
use crate::error::shown;

/// A network's id: SHA-256 of its passphrase. Its text is hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetworkId(pub [u8; 32]);

impl NetworkId {
    /// The id of the network with this passphrase, taken byte for byte.
    #[must_use]
    pub fn from_passphrase(passphrase: &str) -> Self {
        Self(Sha256::digest(passphrase).into())
    }
}

impl fmt::Display for NetworkId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&hex::encode(self.0))
    }
}

/// A contract's id. Its text is its strkey (C…).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContractId(pub [u8; 32]);

impl ContractId {
    /// Reads a strkey.
    ///
    /// # Errors
    /// [`Error::ContractInvalid`].
    pub fn new(strkey: &str) -> Result<Self, Error> {
        stellar_strkey::Contract::from_string(strkey)
            .map(|contract| Self(contract.0))
            .map_err(|_| Error::ContractInvalid {
                value: shown(strkey),
            })
    }
}

impl FromStr for ContractId {
    type Err = Error;

    fn from_str(strkey: &str) -> Result<Self, Error> {
        Self::new(strkey)
    }
}

impl fmt::Display for ContractId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&stellar_strkey::Contract(self.0).to_string())
    }
}

/// One contract on one network. Everything derived begins with it, so nothing derived for a test
/// network or for another instance is valid elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deployment {
    /// The network.
    pub network: NetworkId,
    /// The contract.
    pub contract: ContractId,
}
