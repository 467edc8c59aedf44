//! Tests of the compiled Wasm on the host as the network runs it: recorded footprint, the network's
//! limits, its fees. What a native run does not show, shows here: module costs, the return value
//! among the emitted bytes, the size of ledger keys.

mod archival;
mod attacks;
mod costs;
mod instance_layout;
mod limits;
mod network;
mod rent;
mod scene;
mod upgrade;
