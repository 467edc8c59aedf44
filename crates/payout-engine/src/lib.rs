//! The submission protocol of exactly-once payouts, and what it stands on.
//!
//! - [`protocol`]: one obligation under one key, as a pure state machine.
//! - [`run`]: a file paid slot by slot, planned from what was read.
//! - [`payer`]: reads, plans and offers until a run is paid.
//! - [`rows`]: the file's rows, judged.
//! - [`journal`]: what has to survive a crash.
//! - [`ports`]: what all that asks of the world; [`driver`] carries it out.
//! - [`nodes`]: the network port on nodes that speak Stellar RPC.
//! - [`rpc`]: a thin client of Stellar RPC.
//! - [`escrow`]: the facts of a deployment.
//! - [`preflight`]: who can be paid now, and what it costs.
//! - [`ledger`]: entries read in pages.
//! - [`envelope`]: transactions built, signed and bumped; the contract's calls and record.
//! - [`approval`]: an offer that several people sign before it is sent.
//! - [`transaction`]: one transaction that is not a payout, to its verdict.
//!
//! `docs/engine.md` has the rules and where each lives.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod approval;
pub mod driver;
pub mod envelope;
pub mod escrow;
pub mod journal;
pub mod ledger;
pub mod nodes;
mod own_file;
pub mod payer;
mod payout;
pub mod ports;
pub mod preflight;
pub mod protocol;
mod record;
pub mod rows;
pub mod rpc;
pub mod run;
pub mod transaction;
mod utc;

pub use own_file::{make_own_file, new_own_file};
pub use payout::{Amount, Line, Payout, PayoutError};
pub use record::{Moment, NodeId, Record, RecordKind, View};
pub use utc::Utc;
