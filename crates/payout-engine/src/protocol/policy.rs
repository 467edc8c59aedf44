//! How patient, and how generous.

/// What is offered for being included, in stroops for each operation. A fee bump counts as one
/// operation more than what it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bid(pub u32);

impl Bid {
    /// The least that any node takes.
    pub const MIN: Self = Self(100);
    /// What replaces a transaction that is queued, in multiples of what it bid.
    pub const REPLACES: u32 = 10;

    /// Ten times as much, or the most there is.
    #[must_use]
    pub fn tenfold(self) -> Self {
        Self(self.0.saturating_mul(Self::REPLACES))
    }
}

/// The rules of thumb of one obligation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Policy {
    /// `maxTime` is the node's close time and this, in seconds; at least
    /// [`Policy::MIN_WINDOW`].
    pub window: u64,
    /// `maxLedger` is the node's ledger and this.
    pub ledgers: u32,
    /// How many ledgers a node may be behind when a restored journal's first look is answered. What an
    /// earlier us signed on a newer ledger lives that much longer.
    pub behind: u32,
    /// The same in seconds. A node that is 30 seconds behind still calls itself healthy.
    pub behind_time: u64,
    /// The ceiling for bids.
    pub max_bid: Bid,
    /// The ceiling for the resource fee, in stroops. Where it is too low nothing is signed.
    pub max_resource_fee: i64,
    /// Added to the simulated resource fee, in percent. What is not used comes back.
    pub margin: u32,
    /// Whether the payout may restore archived entries without asking.
    pub restores: bool,
    /// Ledgers between two sendings of the same bytes.
    pub resend_after: u32,
    /// Ledgers in a queue before a higher bid is thought of.
    pub bump_after: u32,
    /// How often the same bytes are sent.
    pub max_sends: u16,
    /// How many envelopes are signed one after the other, fee bumps not counted.
    pub max_attempts: u16,
    /// How many calls without progress end in a typed stop.
    pub max_tries: u16,
    /// Milliseconds between two looks.
    pub poll: u64,
    /// The longest wait between two tries, in milliseconds.
    pub max_wait: u64,
}

impl Policy {
    /// The shortest window, in seconds: rule 6.
    pub const MIN_WINDOW: u64 = 180;
    /// Ledgers after which the network drops what it has queued.
    pub const QUEUE_LIFE: u32 = 4;

    /// Looks at a ledger that stands still, after which the same bytes are sent again.
    pub const RESEND_TRIES: u16 = 3;

    /// The window in force.
    #[must_use]
    pub fn window(&self) -> u64 {
        self.window.max(Self::MIN_WINDOW)
    }

    /// A simulated resource fee with its margin.
    #[must_use]
    pub fn resource_fee(&self, simulated: i64) -> i64 {
        let percent = i128::from(self.margin) + 100;
        let fee = i128::from(simulated.max(0)) * percent / 100;
        i64::try_from(fee).unwrap_or(i64::MAX)
    }

    /// How long to wait after `tries` calls in a row without progress: doubling, bounded, and
    /// between half of it and all of it by `jitter`.
    #[must_use]
    pub fn wait(&self, tries: u16, jitter: Jitter) -> u64 {
        let doubled = self.poll.saturating_mul(1 << tries.min(16));
        let most = doubled.min(self.max_wait).max(1);
        let half = most / 2;
        half + (most - half).saturating_mul(u64::from(jitter.0)) / u64::from(u16::MAX)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            window: 300,
            ledgers: 90,
            behind: 24,
            behind_time: 120,
            max_bid: Bid(10_000_000),
            max_resource_fee: 100_000_000,
            margin: 20,
            restores: false,
            resend_after: 2,
            bump_after: 2,
            max_sends: 20,
            max_attempts: 4,
            max_tries: 12,
            poll: 1_000,
            max_wait: 15_000,
        }
    }
}

/// Randomness that spreads retries, drawn outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Jitter(pub u16);
