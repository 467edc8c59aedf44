//! Voiding: an unused key can never pay from now on.

use soroban_sdk::{Address, Env, String, panic_with_error};

use super::{Key, key, record};
use crate::error::Error;
use crate::event::{IdempotencyKeyVoidedEvent, VERSION};
use crate::types::PayoutKind;
use crate::{roles, storage};

/// Voids an unused key, in every state of life, pause and breaker.
///
/// # Arguments
/// * `caller` - payout key, admin or live delegate; an exhausted delegate may void too.
/// * `text` - the idempotency key.
///
/// # Authorization
/// `caller`.
///
/// # Errors
/// [`Error::DelegateNotFound`], [`Error::DelegateExpired`]: the caller has no role.
/// [`Error::KeyAlreadyConsumed`]: paid here, imported, or known to an earlier layout.
/// [`Error::InvalidIdempotencyKey`].
///
/// # Events
/// `IdmVoid`; none when the key is void already.
pub(crate) fn void(env: &Env, caller: &Address, text: String) {
    let program = storage::program(env);
    roles::require_voider(env, &program, caller);
    let key = Key::new(env, text);
    match key.find(env) {
        Some(found) if found.kind == PayoutKind::Voided => return,
        Some(_) => panic_with_error!(env, Error::KeyAlreadyConsumed),
        None => {}
    }
    key::require_valid(env, &key.text);
    record::consume(env, &key, &record::unpaid(env, PayoutKind::Voided));
    IdempotencyKeyVoidedEvent {
        idempotency_key: key.text,
        version: VERSION,
        program_id: program.program_id,
        caller: caller.clone(),
    }
    .publish(env);
}
