//! The time by which ledgers close.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::limits::TARGET_CLOSE_SECONDS;

/// Where a ledger's close time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The machine's clock, moved by `offset` seconds. Closing a ledger does not move it, so
    /// several ledgers may bear the same second. The right one for clients that set time bounds
    /// from their own clock.
    Wall {
        /// Seconds by which the ledger is ahead of the machine.
        offset: u64,
    },
    /// Time stands still between ledgers and every ledger takes five seconds: tests that must come
    /// out the same each time.
    Manual {
        /// The present, Unix seconds.
        now: u64,
    },
}

impl Default for Clock {
    fn default() -> Self {
        Self::Wall { offset: 0 }
    }
}

impl Clock {
    /// The present, Unix seconds.
    #[must_use]
    pub fn now(&self) -> u64 {
        match self {
            Self::Wall { offset } => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_secs())
                .saturating_add(*offset),
            Self::Manual { now } => *now,
        }
    }

    /// The close time of the ledger after one that closed at `previous`.
    pub(crate) fn next_close(&mut self, previous: u64) -> u64 {
        match self {
            Self::Wall { .. } => self.now().max(previous),
            Self::Manual { now } => {
                *now = previous.max(*now).saturating_add(TARGET_CLOSE_SECONDS);
                *now
            }
        }
    }

    /// Moves time on.
    pub(crate) fn advance(&mut self, seconds: u64) {
        let (Self::Wall { offset: time } | Self::Manual { now: time }) = self;
        *time = time.saturating_add(seconds);
    }
}
