//! A local Stellar ledger behind Stellar RPC, for development, tests and demos where there is no
//! network and no container.
//!
//! SDF's own host and simulation crates execute the real Wasm; this crate is the ledger around them:
//! entries with lifetimes, signatures, sequence numbers, fees, a queue, history, and the JSON-RPC
//! that real clients speak, with [faults](Fault) on demand.
//!
//! ```
//! use localnet::{Config, Localnet};
//!
//! let network = Localnet::start(Config::on_demand())?;
//! assert_eq!(network.latest_ledger()?, 2);
//! // Ten years later.
//! network.advance(315_360_000)?;
//! assert_eq!(network.latest_ledger()?, 2 + 63_072_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What it is not: a validator. `docs/localnet.md` lists what is faithful and what is not.

mod admin;
mod clock;
mod config;
mod faults;
mod friendbot;
mod host;
mod ledger;
mod limits;
mod localnet;
mod meta;
mod network;
mod node;
mod ops;
mod rpc;
mod server;
mod state_file;
mod tx;
mod worker;

pub use clock::Clock;
pub use config::{CloseMode, Config};
pub use faults::{
    Fault, FaultPlan, Magnitudes, Profile, Trigger, TriggerError, UnknownFault, UnknownMagnitude,
    UnknownProfile,
};
pub use limits::{BASE_FEE, BASE_RESERVE, Limits, PROTOCOL_VERSION, RETENTION_LEDGERS};
pub use localnet::{DriveError, Localnet};
pub use network::{Network, STANDALONE_PASSPHRASE};
pub use node::{PutError, TooFar};
pub use server::StartError;
pub use state_file::StateError;
pub use worker::Stopped;

/// The XDR types that this crate speaks.
pub use soroban_env_host::xdr;
