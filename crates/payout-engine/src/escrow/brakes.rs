//! Pause, breaker, outflow limit and guardian.

use payout_keys::Recipient;
use stellar_xdr::ScVal;

use crate::ledger::Malformed;
use crate::ledger::value::Fields;

/// A limit on the flow of payouts, in the token's smallest unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutflowLimit {
    /// The bucket's size.
    pub capacity: i128,
    /// What flows back into it each second.
    pub refill_per_second: i128,
    /// The most that one recipient may get in a payout.
    pub max_payout: i128,
    /// What was in the bucket at `refilled_at`.
    stored: i128,
    /// When that was, in Unix seconds.
    refilled_at: u64,
}

impl OutflowLimit {
    /// What the bucket has at `now`, in Unix seconds.
    #[must_use]
    pub fn available(&self, now: u64) -> i128 {
        let seconds = i128::from(now.saturating_sub(self.refilled_at));
        let refill = self.refill_per_second.saturating_mul(seconds);
        self.stored.saturating_add(refill).min(self.capacity)
    }
}

/// What stops or slows payouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brakes {
    /// Who may pause and trip.
    pub guardian: Option<Recipient>,
    /// Whether locking is paused.
    pub lock_paused: bool,
    /// Whether paying is paused.
    pub payout_paused: bool,
    /// Whether the breaker is open: nothing is paid.
    pub breaker_open: bool,
    /// Why it was tripped, empty after a reset.
    pub reason: String,
    /// Who tripped or reset it last.
    pub actor: Option<Recipient>,
    /// When, in Unix seconds; 0 before the first time.
    pub since: u64,
    /// The outflow limit, if there is one.
    pub limit: Option<OutflowLimit>,
}

impl Brakes {
    pub(super) fn parse(value: &ScVal) -> Result<Self, Malformed> {
        let fields = Fields::of("the brakes' entry", value)?;
        let limit = OutflowLimit {
            capacity: fields.get("capacity")?,
            refill_per_second: fields.get("refill_per_second")?,
            max_payout: fields.get("max_payout")?,
            stored: fields.get("available")?,
            refilled_at: fields.get("refilled_at")?,
        };
        Ok(Self {
            guardian: fields.get("guardian")?,
            lock_paused: fields.get("lock_paused")?,
            payout_paused: fields.get("payout_paused")?,
            breaker_open: fields.get("open")?,
            reason: fields.get("reason")?,
            actor: fields.get("actor")?,
            since: fields.get("since")?,
            // Without a limit the contract's fields read zero.
            limit: (limit.max_payout > 0).then_some(limit),
        })
    }

    /// Brakes with these limits alone, for tests of what is judged by them.
    #[cfg(test)]
    pub(crate) fn with_limit(capacity: i128, max_payout: i128, available: i128) -> Self {
        Self {
            guardian: None,
            lock_paused: false,
            payout_paused: false,
            breaker_open: false,
            reason: String::new(),
            actor: None,
            since: 0,
            limit: (max_payout > 0).then_some(OutflowLimit {
                capacity,
                refill_per_second: 1,
                max_payout,
                stored: available,
                refilled_at: 100,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_refills_to_its_capacity_and_not_beyond() {
        let limit = Brakes::with_limit(50, 20, 5).limit.expect("a limit");
        for (now, available) in [(0, 5), (100, 5), (101, 6), (145, 50), (u64::MAX, 50)] {
            assert_eq!(limit.available(now), available, "at {now}");
        }
        let fast = OutflowLimit {
            refill_per_second: i128::MAX,
            capacity: i128::MAX,
            ..limit
        };
        assert_eq!(fast.available(1_000), i128::MAX);
    }

    #[test]
    fn no_limit_is_no_limit() {
        assert_eq!(Brakes::with_limit(0, 0, 0).limit, None);
    }
}
