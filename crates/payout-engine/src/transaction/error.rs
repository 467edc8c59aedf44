//! Why nothing was signed.

use crate::envelope::EnvelopeError;
use crate::protocol::Refusal;
use crate::rpc::RpcError;

/// Nothing was signed, so nothing has happened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransactionError {
    /// A call without a usable answer.
    #[error(transparent)]
    Node(#[from] RpcError),
    /// The envelope cannot be made.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// The source account does not exist.
    #[error("account {0} does not exist on this network; fund it first")]
    NoAccount(String),
    /// The simulation says that it would fail.
    #[error("the simulation was refused: {}", .0.text)]
    Refused(Refusal),
    /// The node's clock cannot be read, so no bounds can be set.
    #[error("the node does not tell when its latest ledger closed; use another node")]
    NoClock,
    /// What was stored of an envelope is none.
    #[error("{0} is not an envelope of ours")]
    NotSealed(&'static str),
}
