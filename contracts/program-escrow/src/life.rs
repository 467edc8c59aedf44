//! Life of the program: `Draft -> Active -> Closed`, also `Draft -> Closed`, never back.

use soroban_sdk::{Address, Env, String, panic_with_error};
use stellar_access::ownable;

use crate::error::Error;
use crate::event::{PayoutKeyRotatedEvent, ProgramClosedEvent, ProgramPublishedEvent, VERSION};
use crate::roles;
use crate::storage::{self, Brakes};
use crate::types::{ProgramData, ProgramStatus};

/// Longest program id, in bytes.
const MAX_PROGRAM_ID: usize = 64;

/// Creates the program whole, in the deploying transaction, so nobody can step in between.
///
/// # Errors
/// [`Error::InvalidProgramId`]; the host shows it only in the diagnostic event of the refused
/// deployment.
pub(crate) fn create(
    env: &Env,
    admin: &Address,
    program_id: String,
    authorized_payout_key: Address,
    token: Address,
) {
    require_valid_id(env, &program_id);
    ownable::set_owner(env, admin);
    storage::set_program(
        env,
        &ProgramData {
            program_id,
            token,
            authorized_payout_key,
            status: ProgramStatus::Draft,
            total_locked: 0,
            total_paid: 0,
            total_withdrawn: 0,
            remaining_balance: 0,
            payout_count: 0,
        },
    );
    storage::set_brakes(env, &Brakes::released(env));
}

fn require_valid_id(env: &Env, program_id: &String) {
    let len = program_id.len() as usize;
    let mut buffer = [0u8; MAX_PROGRAM_ID];
    if len == 0 || len > MAX_PROGRAM_ID {
        panic_with_error!(env, Error::InvalidProgramId);
    }
    let bytes = &mut buffer[..len];
    program_id.copy_into_slice(bytes);
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    if !bytes.iter().all(allowed) {
        panic_with_error!(env, Error::InvalidProgramId);
    }
}

/// Draft becomes Active.
///
/// # Authorization
/// The admin.
///
/// # Errors
/// [`Error::NotDraft`].
///
/// # Events
/// `Publish`.
pub(crate) fn publish(env: &Env) {
    let mut program = storage::program(env);
    let actor = roles::require_admin(env);
    if program.status != ProgramStatus::Draft {
        panic_with_error!(env, Error::NotDraft);
    }
    program.status = ProgramStatus::Active;
    storage::set_program(env, &program);
    ProgramPublishedEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
    }
    .publish(env);
}

/// Draft or Active becomes Closed, under every brake.
///
/// # Authorization
/// The admin.
///
/// # Errors
/// [`Error::AlreadyClosed`].
///
/// # Events
/// `Close`.
pub(crate) fn close(env: &Env) {
    let mut program = storage::program(env);
    let actor = roles::require_admin(env);
    if program.status == ProgramStatus::Closed {
        panic_with_error!(env, Error::AlreadyClosed);
    }
    program.status = ProgramStatus::Closed;
    storage::set_program(env, &program);
    ProgramClosedEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
    }
    .publish(env);
}

/// Another key pays from now on. Delegates stay as they are.
///
/// # Authorization
/// The admin.
///
/// # Events
/// `KeyRotate`; none when it is the key already.
pub(crate) fn rotate_payout_key(env: &Env, new_key: Address) {
    let mut program = storage::program(env);
    let actor = roles::require_admin(env);
    if new_key == program.authorized_payout_key {
        return;
    }
    let old_key = core::mem::replace(&mut program.authorized_payout_key, new_key.clone());
    storage::set_program(env, &program);
    PayoutKeyRotatedEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
        old_key,
        new_key,
    }
    .publish(env);
}
