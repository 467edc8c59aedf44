//! Whoever has the keys.

use payout_keys::Recipient;

use crate::journal::Intent;
use crate::protocol::{BumpRequest, SignRequest, Signed};

/// It cannot be signed, and trying again will not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsigned(pub String);

/// Signs what the protocol asks for and nothing else. It may be another machine.
#[allow(async_fn_in_trait, reason = "as Network")]
pub trait Signer {
    /// The account whose sequence numbers are taken: the lane.
    fn lane(&self) -> Recipient;

    /// Signs an envelope for `intent` with the sequence number after `last`.
    ///
    /// # Errors
    /// [`Unsigned`].
    async fn sign(
        &mut self,
        intent: &Intent,
        request: &SignRequest,
        last: i64,
    ) -> Result<Signed, Unsigned>;

    /// Signs a fee bump around the same inner transaction.
    ///
    /// # Errors
    /// [`Unsigned`].
    async fn bump(&mut self, request: &BumpRequest) -> Result<Signed, Unsigned>;
}
