//! Evidence on exactly-once payouts: proves, refutes, or says that it cannot tell.
//!
//! - [`archive`]: one append-only, hash-chained file of what nodes gave.
//! - [`follow`]: fills it from nodes; reads the contract's state and records.
//! - [`model`], [`books`]: events and transactions, and what they add up to.
//! - [`checks`], [`obligations`]: the questions, each with its identifier.
//! - [`audit`]: asks them, [`report`]: says what came out; [`run`]: all of it in one call.
//!
//! `docs/audit.md` says what is proven by what.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod archive;
pub mod audit;
pub mod books;
pub mod checks;
pub mod complete;
pub mod follow;
mod listing;
pub mod model;
pub mod obligations;
pub mod report;
pub mod run;
mod verdict;

pub use listing::{Day, Listing, Notice};
pub use verdict::{Outcome, UNDETERMINED, Verdict};
