//! The payout gateway: a service that a platform's backend calls, exactly once from the HTTP request
//! to the chain and back.
//!
//! - The **serving** plane stores an order in one transaction with its key and audit row, and gives
//!   the same order to every repeated request.
//! - The **sync** plane drives orders through the engine and records what the contract's records say.
//! - The **control** plane voids, retries, refunds and reconciles, each under a key of its own.
//!
//! `docs/gateway.md` is for whoever uses and operates it.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod audit;
mod auth;
mod chain;
mod clock;
mod config;
mod control;
mod gateway;
mod health;
mod http;
mod ids;
mod metrics;
mod openapi;
mod pages;
mod problem;
mod serving;
mod states;
mod store;
mod sync;

pub use audit::{ArchiveError, Archived, Verdict, VerifyError};
pub use auth::{KeyInfo, NewKey, Scope, ScopeError};
pub use config::{
    Config, ConfigError, HeadersRef, KeyConfig, LaneConfig, LimitConfig, NetworkConfig, NodeConfig,
    PolicyConfig, ProgramConfig, SecretRef, WorkerConfig,
};
pub use gateway::{Gateway, Means, StartError};
pub use openapi::openapi_json;
pub use problem::problem_table;
pub use states::{State, TRANSITIONS, Transition, state_table, transition_table};
pub use store::{Kind, Store, StoreError};
