//! The machine it runs on: its clock, its randomness, and whoever watches.

use std::time::Duration;

use crate::journal::Intent;
use crate::protocol::{Jitter, Obligation};

/// Waits, draws, and hears how it goes.
#[allow(async_fn_in_trait, reason = "as Network")]
pub trait Host {
    /// Waits so many milliseconds.
    async fn sleep(&mut self, milliseconds: u64);

    /// Randomness that spreads retries.
    fn jitter(&mut self) -> Jitter;

    /// Whether `entries` archived entries may be restored, for a resource fee of `resource_fee`
    /// stroops.
    fn consent(&mut self, entries: u32, resource_fee: i64) -> bool;

    /// Hears what is driven from now on.
    fn begin(&mut self, _intent: &Intent) {}

    /// Hears of every step.
    fn watch(&mut self, obligation: &Obligation);

    /// Hears why it waits before it asks a node again, apart from any offer.
    fn waits(&mut self, _why: &str) {}
}

/// This machine, without anybody watching. Restores are paid for if they were agreed to beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct System {
    /// Whether restores are agreed to.
    pub restores: bool,
}

impl Host for System {
    async fn sleep(&mut self, milliseconds: u64) {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }

    fn jitter(&mut self) -> Jitter {
        let mut bytes = [0; 2];
        // Retries that are not spread are slower, not wrong.
        let _ = getrandom::getrandom(&mut bytes);
        Jitter(u16::from_be_bytes(bytes))
    }

    fn consent(&mut self, _entries: u32, _resource_fee: i64) -> bool {
        self.restores
    }

    fn watch(&mut self, _obligation: &Obligation) {}
}
