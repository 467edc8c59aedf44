//! Brakes: pause, circuit breaker, outflow limit, and the guardian who may pull the first two.
//!
//! On Soroban a failing call rolls back everything it wrote, so nothing here counts failures:
//! a watcher that sees them is a guardian (`docs/adr/0004-breaker.md`).

pub(crate) mod breaker;
pub(crate) mod guardian;
pub(crate) mod outflow;
pub(crate) mod pause;

use soroban_sdk::{Env, String, panic_with_error};

use crate::error::Error;

/// Longest reason, in bytes.
const MAX_REASON: u32 = 128;

/// # Errors
/// [`Error::ReasonTooLong`].
fn require_short(env: &Env, reason: &String) {
    if reason.len() > MAX_REASON {
        panic_with_error!(env, Error::ReasonTooLong);
    }
}
