//! The operating commands as an operator runs them: the built program, a local network, the real
//! Wasm. What they did is read back from the ledger.

mod help;
mod lost;
mod money;
mod roles;
mod settings;
mod upkeep;
mod world;
