//! What was met, to know that a number of schedules is about something.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

/// What schedules of runs have to meet.
const OF_RUNS: [&str; 18] = [
    "polls",
    "ledgers",
    "kills",
    "journals lost",
    "backups restored",
    "payments",
    "payments by strangers",
    "replays",
    "failed transactions",
    "fee bumps included",
    "voids",
    "stops",
    "slots lost",
    "complete",
    "left over",
    "ended",
    "twins",
    "unexplained",
];

/// What schedules of orders have to meet.
const OF_ORDERS: [&str; 12] = [
    "polls",
    "ledgers",
    "kills",
    "backups restored",
    "payments",
    "payments by strangers",
    "failed transactions",
    "fee bumps included",
    "voids",
    "stops",
    "complete",
    "finally unpaid",
];

/// Counts by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    pub(super) fn count(&mut self, what: &'static str) {
        self.add(what, 1);
    }

    pub(super) fn add(&mut self, what: &'static str, number: usize) {
        *self.0.entry(what).or_default() += u64::try_from(number).unwrap_or_default();
    }

    /// What was never met.
    pub(crate) fn unmet(&self, kind: super::Kind) -> Vec<&'static str> {
        let wanted: &[&str] = match kind {
            super::Kind::Run => &OF_RUNS,
            super::Kind::Orders => &OF_ORDERS,
        };
        let met = |what: &&&str| self.0.get(**what).is_none_or(|count| *count == 0);
        wanted.iter().filter(met).copied().collect()
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for (what, number) in other.0 {
            *self.0.entry(what).or_default() += number;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = self.0.iter();
        if let Some((what, number)) = counts.next() {
            write!(out, "{what} {number}")?;
        }
        counts.try_for_each(|(what, number)| write!(out, ", {what} {number}"))
    }
}
