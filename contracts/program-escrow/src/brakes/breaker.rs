//! The latch: a guardian opens it, only the admin resets.

use soroban_sdk::{Address, Env, String};

use super::{outflow, require_short};
use crate::event::{BreakerResetEvent, BreakerTrippedEvent, VERSION};
use crate::types::{BreakerState, CircuitBreaker};
use crate::{roles, storage};

/// Opens the breaker: no payout until the admin resets.
///
/// # Authorization
/// `caller`: guardian or admin.
///
/// # Errors
/// In this order: [`crate::Error::Unauthorized`], [`crate::Error::ReasonTooLong`].
///
/// # Events
/// `Trip`; none while it is open, and the first reason stays.
pub(crate) fn trip(env: &Env, caller: Address, reason: String) {
    let program = storage::program(env);
    let mut brakes = storage::brakes(env);
    roles::require_guardian_or_admin(env, brakes.guardian.as_ref(), &caller);
    require_short(env, &reason);
    if brakes.open {
        return;
    }
    brakes.open = true;
    brakes.reason = reason.clone();
    brakes.actor = Some(caller.clone());
    brakes.since = env.ledger().timestamp();
    storage::set_brakes(env, &brakes);
    BreakerTrippedEvent {
        version: VERSION,
        program_id: program.program_id,
        actor: caller,
        reason,
    }
    .publish(env);
}

/// Closes the breaker. The outflow bucket starts empty, so outflow comes back slowly.
///
/// # Authorization
/// The admin.
///
/// # Events
/// `Reset`; none while it is closed, and the bucket stays as it is.
pub(crate) fn reset(env: &Env) {
    let program = storage::program(env);
    let actor = roles::require_admin(env);
    let mut brakes = storage::brakes(env);
    if !brakes.open {
        return;
    }
    brakes.open = false;
    brakes.reason = String::from_str(env, "");
    brakes.actor = Some(actor.clone());
    brakes.since = env.ledger().timestamp();
    outflow::empty(env, &mut brakes);
    storage::set_brakes(env, &brakes);
    BreakerResetEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
    }
    .publish(env);
}

/// The breaker as of now.
pub(crate) fn view(env: &Env) -> CircuitBreaker {
    let brakes = storage::brakes(env);
    CircuitBreaker {
        state: if brakes.open {
            BreakerState::Open
        } else {
            BreakerState::Closed
        },
        available: outflow::available(env, &brakes),
        reason: brakes.reason,
        actor: brakes.actor,
        since: brakes.since,
    }
}
