//! A thin client of Stellar RPC.
//!
//! It hides nothing: every status is distinct, the hash is known before anything is sent, and the
//! ledgers that a node knows are part of every answer that has them. It never tries again by
//! itself; the protocol decides that.

mod client;
mod convert;
mod error;
mod history;
mod numbers;
mod records;
mod wire;

pub use client::{Client, Options};
pub(crate) use convert::{LIMITS, at};
pub use convert::{fate, market, refusal, send_answer, simulation};
pub use error::RpcError;
pub use history::ClosedLedger;
pub use records::{MOST_ENTRIES, Records};
pub use wire::{
    Distribution, Event, EventFilter, Events, EventsFrom, FeeStats, Health, LatestLedger,
    LedgerEntries, LedgerEntry, Network, Sent, Simulated, SimulationSuccess, Transaction,
    TransactionStatus,
};
