//! Why a run stops, and what to look at.

use payout_keys::{IdempotencyKey, Recipient, Reference, RowId, RunName};

use crate::{Amount, PayoutError};

/// An unpaid row that looks like a paid one that is not in the file any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The unpaid row.
    pub id: RowId,
    /// Its number in the file.
    pub number: u64,
    /// The paid one's reference.
    pub paid: Reference,
    /// The slot that paid it.
    pub slot: u32,
    /// The wallet of both.
    pub recipient: Recipient,
    /// The amount of both.
    pub amount: Amount,
}

impl std::fmt::Display for Pair {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "row {} ({}) has {} units for {}, and so had reference {}, paid in slot {}",
            self.number, self.id, self.amount, self.recipient, self.paid, self.slot
        )
    }
}

/// Pairs that are named one by one in a message; the error has all.
const NAMED: usize = 20;

fn listed(pairs: &[Pair]) -> String {
    let named: Vec<String> = pairs.iter().take(NAMED).map(Pair::to_string).collect();
    let more = match pairs.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    named.join("; ") + &more
}

/// A typed stop. Nothing is offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Halt {
    /// Nothing reproduces a slot's record, so nobody knows which rows it paid.
    #[error(
        "slot {slot} of run {run} paid {total} units in ledger {ledger}, and no list reproduces \
         what it paid. Look for the transaction of key {key}, for the journal or the receipts of \
         the machine that paid it, or for the file as it was"
    )]
    Unexplained {
        /// The run.
        run: RunName,
        /// The slot.
        slot: u32,
        /// Its key.
        key: IdempotencyKey,
        /// The ledger that wrote the record.
        ledger: u32,
        /// What was paid.
        total: i128,
    },
    /// A slot's key was imported: somebody says that it was paid elsewhere.
    #[error(
        "the key of slot {slot} of run {run} was imported as already used, so nobody knows what it \
         paid; use another run name, with --after nothing, only if you know"
    )]
    ImportedSlot {
        /// The run.
        run: RunName,
        /// The slot.
        slot: u32,
    },
    /// New ids look like paid ones that vanished from the file.
    #[error(
        "{} unpaid rows have the wallet and amount of paid rows that are not in the file any more; \
         if they are other obligations, name each with --also: {}",
        .pairs.len(), listed(.pairs)
    )]
    Twins {
        /// Each unpaid row with each paid one that it looks like.
        pairs: Vec<Pair>,
    },
    /// Two ids with one reference.
    #[error("ids {first} and {second} have one reference; give one of them another id")]
    ReferenceCollision {
        /// One.
        first: RowId,
        /// The other.
        second: RowId,
    },
    /// An id twice.
    #[error("id {id} is in the rows twice; remove one")]
    IdTwice {
        /// The id.
        id: RowId,
    },
    /// One row is in two slots: the chain was not paid by this program.
    #[error(
        "reference {reference} was paid in slot {first} and in slot {second}; somebody paid under \
         these keys by other rules. Stop and audit"
    )]
    PaidTwice {
        /// The reference.
        reference: Reference,
        /// One slot.
        first: u32,
        /// The other.
        second: u32,
    },
    /// A run to come after has not ended.
    #[error("run {run} has not ended; close it first, or its rows may be paid in both")]
    NotEnded {
        /// Its name.
        run: RunName,
    },
    /// A run that is to come after itself.
    #[error("run {run} cannot come after itself")]
    AfterItself {
        /// Its name.
        run: RunName,
    },
    /// Slots that are not 0, 1, 2 and so on, or go on behind a void.
    #[error(
        "slot {found} was read where slot {expected} was due; read the chain again from the first \
         slot, from one node"
    )]
    BrokenChain {
        /// What was due.
        expected: u32,
        /// What was there.
        found: u32,
    },
    /// A limit of nothing.
    #[error("a batch of at most 0 rows pays nobody; use 1 or more")]
    NoBatch,
    /// Rows that are no payout.
    #[error(transparent)]
    Payout(#[from] PayoutError),
}
