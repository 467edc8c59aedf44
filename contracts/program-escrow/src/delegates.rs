//! Delegates: many addresses that may pay beside the payout key, each up to its allowance and time.

use soroban_sdk::{Address, Env, panic_with_error};

use crate::error::Error;
use crate::event::{DelegateRevokedEvent, DelegateSetEvent, VERSION};
use crate::types::Delegate;
use crate::{roles, storage};

/// Ten years of 365 days, in seconds: nobody delegates for ever by a slip of the unit.
const MAX_LIFETIME: u64 = 315_360_000;

/// Sets or replaces a delegate.
///
/// # Arguments
/// * `allowance` - most it may still pay, in the token's smallest unit.
/// * `expires_at` - Unix seconds; it may pay while `now < expires_at`.
///
/// # Authorization
/// The admin.
///
/// # Errors
/// [`Error::InvalidAllowance`], [`Error::InvalidExpiry`], in this order.
///
/// # Events
/// `DelegSet`, always; it tells what was left of the allowance before.
pub(crate) fn set(env: &Env, delegate: Address, allowance: i128, expires_at: u64) {
    let program = storage::program(env);
    let actor = roles::require_admin(env);
    if allowance <= 0 {
        panic_with_error!(env, Error::InvalidAllowance);
    }
    let now = env.ledger().timestamp();
    if expires_at <= now || expires_at > now.saturating_add(MAX_LIFETIME) {
        panic_with_error!(env, Error::InvalidExpiry);
    }
    let previous = storage::delegate(env, &delegate).map(|old| old.allowance);
    storage::set_delegate(
        env,
        &delegate,
        &Delegate {
            allowance,
            expires_at,
        },
    );
    DelegateSetEvent {
        delegate,
        version: VERSION,
        program_id: program.program_id,
        actor,
        previous,
        allowance,
        expires_at,
    }
    .publish(env);
}

/// Takes a delegate's right away.
///
/// # Authorization
/// `caller`: admin or payout key.
///
/// # Errors
/// [`Error::Unauthorized`], [`Error::DelegateNotFound`].
///
/// # Events
/// `DelegRev` with the allowance that was left.
pub(crate) fn revoke(env: &Env, caller: Address, delegate: Address) {
    let program = storage::program(env);
    roles::require_admin_or_payout_key(env, &program, &caller);
    let revoked = storage::delegate(env, &delegate)
        .unwrap_or_else(|| panic_with_error!(env, Error::DelegateNotFound));
    storage::remove_delegate(env, &delegate);
    DelegateRevokedEvent {
        delegate,
        version: VERSION,
        program_id: program.program_id,
        actor: caller,
        allowance: revoked.allowance,
    }
    .publish(env);
}

/// The delegate as stored, expired and exhausted ones too.
pub(crate) fn get(env: &Env, delegate: &Address) -> Option<Delegate> {
    storage::program(env);
    storage::delegate(env, delegate)
}
