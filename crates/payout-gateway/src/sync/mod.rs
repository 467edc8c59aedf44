//! The sync plane: carries orders to the chain and brings the verdicts back.
//!
//! It runs on a thread of its own: the engine's ports are made for one thread, so that a simulated
//! ledger fits behind them.

mod events;
mod job;
mod lanes;
mod ports;
mod reconcile;
mod seal;
mod thread;
mod verdict;
mod watch;
mod worker;

pub(crate) use lanes::Secrets;
pub(crate) use thread::{Settings, Sync};
