//! What is to be paid, and how it ended.

use std::collections::{BTreeMap, BTreeSet};

use payout_keys::{RowId, RunName};

use crate::Payout;
use crate::ports::Unanswered;
use crate::protocol::{Answer, Policy, Refusal};
use crate::record::Record;
use crate::rows::Row;
use crate::run::{Candidate, Halt, Offer, Place, Plan};

/// A run to be paid.
#[derive(Debug, Clone)]
pub struct RunOrder {
    /// The run, and where it is.
    pub place: Place,
    /// The rows that can be paid as far as the file goes.
    pub rows: Vec<Row>,
    /// Rows that cannot be paid now.
    pub left_out: BTreeSet<RowId>,
    /// Ids that are to be paid though they look like paid ones that vanished.
    pub also: BTreeSet<RowId>,
    /// Every ended run whose paid rows are skipped.
    pub after: Vec<RunName>,
    /// Lists from elsewhere that perhaps explain a slot: receipts.
    pub known: Vec<Candidate>,
    /// The most rows of a batch.
    pub max_batch: usize,
    /// Patience and ceilings.
    pub policy: Policy,
}

/// Whoever answers for the rows, and hears how it goes.
#[allow(async_fn_in_trait, reason = "as the ports")]
pub trait Clerk {
    /// Which lines of `payout` are why it was refused, by their place, and why. None where the fault is
    /// not in the lines.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn at_fault(
        &mut self,
        refusal: &Refusal,
        payout: &Payout,
    ) -> Result<BTreeMap<usize, String>, Unanswered>;

    /// An offer that was signed before under the open slot is found out about first: what it pays, `None`
    /// for a void.
    fn found(&mut self, _slot: u32, _payout: Option<&Payout>) {}

    /// A plan was made: so many rows are paid.
    fn planned(&mut self, paid: usize);

    /// An offer was paid.
    fn paid(&mut self, offer: &Offer, record: &Record);
}

/// A clerk that knows nothing of the rows: a refused batch stops the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoClerk;

impl Clerk for NoClerk {
    async fn at_fault(
        &mut self,
        _refusal: &Refusal,
        _payout: &Payout,
    ) -> Result<BTreeMap<usize, String>, Unanswered> {
        Ok(BTreeMap::new())
    }

    fn planned(&mut self, _paid: usize) {}

    fn paid(&mut self, _offer: &Offer, _record: &Record) {}
}

/// Why a run came to rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// Every row is paid or skipped.
    Complete,
    /// The rest cannot be paid now. The same run goes on when they can.
    LeftOver,
    /// A void ended it. What is not paid is finally not paid under it.
    Ended {
        /// The void slot.
        slot: u32,
    },
    /// It cannot be known which rows were paid, or which are meant.
    Halted(Halt),
    /// It would restore archived entries, and nobody has agreed to pay for that.
    NeedsConsent {
        /// How many.
        entries: u32,
        /// The resource fee with them, in stroops.
        resource_fee: i64,
    },
    /// An offer stopped: its answer names the key to go on with, and what is known.
    Stopped {
        /// The slot.
        slot: u32,
        /// The answer.
        answer: Answer,
    },
    /// The chain could not be read; nothing was sent since.
    Unread(String),
    /// What the machine remembers could not be read; nothing was sent.
    Store(String),
}

/// How a run came to rest, and what is known of each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunReport {
    /// Why.
    pub end: RunEnd,
    /// The last plan, made after the last reading. `None` where none could be made.
    pub plan: Option<Plan>,
    /// The rows, as they came.
    pub rows: Vec<Row>,
    /// Why each row was left out that the chain refused.
    pub reasons: BTreeMap<RowId, String>,
    /// The ledger of the last reading.
    pub as_of: u32,
}

impl RunReport {
    pub(super) fn of(end: RunEnd) -> Self {
        Self {
            end,
            plan: None,
            rows: Vec::new(),
            reasons: BTreeMap::new(),
            as_of: 0,
        }
    }
}
