//! Who may do what. Everywhere the role is judged first, so that a caller without it gets the
//! typed error whether or not it signed; then its authorisation is asked, once.

use soroban_sdk::{Address, Env, panic_with_error};
use stellar_access::ownable;

use crate::error::Error;
use crate::storage;
use crate::types::{Delegate, ProgramData};

/// Asks the admin (`OpenZeppelin`'s owner) for authorisation and returns it.
pub(crate) fn require_admin(env: &Env) -> Address {
    ownable::enforce_owner_auth(env)
}

fn is_admin(env: &Env, caller: &Address) -> bool {
    ownable::get_owner(env).as_ref() == Some(caller)
}

/// # Errors
/// [`Error::Unauthorized`] unless `caller` is the admin.
pub(crate) fn require_named_admin(env: &Env, caller: &Address) {
    if !is_admin(env, caller) {
        panic_with_error!(env, Error::Unauthorized);
    }
    caller.require_auth();
}

/// # Errors
/// [`Error::Unauthorized`] unless `caller` is `guardian` or the admin.
pub(crate) fn require_guardian_or_admin(env: &Env, guardian: Option<&Address>, caller: &Address) {
    if guardian != Some(caller) && !is_admin(env, caller) {
        panic_with_error!(env, Error::Unauthorized);
    }
    caller.require_auth();
}

/// # Errors
/// [`Error::Unauthorized`] unless `caller` is the admin or the payout key.
pub(crate) fn require_admin_or_payout_key(env: &Env, program: &ProgramData, caller: &Address) {
    if *caller != program.authorized_payout_key && !is_admin(env, caller) {
        panic_with_error!(env, Error::Unauthorized);
    }
    caller.require_auth();
}

/// Who pays, and out of which allowance.
pub(crate) struct Payer {
    pub(crate) address: Address,
    /// None for the payout key, which has no allowance to spend.
    pub(crate) delegate: Option<Delegate>,
}

/// Lets the payout key or a live delegate pay. The payout key is judged first: an address that is
/// both spends no allowance.
///
/// # Arguments
/// * `caller` - None in the short entrypoints, where the payout key is meant.
///
/// # Errors
/// [`Error::DelegateNotFound`], [`Error::DelegateExpired`].
pub(crate) fn require_payer(env: &Env, program: &ProgramData, caller: Option<Address>) -> Payer {
    let payer = match caller {
        Some(caller) if caller != program.authorized_payout_key => Payer {
            delegate: Some(live_delegate(env, &caller)),
            address: caller,
        },
        _ => Payer {
            address: program.authorized_payout_key.clone(),
            delegate: None,
        },
    };
    payer.address.require_auth();
    payer
}

/// Lets the payout key, the admin or a live delegate void.
///
/// # Errors
/// [`Error::DelegateNotFound`], [`Error::DelegateExpired`].
pub(crate) fn require_voider(env: &Env, program: &ProgramData, caller: &Address) {
    if *caller != program.authorized_payout_key && !is_admin(env, caller) {
        live_delegate(env, caller);
    }
    caller.require_auth();
}

fn live_delegate(env: &Env, caller: &Address) -> Delegate {
    let delegate = storage::delegate(env, caller)
        .unwrap_or_else(|| panic_with_error!(env, Error::DelegateNotFound));
    if env.ledger().timestamp() >= delegate.expires_at {
        panic_with_error!(env, Error::DelegateExpired);
    }
    delegate
}
