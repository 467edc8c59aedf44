//! Events and transactions as the checks see them.

mod event;
mod evidence;
mod ours;
mod place;
mod settlement;
mod token;
mod transaction;
pub(crate) mod value;

pub use event::{Body, Emitter, Event, How, Moved, Paid};
pub use evidence::Evidence;
pub(crate) use evidence::encoded;
pub use place::EventId;
pub use settlement::Settlement;
pub(crate) use settlement::pays;
pub use transaction::Tx;

use payout_keys::{ContractId, NetworkId};
use stellar_xdr::Limits;

/// The depth and length to which XDR is read: a node's answers are a stranger's.
pub(crate) const LIMITS: Limits = Limits {
    depth: 500,
    len: 10 * 1024 * 1024,
};

/// What is audited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The network.
    pub network: NetworkId,
    /// The contract.
    pub contract: ContractId,
    /// Its token.
    pub token: ContractId,
    /// Its program's id, where it is known.
    pub program: Option<String>,
}

impl Subject {
    /// The contract as a party of the token.
    #[must_use]
    pub fn party(&self) -> payout_keys::Recipient {
        payout_keys::Recipient::Contract(self.contract.0)
    }
}

/// What cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An event's id of another form.
    #[error("{0:?} is no event's id")]
    EventId(String),
    /// A field that is not what the schema says.
    #[error("{0}")]
    Field(String),
    /// Bytes that are not what they should be.
    #[error("{what} cannot be read: {why}")]
    Xdr {
        /// What.
        what: &'static str,
        /// Why.
        why: String,
    },
}

impl ModelError {
    pub(crate) fn xdr(what: &'static str) -> impl FnOnce(stellar_xdr::Error) -> Self {
        move |error| Self::Xdr {
            what,
            why: error.to_string(),
        }
    }
}

/// The bytes behind base64.
pub(crate) fn decoded(what: &'static str, text: &str) -> Result<Vec<u8>, ModelError> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|error| ModelError::Xdr {
            what,
            why: error.to_string(),
        })
}
