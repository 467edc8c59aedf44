//! What a plan is made of.

use std::collections::BTreeSet;
use std::sync::Arc;

use payout_keys::{Deployment, IdempotencyKey, ProgramId, Reference, RowId, RunName, run_key};

use crate::rows::Row;
use crate::{Line, Record};

/// A run, and where it is: all that its keys and references come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Network and contract.
    pub at: Deployment,
    /// The contract's program.
    pub program: ProgramId,
    /// The run.
    pub run: RunName,
}

impl Place {
    /// The key of slot `slot`.
    #[must_use]
    pub fn key(&self, slot: u32) -> IdempotencyKey {
        run_key(&self.program, &self.at, &self.run, slot)
    }

    /// The reference of row `id`.
    #[must_use]
    pub fn reference(&self, id: &RowId) -> Reference {
        Reference::of(&self.at, &self.run, id)
    }

    /// What a row is in a payout.
    #[must_use]
    pub fn line(&self, row: &Row) -> Line {
        Line {
            recipient: row.recipient,
            amount: row.amount,
            reference: Some(self.reference(&row.id)),
        }
    }
}

/// A slot that has a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Its place in the chain, from 0.
    pub index: u32,
    /// Its record.
    pub record: Record,
}

/// Where a list of lines comes from. It changes nothing: a list that does not reproduce the
/// fingerprint says nothing, and one that does is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The arguments of the transaction that landed.
    Transaction,
    /// Our journal.
    Journal,
    /// Receipts.
    Receipt,
    /// The next rows of the file.
    File,
}

/// A list of lines that perhaps a slot paid, or that was offered under the open one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The slot.
    pub slot: u32,
    /// Where it comes from.
    pub source: Source,
    /// The lines in their order.
    pub lines: Arc<[Line]>,
}

/// The slots of a run, from the first to the last with a record, as of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chain {
    /// Slots with a record, from 0 without a gap. The one after the last is the open slot, unless
    /// the last is void.
    pub slots: Vec<Slot>,
    /// All lists that anybody has.
    pub candidates: Vec<Candidate>,
    /// The ledger in which the open slot was seen without a record.
    pub as_of: u32,
}

/// An ended run whose paid rows a new one skips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedRun {
    /// Its name; network, contract and program are the new one's.
    pub run: RunName,
    /// Its slots.
    pub chain: Chain,
}

/// Everything that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunInput {
    /// The run.
    pub place: Place,
    /// Its slots.
    pub chain: Chain,
    /// The rows of the file that can be paid as far as the file goes.
    pub rows: Vec<Row>,
    /// Rows that cannot be paid now. They are left out of the next offer, under the same key.
    pub left_out: BTreeSet<RowId>,
    /// New ids that are to be paid though they look like ones that vanished.
    pub also: BTreeSet<RowId>,
    /// Ended runs whose paid rows are skipped.
    pub after: Vec<EndedRun>,
    /// The most rows of a batch.
    pub max_batch: usize,
}
