//! A file, two machines, and a chain of slots.
//!
//! The plans are the real [`payout_engine::run::plan`]'s. Machines read the chain, all of it or without
//! its newest slot, plan and offer; an offer may land at any later time, in any order, or never. Files are
//! edited, journals lost, nodes forget arguments, and the run is closed by a void.
//!
//! A change that takes a rule out works on what the planner is given, or on what is done with its
//! decision.

mod chain;
mod change;
mod file;
mod machine;
mod model;
mod settle;
mod tests;

use std::collections::BTreeSet;

use chain::{Chain, Offered};
use payout_keys::RowId;

/// A rule taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Change {
    /// Nothing: the planner as it is.
    Nothing,
    /// The contract's fingerprint is of wallets and amounts alone.
    NoReferences,
    /// Journals keep wallets and amounts, and whose they were is looked up in the file.
    JournalWithoutIds,
    /// A journal's entry for a slot is believed without comparing its fingerprint.
    JournalBelieved,
    /// The slot after one's own open offer is planned as if that had landed.
    NextSlotWhileOpen,
    /// What is not paid when one's own offers have run out is reported as finally not paid.
    OwnExpiryIsFinal,
    /// A row a key of its own, or a chain of slots, whichever one sees first.
    ModeByLooking,
    /// An unpaid row that looks like a vanished one is paid without asking.
    TwinsPaid,
    /// A void is one more slot, and the next one is planned.
    PastTheVoid,
}

/// The model and its bounds.
#[derive(Debug, Clone)]
struct Run {
    change: Change,
    /// How often a file is edited, a journal lost, arguments forgotten, the run closed.
    mishaps: u8,
    plans: machine::Plans,
}

/// Everything there is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    chain: Chain,
    machines: [Machine; 2],
    mishaps: u8,
    /// Nodes still have the arguments of what landed.
    arguments: bool,
    /// A void of the open slot is on its way.
    void: Option<u32>,
    /// Rows that somebody was told are finally not paid.
    told_unpaid: BTreeSet<RowId>,
}

/// A machine, its edition of the file and its journal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Machine {
    edition: usize,
    journal: BTreeSet<Offered>,
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// A machine reads, without the newest `behind` slots, plans and offers.
    Offer { machine: usize, behind: usize },
    /// The n-th late offer lands.
    Land(usize),
    /// The n-th late offer runs out. Where no rule depends on that, an offer that never lands shows as much.
    Expire(usize),
    /// The void lands.
    LandVoid,
    /// A machine's file is replaced by another edition.
    Edit { machine: usize, edition: usize },
    /// A machine's journal is lost.
    Lose(usize),
    /// No node has the arguments of what landed any more.
    Forget,
    /// The run is closed: its open slot is to be voided.
    Close(usize),
    /// A machine reads, plans and reports what it takes for final.
    Report(usize),
}
