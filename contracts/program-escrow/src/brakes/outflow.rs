//! The outflow limit: a token bucket over payouts, in the token's smallest unit. `max_payout`
//! bounds each recipient's amount, the bucket the flow.

use soroban_sdk::{Env, panic_with_error};

use crate::error::Error;
use crate::event::{OutflowLimitSetEvent, VERSION};
use crate::roles;
use crate::storage::{self, Brakes};
use crate::types::OutflowLimit;

/// Sets or removes the limit. A new limit starts full; a change refills first, then clamps.
///
/// # Authorization
/// The admin.
///
/// # Errors
/// [`Error::InvalidOutflowLimit`] unless `capacity >= max_payout > 0` and `refill_per_second >= 0`.
///
/// # Events
/// `OutLimit`; none when it is the limit already.
pub(crate) fn set(env: &Env, limit: Option<OutflowLimit>) {
    let program = storage::program(env);
    let actor = roles::require_admin(env);
    if let Some(limit) = &limit {
        let valid = limit.max_payout > 0
            && limit.capacity >= limit.max_payout
            && limit.refill_per_second >= 0;
        if !valid {
            panic_with_error!(env, Error::InvalidOutflowLimit);
        }
    }
    let mut brakes = storage::brakes(env);
    if limit == self::limit(&brakes) {
        return;
    }
    let carried = available(env, &brakes);
    // Without a limit the fields read zero, so equal states are equal bytes.
    let next = limit.clone().unwrap_or(OutflowLimit {
        capacity: 0,
        refill_per_second: 0,
        max_payout: 0,
    });
    brakes.available = carried.map_or(next.capacity, |carried| carried.min(next.capacity));
    brakes.refilled_at = env.ledger().timestamp();
    brakes.capacity = next.capacity;
    brakes.refill_per_second = next.refill_per_second;
    brakes.max_payout = next.max_payout;
    storage::set_brakes(env, &brakes);
    OutflowLimitSetEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
        limit,
    }
    .publish(env);
}

/// A limit lets at least one unit through, so a zero says that there is none.
fn is_set(brakes: &Brakes) -> bool {
    brakes.max_payout > 0
}

/// The limit, if one is set.
pub(crate) fn limit(brakes: &Brakes) -> Option<OutflowLimit> {
    is_set(brakes).then_some(OutflowLimit {
        capacity: brakes.capacity,
        refill_per_second: brakes.refill_per_second,
        max_payout: brakes.max_payout,
    })
}

/// What is in the bucket now; None without a limit.
pub(crate) fn available(env: &Env, brakes: &Brakes) -> Option<i128> {
    is_set(brakes).then(|| {
        let seconds = env.ledger().timestamp().saturating_sub(brakes.refilled_at);
        let refill = brakes.refill_per_second.saturating_mul(i128::from(seconds));
        brakes.available.saturating_add(refill).min(brakes.capacity)
    })
}

/// # Errors
/// [`Error::PayoutTooLarge`] when one amount is above the limit's `max_payout`.
pub(crate) fn require_payout_size(env: &Env, brakes: &Brakes, largest: i128) {
    if is_set(brakes) && largest > brakes.max_payout {
        panic_with_error!(env, Error::PayoutTooLarge);
    }
}

/// Takes a batch's total, once, and tells whether the bucket has to be written.
///
/// # Errors
/// [`Error::OutflowLimitExceeded`]; nothing latches.
pub(crate) fn take(env: &Env, brakes: &mut Brakes, total: i128) -> bool {
    let Some(available) = available(env, brakes) else {
        return false;
    };
    if total > available {
        panic_with_error!(env, Error::OutflowLimitExceeded);
    }
    brakes.available = available - total;
    brakes.refilled_at = env.ledger().timestamp();
    true
}

/// Empties the bucket as of now.
pub(crate) fn empty(env: &Env, brakes: &mut Brakes) {
    if is_set(brakes) {
        brakes.available = 0;
        brakes.refilled_at = env.ledger().timestamp();
    }
}
