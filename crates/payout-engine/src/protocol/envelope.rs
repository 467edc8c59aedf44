//! Envelopes as the protocol sees them: hashes, bounds and what became of them.

use std::fmt;

use super::policy::Bid;
use crate::record::Moment;

/// A transaction's hash. Its text is hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TxHash(pub [u8; 32]);

impl fmt::Display for TxHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&hex::encode(self.0))
    }
}

/// How long an envelope, and what was signed beside it, can take effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The last close time that may include it, in Unix seconds.
    pub max_time: u64,
    /// The ledger bound: the first ledger that may not include it.
    pub max_ledger: u32,
    /// The last ledger in which an authorisation holds that was signed apart from the envelope and
    /// that anybody may carry. `None` if there is none.
    pub authorised_until: Option<u32>,
}

impl Bounds {
    /// Whether the ledger at `at` lies past all of it: what has not happened by then never will.
    ///
    /// A ledger whose time nobody told covers nothing.
    #[must_use]
    pub fn covered_by(&self, at: Moment) -> bool {
        at.close_time.is_some_and(|time| time > self.max_time)
            && at.ledger > self.max_ledger
            && self
                .authorised_until
                .is_none_or(|ledger| at.ledger > ledger)
    }

    /// The later of each.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            max_time: self.max_time.max(other.max_time),
            max_ledger: self.max_ledger.max(other.max_ledger),
            authorised_until: self.authorised_until.max(other.authorised_until),
        }
    }
}

/// A signed envelope: an inner transaction, or a fee bump around one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signed {
    /// The hash that a node answers with.
    pub hash: TxHash,
    /// The inner transaction's hash; the same as `hash` where there is no fee bump.
    pub inner: TxHash,
    /// The bytes that are sent.
    pub xdr: Vec<u8>,
    /// The account whose sequence number it takes: the lane.
    pub source: String,
    /// That number.
    pub sequence: i64,
    /// What it bids.
    pub bid: Bid,
    /// The resource fee that it declares, in stroops.
    pub resource_fee: i64,
    /// How long it can take effect.
    pub bounds: Bounds,
}

impl Signed {
    /// Whether it is a fee bump.
    #[must_use]
    pub fn is_bump(&self) -> bool {
        self.hash != self.inner
    }

    /// How many operations its fee is counted by.
    #[must_use]
    pub fn fee_operations(&self) -> u32 {
        if self.is_bump() { 2 } else { 1 }
    }
}

/// What the ledger made of an envelope, as a node tells it by hash. It finds receipts and tells that
/// a sequence number is used; it says nothing about payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spent {
    /// The ledger that included it.
    pub ledger: u32,
    /// Whether it succeeded.
    pub succeeded: bool,
    /// What it cost, in stroops.
    pub fee_charged: i64,
}

/// A signed envelope and what is known about it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Envelope {
    /// What was signed.
    pub signed: Signed,
    /// How often it was sent.
    pub sends: u16,
    /// The newest ledger known when it was last sent.
    pub sent_at: Option<u32>,
    /// The ledger at which a node first took it into its queue.
    pub accepted_at: Option<u32>,
    /// A node answered "try again later" after the queue's life was over: it was dropped.
    pub dropped: bool,
    /// The bid that a node asked for.
    pub asked: Option<Bid>,
    /// The node refused it with this code, which waiting does not change.
    pub refused: Option<String>,
    /// It was included.
    pub spent: Option<Spent>,
}

impl Envelope {
    /// One that was just signed.
    #[must_use]
    pub fn new(signed: Signed) -> Self {
        Self {
            signed,
            sends: 0,
            sent_at: None,
            accepted_at: None,
            dropped: false,
            asked: None,
            refused: None,
            spent: None,
        }
    }

    /// Whether a later ledger than `at` may still include it. The record has to be absent at `at`.
    #[must_use]
    pub fn may_land_after(&self, at: Moment) -> bool {
        match self.spent {
            Some(spent) => spent.ledger > at.ledger,
            None => !self.signed.bounds.covered_by(at),
        }
    }
}
