//! The local network as its clients see it: everything goes over HTTP.

#![allow(
    clippy::similar_names,
    clippy::needless_pass_by_value,
    reason = "tests read better with short names and JSON written in place"
)]

mod common;

mod archival;
mod differential;
mod escrow;
mod events;
mod faults;
mod hostile;
mod limits;
mod modes;
mod operations;
mod queue;
mod rpc;
mod state;
mod validity;
