//! Whom a payout pays.

use std::fmt;
use std::str::FromStr;

use stellar_strkey::Strkey;
use stellar_xdr::{AccountId, ContractId as XdrContractId, Hash, PublicKey, ScAddress, Uint256};

use crate::Error;
use crate::error::{may_be_secret, shown};

/// A recipient: an account (G…) or a contract (C…). Its text is its strkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Recipient {
    /// An account, by its ed25519 public key.
    Account([u8; 32]),
    /// A contract, by its id.
    Contract([u8; 32]),
}

impl Recipient {
    /// Reads a strkey. Nothing is trimmed or folded.
    ///
    /// # Errors
    /// [`Error::RecipientMuxed`], [`Error::RecipientSecret`], [`Error::RecipientKind`],
    /// [`Error::RecipientInvalid`].
    pub fn new(strkey: &str) -> Result<Self, Error> {
        let kind = match Strkey::from_string(strkey) {
            Ok(Strkey::PublicKeyEd25519(key)) => return Ok(Self::Account(key.0)),
            Ok(Strkey::Contract(id)) => return Ok(Self::Contract(id.0)),
            Ok(Strkey::MuxedAccountEd25519(_)) => {
                return Err(Error::RecipientMuxed {
                    value: shown(strkey),
                });
            }
            Ok(Strkey::PrivateKeyEd25519(_)) => return Err(Error::RecipientSecret),
            Ok(Strkey::PreAuthTx(_)) => "a pre-authorised transaction (T…)",
            Ok(Strkey::HashX(_)) => "a hash (X…)",
            Ok(Strkey::SignedPayloadEd25519(_)) => "a signer with a payload (P…)",
            Ok(Strkey::LiquidityPool(_)) => "a liquidity pool (L…)",
            Ok(Strkey::ClaimableBalance(_)) => "a claimable balance (B…)",
            Err(_) if may_be_secret(strkey) => return Err(Error::RecipientSecret),
            Err(_) => {
                return Err(Error::RecipientInvalid {
                    value: shown(strkey),
                });
            }
        };
        Err(Error::RecipientKind {
            value: shown(strkey),
            kind,
        })
    }

    /// The first eight characters of the address, as random keys have them.
    #[must_use]
    pub fn prefix(&self) -> RecipientPrefix {
        let mut prefix = [b'?'; RecipientPrefix::LEN];
        for (to, from) in prefix.iter_mut().zip(self.to_string().bytes()) {
            *to = from;
        }
        RecipientPrefix(prefix)
    }

    /// The address as the contract sees it.
    pub(crate) fn to_xdr(self) -> ScAddress {
        match self {
            Self::Account(key) => {
                ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(key))))
            }
            Self::Contract(id) => ScAddress::Contract(XdrContractId(Hash(id))),
        }
    }
}

impl FromStr for Recipient {
    type Err = Error;

    fn from_str(strkey: &str) -> Result<Self, Error> {
        Self::new(strkey)
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Account(key) => out.pad(&stellar_strkey::ed25519::PublicKey(key).to_string()),
            Self::Contract(id) => out.pad(&stellar_strkey::Contract(id).to_string()),
        }
    }
}

/// The first eight characters of an address: `[A-Z0-9]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecipientPrefix([u8; Self::LEN]);

impl RecipientPrefix {
    /// Its length in characters.
    pub const LEN: usize = 8;

    /// Checks `prefix`.
    ///
    /// # Errors
    /// [`Error::PrefixInvalid`].
    pub fn new(prefix: &str) -> Result<Self, Error> {
        <[u8; Self::LEN]>::try_from(prefix.as_bytes())
            .ok()
            .filter(|bytes| {
                bytes
                    .iter()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            })
            .map(Self)
            .ok_or_else(|| Error::PrefixInvalid {
                value: shown(prefix),
            })
    }
}

impl FromStr for RecipientPrefix {
    type Err = Error;

    fn from_str(prefix: &str) -> Result<Self, Error> {
        Self::new(prefix)
    }
}

impl fmt::Display for RecipientPrefix {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|&byte| fmt::Write::write_char(out, char::from(byte)))
    }
}
