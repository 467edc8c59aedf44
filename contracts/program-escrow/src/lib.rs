//! `program-escrow`: money from a program's escrow reaches each recipient exactly once.
//!
//! One instance holds one program and one token. Every payout has an idempotency key; a key that
//! was consumed answers and pays nothing, whatever is retried, duplicated, delayed or restored.
//!
//! | Module | Idea |
//! | --- | --- |
//! | [`contract`] | the entrypoints, thin; admin and upgrade are `OpenZeppelin`'s |
//! | `payout`, `batch`, `fingerprint` | a payout step by step; what it may ask for; what it commits to |
//! | `idempotency`, `legacy` | consumed keys, in four namespaces, three of them of earlier layouts |
//! | `life`, `funds`, `token` | Draft, Active, Closed; money in and out; the only door to the token |
//! | `roles`, `delegates` | who may do what |
//! | `brakes` | pause, circuit breaker, outflow limit, guardian |
//! | [`storage`], [`types`], [`event`], [`error`] | the schemas |

#![no_std]
// Native builds exist for tests only, and there the SDK registers contracts by code that it marks as
// unsafe. What is deployed has none.
#![cfg_attr(target_family = "wasm", forbid(unsafe_code))]

mod batch;
mod brakes;
pub mod contract;
mod delegates;
pub mod error;
pub mod event;
mod fingerprint;
mod funds;
mod idempotency;
pub mod legacy;
mod life;
mod payout;
mod roles;
pub mod storage;
mod token;
pub mod types;

pub use contract::{ProgramEscrow, ProgramEscrowClient};
pub use error::Error;

use soroban_sdk::contractmeta;

contractmeta!(
    key = "Description",
    val = "Escrow of one program that pays each recipient exactly once, whatever is retried."
);
// SEP-47: which SEPs this contract follows. SEP-49: upgrades, by `binver` and `upgrade`.
contractmeta!(key = "sep", val = "46,47,48,49");
contractmeta!(key = "binver", val = env!("CARGO_PKG_VERSION"));

#[cfg(any(test, feature = "testutils"))]
extern crate std;
#[cfg(test)]
mod test_batch_operations;
#[cfg(test)]
mod tests;
#[cfg(any(test, feature = "testutils"))]
pub mod testutils;
