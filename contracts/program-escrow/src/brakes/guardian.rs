//! The guardian may pause and trip, nothing else.

use soroban_sdk::{Address, Env};

use crate::event::{GuardianSetEvent, VERSION};
use crate::{roles, storage};

/// Sets the guardian, or takes it away.
///
/// # Authorization
/// The admin.
///
/// # Events
/// `Guardian`; none when it is the guardian already.
pub(crate) fn set(env: &Env, guardian: Option<Address>) {
    let program = storage::program(env);
    let actor = roles::require_admin(env);
    let mut brakes = storage::brakes(env);
    if brakes.guardian == guardian {
        return;
    }
    brakes.guardian.clone_from(&guardian);
    storage::set_brakes(env, &brakes);
    GuardianSetEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
        guardian,
    }
    .publish(env);
}
