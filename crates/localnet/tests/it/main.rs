//! The local network as its clients see it: everything goes over HTTP.

mod common;

mod archival;
mod differential;
mod escrow;
mod events;
mod faults;
mod hostile;
mod operations;
mod queue;
mod rpc;
mod state;
mod validity;
