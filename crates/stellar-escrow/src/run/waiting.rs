//! What a run waits for, in words: often enough for whoever watches a ledger that stands still.

use std::time::Instant;

use payout_engine::protocol::{Bounds, Obligation, Phase};

use super::outcome::past;

/// Looks after which it is said again what is waited for.
const LOOKS: u64 = 10;

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum For {
    /// What becomes of an offer.
    Offer { phase: Phase, until: Option<Bounds> },
    /// A node, for this reason.
    Node(String),
}

/// What is waited for, and since when.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Milliseconds between two words.
    every: u64,
    /// Milliseconds since the last one.
    quiet: u64,
    slot: Option<u32>,
    what: Option<For>,
    /// The newest ledger that was seen, and when it first was.
    ledger: (u32, Instant),
}

impl Waiting {
    /// For one that looks every `poll` milliseconds.
    pub(super) fn new(poll: u64) -> Self {
        Self {
            every: poll.saturating_mul(LOOKS),
            quiet: 0,
            slot: None,
            what: None,
            ledger: (0, Instant::now()),
        }
    }

    /// An offer under `slot` is driven from now on.
    pub(super) fn begin(&mut self, slot: Option<u32>) {
        self.slot = slot;
        self.what = None;
    }

    /// Where the offer stands.
    pub(super) fn see(&mut self, obligation: &Obligation) {
        let horizon = obligation.horizon();
        if horizon > self.ledger.0 {
            self.ledger = (horizon, Instant::now());
        }
        self.what = Some(For::Offer {
            phase: obligation.phase(),
            until: obligation.bounds(),
        });
    }

    /// A node is asked again, because of `why`.
    pub(super) fn node(&mut self, why: &str) {
        self.what = Some(For::Node(why.to_owned()));
    }

    /// So many milliseconds went by. Gives what is to be said of it, now and then.
    pub(super) fn slept(&mut self, milliseconds: u64) -> Option<String> {
        self.quiet = self.quiet.saturating_add(milliseconds);
        if self.quiet < self.every {
            return None;
        }
        self.quiet = 0;
        self.text()
    }

    fn text(&self) -> Option<String> {
        match self.what.as_ref()? {
            For::Node(why) => Some(format!("waiting for a node that answers: {why}")),
            For::Offer { phase, until } => {
                let slot = self
                    .slot
                    .map_or_else(String::new, |slot| format!(" of slot {slot}"));
                let (ledger, since) = self.ledger;
                let end = match until {
                    Some(_) => format!("a record, or {}", past(*until)),
                    None => "an answer; nothing is signed yet".to_owned(),
                };
                Some(format!(
                    "waiting for the outcome{slot} ({phase}): ledger {ledger} is the newest seen, for {} s; \
                     what ends it is {end}",
                    since.elapsed().as_secs()
                ))
            }
        }
    }
}
