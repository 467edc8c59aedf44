//! Why a preflight has no result.

use crate::PayoutError;
use crate::envelope::EnvelopeError;
use crate::escrow::EscrowError;
use crate::ledger::Malformed;
use crate::rpc::RpcError;

/// A preflight without a result. Nothing was signed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PreflightError {
    /// No usable answer.
    #[error(transparent)]
    Rpc(#[from] RpcError),
    /// The deployment's facts cannot be had.
    #[error(transparent)]
    Escrow(#[from] EscrowError),
    /// An entry that is not what its key promises.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// A call that cannot be built.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// Rows that make no payout.
    #[error(transparent)]
    Payout(#[from] PayoutError),
}
