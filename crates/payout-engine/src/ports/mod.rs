//! What the engine asks of the world: the network, a store, a signer, and the machine it runs on.
//!
//! The protocol decides, a [`driver`](crate::driver) carries its effects out through these. What is
//! behind them is exchangeable: nodes on the internet, or a simulated ledger that loses every third
//! answer.

mod host;
mod keys;
mod network;
mod signer;
mod store;

pub use host::{Host, System};
pub use keys::Keys;
pub use network::{Landed, Network, Rehearsal, Unanswered};
pub use signer::{Signer, Unsigned};
pub use store::{RunStore, Store, Unstored};
