//! What an obligation asks of the world. The order of a step's effects is the order they are done
//! in, and each waits for the one before it.

use payout_keys::{Fingerprint, IdempotencyKey};

use super::envelope::{Bounds, Signed, TxHash};
use super::event::Prepared;
use super::phase::Phase;
use super::policy::Bid;
use crate::record::{NodeId, Record};

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Look the key up. Answer: `Record` or `ReadFailed`.
    ReadRecord {
        /// An answer from an older ledger counts for nothing if it has no record, so better ask a
        /// node that is not behind it.
        min_ledger: u32,
        /// Ask another node than this one.
        not_from: Option<NodeId>,
    },
    /// Ask what became of these hashes. Answer: a `Transaction` for each, or nothing.
    ReadTransactions(Vec<TxHash>),
    /// Ask what others bid. Answer: `Fees`, or nothing.
    ReadFees,
    /// Simulate the payout. Answer: `Simulated`, `SimulationRefused` or `SimulationFailed`.
    Simulate,
    /// Show what would be restored, and its price. Answer, in its time: `Consented`.
    ShowRestores {
        /// How many archived entries.
        entries: u32,
        /// The resource fee with them, in stroops.
        resource_fee: i64,
    },
    /// Store this durably, in one transaction. Answer: `Stored` or `StoreFailed`.
    Store(Entry),
    /// Sign an envelope. Answer: `Signed`, `SignFailed` or `LaneUnread`.
    Sign(SignRequest),
    /// Sign a fee bump around an inner transaction. Answer: `Signed` or `SignFailed`.
    SignBump(BumpRequest),
    /// Send these bytes. Answer: `Answered` or `SendFailed`.
    Send(Signed),
    /// Wait. Answer: `Timer`.
    Wait {
        /// For so many milliseconds.
        milliseconds: u64,
    },
    /// Find the transaction that wrote the record. Answer: `Receipt`, or nothing.
    FindReceipt {
        /// Outer and inner hashes of all that was signed.
        hashes: Vec<TxHash>,
        /// The ledger to look in.
        ledger: u32,
    },
}

/// What is to be signed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SignRequest {
    /// The bounds to put in. No authorisation may outlive `authorised_until`.
    pub bounds: Bounds,
    /// The bid.
    pub bid: Bid,
    /// The resource fee to declare.
    pub resource_fee: i64,
    /// What the simulation found.
    pub prepared: Prepared,
}

/// What is to be signed around an inner transaction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BumpRequest {
    /// Any envelope that carries the inner transaction.
    pub around: Signed,
    /// The bid.
    pub bid: Bid,
}

/// What is stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The obligation: before anything is signed. The arguments are beside the state, in whoever
    /// stores it.
    Intent {
        /// The key.
        key: IdempotencyKey,
        /// What it is to pay; `None` for a void.
        fingerprint: Option<Fingerprint>,
    },
    /// A signed envelope: before it is sent.
    Envelope {
        /// The key.
        key: IdempotencyKey,
        /// What was signed.
        signed: Signed,
    },
    /// How it ended. Nothing depends on its being stored: the ledger says the same.
    Verdict {
        /// The key.
        key: IdempotencyKey,
        /// The final state.
        phase: Phase,
        /// The record behind it.
        record: Option<Record>,
        /// The ledger as of which it holds.
        ledger: u32,
    },
    /// Which transaction paid.
    Receipt {
        /// The key.
        key: IdempotencyKey,
        /// Its hash.
        hash: TxHash,
        /// Its ledger.
        ledger: u32,
    },
}
