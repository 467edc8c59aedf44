//! How a local network is set up.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use crate::clock::Clock;
use crate::faults::FaultPlan;
use crate::limits::RETENTION_LEDGERS;
use crate::network::STANDALONE_PASSPHRASE;

/// When ledgers close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseMode {
    /// Only when told to.
    OnDemand,
    /// Inside `sendTransaction`, so that a client finds its result at the first look. What had to
    /// wait (a fault, a full ledger) gets a ledger every second until it is gone.
    AtOnce,
    /// Every so many seconds.
    Every {
        /// Seconds between two ledgers, at least 1.
        seconds: u64,
    },
}

/// How a local network is set up. The default is a fresh network on a free loopback port whose
/// ledgers close at once.
#[derive(Clone, Debug)]
pub struct Config {
    /// The network's passphrase.
    pub passphrase: String,
    /// Where to listen. Port 0 takes a free one.
    pub address: SocketAddr,
    /// When ledgers close.
    pub close: CloseMode,
    /// Where their time comes from.
    pub clock: Clock,
    /// Ledgers that are kept for `getTransaction`, `getEvents`, `getLedgers`.
    pub retention: u32,
    /// Faults from the start.
    pub faults: FaultPlan,
    /// Seed of everything random: faults, and the numbers that contracts see in simulations.
    pub seed: u64,
    /// Where the state is loaded from, if the file is there, and saved to when the network stops.
    pub state: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            passphrase: STANDALONE_PASSPHRASE.to_owned(),
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            close: CloseMode::AtOnce,
            clock: Clock::default(),
            retention: RETENTION_LEDGERS,
            faults: FaultPlan::default(),
            seed: 0,
            state: None,
        }
    }
}

impl Config {
    /// For tests: ledgers close only when told to and take five seconds each, from a fixed time on.
    #[must_use]
    pub fn on_demand() -> Self {
        Self {
            close: CloseMode::OnDemand,
            // 2026-01-01T00:00:00Z.
            clock: Clock::Manual { now: 1_767_225_600 },
            ..Self::default()
        }
    }
}
