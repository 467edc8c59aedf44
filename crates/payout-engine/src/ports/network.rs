//! The network, as the nodes show it that are asked.

use payout_keys::{IdempotencyKey, Recipient};

use crate::Payout;
use crate::journal::Intent;
use crate::protocol::{Bid, Fate, Refusal, SendAnswer, Signed, Simulation, TxHash};
use crate::record::{Moment, NodeId, View};
use crate::rpc::Records;

/// A call that brought no answer. It may have been acted on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unanswered(pub String);

/// What a simulation of an intent brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rehearsal {
    /// It would go through.
    Passed(Simulation),
    /// It was refused.
    Refused(Refusal),
}

/// A transaction that was included and carried a payout under the key that was asked for. Whether it
/// is the one that the record is of, its fingerprint tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landed {
    /// Its outer hash.
    pub hash: TxHash,
    /// Its arguments.
    pub payout: Payout,
}

/// One network and one contract on it. No answer is a verdict; the protocol gives those.
#[allow(
    async_fn_in_trait,
    reason = "drivers run on one thread: a simulated ledger is not Send"
)]
pub trait Network {
    /// The newest ledger and when it closed.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn clock(&self) -> Result<Moment, Unanswered>;

    /// The record of `key`: better from a node that knows ledger `min_ledger`, and not from
    /// `not_from`.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn record(
        &self,
        key: &IdempotencyKey,
        min_ledger: u32,
        not_from: Option<NodeId>,
    ) -> Result<View, Unanswered>;

    /// The records of many keys.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn records(&self, keys: &[IdempotencyKey]) -> Result<Records, Unanswered>;

    /// Simulates what `intent` asks for.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn simulate(&self, intent: &Intent) -> Result<Rehearsal, Unanswered>;

    /// The last used sequence number of `account`, on a node that knows ledger `min_ledger`.
    ///
    /// # Errors
    /// [`Unanswered`], also where every node is behind, or the account does not exist.
    async fn sequence(&self, account: Recipient, min_ledger: u32) -> Result<i64, Unanswered>;

    /// Sends an envelope.
    ///
    /// # Errors
    /// [`Unanswered`]: it may have been accepted.
    async fn send(&self, signed: &Signed) -> Result<SendAnswer, Unanswered>;

    /// What became of a transaction, by outer or inner hash.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn transaction(&self, hash: TxHash) -> Result<Fate, Unanswered>;

    /// What others bid of late.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn fees(&self) -> Result<Bid, Unanswered>;

    /// The transactions of `ledger` that carried a payout under `key`, whoever sent them. None where
    /// the node has forgotten that ledger.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn landed(&self, key: &IdempotencyKey, ledger: u32) -> Result<Vec<Landed>, Unanswered>;
}
