//! The operating commands as an operator runs them: the built program, a local network, the real
//! Wasm. What they did is read back from the ledger.

mod approve;
mod audit;
mod help;
mod lost;
mod money;
mod nodes;
mod plugin;
mod roles;
mod settings;
mod upkeep;
#[path = "../world/mod.rs"]
mod world;
