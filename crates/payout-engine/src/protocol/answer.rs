//! What is known of an obligation, in a type. No answer calls a payout failed that may still happen.

use payout_keys::IdempotencyKey;

use super::envelope::{Bounds, TxHash};
use super::event::Refusal;
use super::phase::Phase;
use super::policy::Bid;
use crate::record::Record;

/// The answer to "what became of it?", at any time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Under way.
    Working {
        /// Where it is.
        phase: Phase,
    },
    /// It may be or become paid.
    OutcomeUnknown {
        /// What is awaited.
        awaited: Awaited,
    },
    /// Paid, with our arguments.
    Paid {
        /// The record.
        record: Record,
        /// The transaction that paid it and its ledger, where it was found.
        receipt: Option<(TxHash, u32)>,
    },
    /// The key paid something else.
    Conflict {
        /// The record.
        record: Record,
    },
    /// The key was imported; this contract paid nothing under it.
    Imported {
        /// The record.
        record: Record,
    },
    /// The key is void.
    Voided {
        /// The record.
        record: Record,
    },
    /// Not paid, and never will be.
    NotPaid {
        /// Proven as of this ledger.
        ledger: u32,
    },
    /// Stopped. Going on with this key, and with no other, is safe.
    Stopped {
        /// The key to go on with.
        key: IdempotencyKey,
        /// Why.
        stop: Stop,
        /// What is known about the payment.
        knowledge: Knowledge,
        /// All hashes that were signed.
        hashes: Vec<TxHash>,
    },
}

/// What is known about the payment of an obligation that is not decided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Knowledge {
    /// Nothing that we signed can pay it any more, and it was not paid as of this ledger. Somebody
    /// else may still pay it under the same key, so this is not final.
    UnpaidAsOf {
        /// The ledger; `None` if the key was never looked up.
        ledger: Option<u32>,
    },
    /// It may be or become paid.
    Unknown(Awaited),
}

/// What has to be seen before an unknown outcome is decided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Awaited {
    /// A look at the record at a ledger past all of this.
    pub past: Option<Bounds>,
    /// By which hashes a receipt can be found.
    pub hashes: Vec<TxHash>,
    /// The last reason for not knowing.
    pub reason: String,
}

/// Why an obligation stopped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The simulation was refused.
    #[error("the contract or the network refuses it: {0}; put that right, then go on")]
    Refused(Refusal),
    /// The node refused the envelope.
    #[error("the node refuses the envelope with {code}; put that right, then go on")]
    SendRefused {
        /// The result's code.
        code: String,
    },
    /// Being included costs more than the ceiling for bids.
    #[error(
        "being included needs a bid of {} stroops for each operation, above the ceiling of {}; raise \
         the ceiling, then go on with the same transaction",
        .needed.0, .ceiling.0
    )]
    BidCeiling {
        /// What would do.
        needed: Bid,
        /// The ceiling.
        ceiling: Bid,
    },
    /// The resource fee is above the ceiling.
    #[error(
        "the resource fee of {needed} stroops is above the ceiling of {ceiling}; raise it, then go \
         on"
    )]
    ResourceFeeCeiling {
        /// The fee with its margin.
        needed: i64,
        /// The ceiling.
        ceiling: i64,
    },
    /// Calls without progress, as many as the policy allows.
    #[error("no progress after {tries} tries: {last}; look at the node, then go on")]
    NoProgress {
        /// How many.
        tries: u16,
        /// The last obstacle.
        last: String,
    },
    /// As many envelopes as the policy allows ran out one after the other.
    #[error("{attempts} envelopes ran out without being paid; look why, then go on")]
    Attempts {
        /// How many.
        attempts: u16,
    },
    /// The journal cannot be written. Nothing was sent that it does not have.
    #[error("the journal cannot be written ({0}), so nothing was sent; make room, then go on")]
    Store(String),
    /// It could not be signed.
    #[error("it cannot be signed ({0}); put the key in place, then go on")]
    Sign(String),
    /// The signer gave back something else than was asked for. It was neither stored nor sent.
    #[error("the signer broke the rules: {0}; nothing was sent")]
    BadEnvelope(&'static str),
    /// The node says that our transaction succeeded, and that the contract has no record.
    #[error(
        "a node says that a transaction succeeded in ledger {ledger}, and that the contract has no \
         record of it later; ask another node, and check network and contract"
    )]
    Contradiction {
        /// The ledger.
        ledger: u32,
    },
    /// Asked to give up where only a void is final.
    #[error(
        "as of ledger {ledger} it is not paid, but others may have signed it too; void the key to \
         make that final"
    )]
    OnlyVoidIsFinal {
        /// The ledger.
        ledger: u32,
    },
}
