//! A file paid slot by slot, planned from what was read.
//!
//! A **run** is one chain of slots. The key of slot `i` comes from network, contract, run and `i`,
//! and from nothing of the content, so every machine with any edition of the file offers under the
//! same key, and the contract takes one offer a slot. Which rows a slot paid is known when a list of
//! lines **reproduces** its record's fingerprint, wherever the list comes from. Only then the next
//! slot is planned, so a row that was paid is never offered again.
//!
//! Nothing here reads or writes anything. [`plan`] takes what was read, and gives a [`Plan`] or a
//! typed [`Halt`].

mod batch;
mod explain;
mod halt;
mod input;
mod plan;
mod twins;

pub use explain::{Found, PaidSlot};
pub use halt::{Halt, Pair};
pub use input::{Candidate, Chain, EndedRun, Place, RunInput, Slot, Source};
pub use plan::{Decision, Difference, Offer, Plan, Planner, RowState, RowView, plan};
