//! The submission protocol of exactly-once payouts, and what it stands on.
//!
//! - [`protocol`]: one obligation under one key, as a pure state machine.
//! - [`run`]: a file paid slot by slot, planned from what was read.
//! - [`rows`]: the file's rows, judged.
//! - [`journal`]: what has to survive a crash.
//! - [`rpc`]: a thin client of Stellar RPC.
//! - [`envelope`]: transactions built, signed and bumped; the contract's calls and record.
//! - [`transaction`]: one transaction that is not a payout, to its verdict.
//!
//! `docs/engine.md` has the rules and where each lives.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod envelope;
pub mod journal;
mod payout;
pub mod protocol;
mod record;
pub mod rows;
pub mod rpc;
pub mod run;
pub mod transaction;

pub use payout::{Amount, Line, Payout, PayoutError};
pub use record::{Moment, NodeId, Record, RecordKind, View};
