//! What a node says of the ledger: the contract's record of a key, and when it said so.

use payout_keys::Fingerprint;

/// How a key was consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// By a single payout.
    Single,
    /// By a batch.
    Batch,
    /// Asserted by somebody's import: paid elsewhere, not by this contract.
    Imported,
    /// Voided: it never pays.
    Voided,
}

/// The contract's record of a key. It is written once and never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record {
    /// How the key was consumed.
    pub kind: RecordKind,
    /// The payout's number, 0 where nothing was paid.
    pub payout_id: u64,
    /// What the payout commits to, zeros where nothing was paid.
    pub fingerprint: Fingerprint,
    /// The sum that was paid.
    pub total: i128,
    /// The ledger that wrote it.
    pub ledger: u32,
}

impl Record {
    /// Whether this contract paid under the key.
    #[must_use]
    pub fn paid(&self) -> bool {
        matches!(self.kind, RecordKind::Single | RecordKind::Batch)
    }
}

/// One of the nodes that are asked, by its place among them. Two nodes are independent if different
/// people run them; who lists them answers for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u16);

/// A closed ledger, as the answer that was read says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moment {
    /// Its number.
    pub ledger: u32,
    /// A time, in Unix seconds, at or before its close. `None` where the node told none; then
    /// nothing is proven about any `maxTime`.
    pub close_time: Option<u64>,
}

/// One look at a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    /// Who was asked.
    pub node: NodeId,
    /// The ledger whose state it is.
    pub at: Moment,
    /// The record; `None` if there is none in that state.
    pub record: Option<Record>,
}
