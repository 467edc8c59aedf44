//! The protocol, checked exhaustively within bounds.
//!
//! [`obligation`] plays one order with the real [`payout_engine::protocol::step`], [`run`] a file with
//! the real [`payout_engine::run::plan`]. Each has changes that take one rule out; the checker has to
//! find what the rule prevents. `docs/proofs.md` says what this proves and what it does not.
#![forbid(unsafe_code)]

mod obligation;
mod run;
