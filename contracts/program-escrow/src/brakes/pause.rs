//! Pausing stops locking, paying, or both. Nothing else can be paused: replays, voids, closing and
//! withdrawing always work, so a pause strands nobody.

use soroban_sdk::{Address, Env, String, panic_with_error};

use super::require_short;
use crate::error::Error;
use crate::event::{PauseChangedEvent, VERSION};
use crate::roles;
use crate::storage::{self, Brakes};
use crate::types::PauseFlags;

/// Sets the flags that are true; the others stay.
///
/// # Authorization
/// `caller`: guardian or admin.
///
/// # Errors
/// In this order: [`Error::Unauthorized`], [`Error::NoFlagSet`], [`Error::ReasonTooLong`].
///
/// # Events
/// `Pause`; none when nothing changes.
pub(crate) fn pause(env: &Env, caller: Address, flags: &PauseFlags, reason: String) {
    storage::program(env);
    let brakes = storage::brakes(env);
    roles::require_guardian_or_admin(env, brakes.guardian.as_ref(), &caller);
    require_any(env, flags);
    require_short(env, &reason);
    let after = PauseFlags {
        lock: brakes.lock_paused || flags.lock,
        payout: brakes.payout_paused || flags.payout,
    };
    change(env, brakes, &after, caller, reason);
}

/// Clears the flags that are true; the others stay.
///
/// # Authorization
/// The admin.
///
/// # Errors
/// [`Error::NoFlagSet`].
///
/// # Events
/// `Pause` with an empty reason; none when nothing changes.
pub(crate) fn unpause(env: &Env, flags: &PauseFlags) {
    storage::program(env);
    let actor = roles::require_admin(env);
    let brakes = storage::brakes(env);
    require_any(env, flags);
    let after = PauseFlags {
        lock: brakes.lock_paused && !flags.lock,
        payout: brakes.payout_paused && !flags.payout,
    };
    change(env, brakes, &after, actor, String::from_str(env, ""));
}

/// What is paused now.
pub(crate) fn flags(env: &Env) -> PauseFlags {
    let brakes = storage::brakes(env);
    PauseFlags {
        lock: brakes.lock_paused,
        payout: brakes.payout_paused,
    }
}

fn require_any(env: &Env, flags: &PauseFlags) {
    if !flags.lock && !flags.payout {
        panic_with_error!(env, Error::NoFlagSet);
    }
}

fn change(env: &Env, mut brakes: Brakes, after: &PauseFlags, actor: Address, reason: String) {
    let event = PauseChangedEvent {
        version: VERSION,
        program_id: storage::program(env).program_id,
        actor,
        lock_before: brakes.lock_paused,
        payout_before: brakes.payout_paused,
        lock_after: after.lock,
        payout_after: after.payout,
        reason,
    };
    if event.lock_before == after.lock && event.payout_before == after.payout {
        return;
    }
    brakes.lock_paused = after.lock;
    brakes.payout_paused = after.payout;
    storage::set_brakes(env, &brakes);
    event.publish(env);
}
