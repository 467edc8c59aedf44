//! Money in, and what is left out again. The books never count what did not arrive.

use soroban_sdk::{Address, Env, panic_with_error};

use crate::error::Error;
use crate::event::{FundsLockedEvent, SurplusCreditedEvent, VERSION, WithdrawnEvent};
use crate::token::Token;
use crate::types::{ProgramData, ProgramStatus};
use crate::{roles, storage};

/// Moves tokens in and credits what arrived: the own balance after less before.
///
/// # Authorization
/// `from`, for this call and the token's `transfer` inside.
///
/// # Errors
/// In this order: [`Error::AlreadyClosed`], [`Error::Paused`], [`Error::InvalidAmount`],
/// [`Error::TokenTransferFailed`], [`Error::NothingReceived`], [`Error::AmountOverflow`].
///
/// # Events
/// `FundLock` with the amount that arrived.
pub(crate) fn lock(env: &Env, from: Address, amount: i128) -> ProgramData {
    let mut program = storage::program(env);
    from.require_auth();
    if program.status == ProgramStatus::Closed {
        panic_with_error!(env, Error::AlreadyClosed);
    }
    if storage::brakes(env).lock_paused {
        panic_with_error!(env, Error::Paused);
    }
    if amount <= 0 {
        panic_with_error!(env, Error::InvalidAmount);
    }
    let token = Token::new(env, &program.token);
    let before = token.balance();
    token.receive(&from, amount);
    let arrived = token.balance().saturating_sub(before);
    if arrived <= 0 {
        panic_with_error!(env, Error::NothingReceived);
    }
    credit(env, &mut program, arrived);
    FundsLockedEvent {
        version: VERSION,
        program_id: program.program_id.clone(),
        actor: from,
        amount: arrived,
        remaining_balance: program.remaining_balance,
    }
    .publish(env);
    program
}

/// Books tokens that were sent here by plain transfer, and returns how many.
///
/// # Authorization
/// The admin. A pause does not stop it: no token moves.
///
/// # Errors
/// [`Error::AlreadyClosed`], [`Error::TokenTransferFailed`], [`Error::AmountOverflow`].
///
/// # Events
/// `Surplus`; none when there is nothing, or less than the books say.
pub(crate) fn credit_surplus(env: &Env) -> i128 {
    let mut program = storage::program(env);
    let actor = roles::require_admin(env);
    if program.status == ProgramStatus::Closed {
        panic_with_error!(env, Error::AlreadyClosed);
    }
    let surplus = Token::new(env, &program.token)
        .balance()
        .saturating_sub(program.remaining_balance);
    if surplus <= 0 {
        return 0;
    }
    credit(env, &mut program, surplus);
    SurplusCreditedEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
        amount: surplus,
        remaining_balance: program.remaining_balance,
    }
    .publish(env);
    surplus
}

fn credit(env: &Env, program: &mut ProgramData, amount: i128) {
    let (Some(locked), Some(remaining)) = (
        program.total_locked.checked_add(amount),
        program.remaining_balance.checked_add(amount),
    ) else {
        panic_with_error!(env, Error::AmountOverflow);
    };
    program.total_locked = locked;
    program.remaining_balance = remaining;
    storage::set_program(env, program);
}

/// Sends the whole token balance of a closed program to `to` and returns it. What the books know
/// of it becomes `total_withdrawn`, surplus leaves uncounted, a shortfall after a clawback stays in
/// `remaining_balance`.
///
/// # Authorization
/// The admin. No brake stops it, so a pause strands nobody.
///
/// # Errors
/// In this order: [`Error::NotClosed`], [`Error::InvalidRecipient`] (this contract or the token's),
/// [`Error::TokenTransferFailed`].
///
/// # Events
/// `Withdraw`; none when there is nothing.
pub(crate) fn withdraw_remaining(env: &Env, to: Address) -> i128 {
    let mut program = storage::program(env);
    let actor = roles::require_admin(env);
    if program.status != ProgramStatus::Closed {
        panic_with_error!(env, Error::NotClosed);
    }
    if to == env.current_contract_address() || to == program.token {
        panic_with_error!(env, Error::InvalidRecipient);
    }
    let token = Token::new(env, &program.token);
    let amount = token.balance();
    if amount <= 0 {
        return 0;
    }
    token.send(&to, amount);
    token.require_spent(amount, amount);
    let counted = amount.min(program.remaining_balance);
    let Some(withdrawn) = program.total_withdrawn.checked_add(counted) else {
        panic_with_error!(env, Error::AmountOverflow);
    };
    program.total_withdrawn = withdrawn;
    program.remaining_balance -= counted;
    storage::set_program(env, &program);
    WithdrawnEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
        to,
        amount,
        counted,
        remaining_balance: program.remaining_balance,
    }
    .publish(env);
    amount
}
