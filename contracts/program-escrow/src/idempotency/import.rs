//! Importing: keys that another system has already paid.

use soroban_sdk::{Env, String, Vec, panic_with_error};

use super::{Key, key, record};
use crate::error::Error;
use crate::event::{IdempotencyKeyImportedEvent, VERSION};
use crate::types::{PayoutKind, ProgramStatus};
use crate::{roles, storage};

/// Most keys of one import or migration: their records and events fit one transaction.
pub(crate) const MAX_KEYS: u32 = 30;

/// Marks keys as paid elsewhere. Known ones (voided, or twice in the list) are skipped.
///
/// # Authorization
/// The admin. Draft only: an admin cannot make a key of a running program look paid.
///
/// # Errors
/// [`Error::NotDraft`], [`Error::TooManyKeys`], [`Error::InvalidIdempotencyKey`], in this order.
///
/// # Events
/// One `IdmImport` a key that was not known.
pub(crate) fn import(env: &Env, keys: &Vec<String>) {
    let program = storage::program(env);
    roles::require_admin(env);
    if program.status != ProgramStatus::Draft {
        panic_with_error!(env, Error::NotDraft);
    }
    if keys.len() > MAX_KEYS {
        panic_with_error!(env, Error::TooManyKeys);
    }
    for text in keys {
        key::require_valid(env, &text);
    }
    for text in keys {
        let key = Key::new(env, text);
        if key.find(env).is_some() {
            continue;
        }
        record::consume(env, &key, &record::unpaid(env, PayoutKind::Imported));
        IdempotencyKeyImportedEvent {
            idempotency_key: key.text,
            version: VERSION,
            program_id: program.program_id.clone(),
        }
        .publish(env);
    }
}
