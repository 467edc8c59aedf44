//! A payout, step by step. One internal function serves all five entrypoints.

use soroban_sdk::{Address, BytesN, Env, String, Vec, panic_with_error, vec};

use crate::batch::Batch;
use crate::brakes::outflow;
use crate::error::Error;
use crate::event::{
    BatchPayoutEvent, BatchPayoutReplayedEvent, IdempotencyConflictEvent, PayoutEvent,
    PayoutReplayedEvent, VERSION,
};
use crate::idempotency::{Key, key, record};
use crate::roles::{self, Payer};
use crate::token::Token;
use crate::types::{Delegate, IdempotencyRecord, PayoutKind, ProgramData, ProgramStatus};
use crate::{fingerprint, storage};

/// What a caller asks for.
pub(crate) struct Request {
    /// `Single` or `Batch`: which events the entrypoint emits.
    kind: PayoutKind,
    idempotency_key: String,
    /// None in the short entrypoints, where the payout key is meant.
    caller: Option<Address>,
    recipients: Vec<Address>,
    amounts: Vec<i128>,
    references: Option<Vec<BytesN<16>>>,
}

impl Request {
    pub(crate) fn batch(
        idempotency_key: String,
        caller: Option<Address>,
        recipients: Vec<Address>,
        amounts: Vec<i128>,
        references: Option<Vec<BytesN<16>>>,
    ) -> Self {
        Self {
            kind: PayoutKind::Batch,
            idempotency_key,
            caller,
            recipients,
            amounts,
            references,
        }
    }

    /// A single payout is a batch of one with its own events.
    pub(crate) fn single(
        env: &Env,
        idempotency_key: String,
        caller: Option<Address>,
        recipient: Address,
        amount: i128,
    ) -> Self {
        Self {
            kind: PayoutKind::Single,
            idempotency_key,
            caller,
            recipients: vec![env, recipient],
            amounts: vec![env, amount],
            references: None,
        }
    }
}

/// Pays every recipient, or answers that the key is consumed, or changes nothing.
///
/// The order is the promise. Authorisation comes before the replay check, so strangers cannot
/// write audit events; the replay check comes before pause, breaker, life and validation, so a
/// retry always learns the truth; nothing is written before every transfer has succeeded, so a
/// failed payout never consumes its key.
///
/// # Authorization
/// The payout key, or `caller` as payout key or live delegate.
///
/// # Errors
/// In this order: [`Error::NoProgram`]; [`Error::DelegateNotFound`], [`Error::DelegateExpired`];
/// [`Error::KeyVoided`]; [`Error::InvalidIdempotencyKey`]; [`Error::Paused`];
/// [`Error::CircuitOpen`]; [`Error::NotActive`]; those of [`Batch::check`];
/// [`Error::AmountOverflow`], [`Error::PayoutTooLarge`], [`Error::InsufficientBalance`],
/// [`Error::DelegateAllowanceExceeded`], [`Error::OutflowLimitExceeded`];
/// [`Error::TokenTransferFailed`].
///
/// # Events
/// Paid: `BatchPay` or `Payout`, exactly one, directly after the token's. Replayed: `BatPayRp` or
/// `IdmReplay`, whichever kind consumed the key, then `IdmConfl` if the arguments differ from what
/// was paid.
pub(crate) fn batch_payout_internal(env: &Env, request: Request) -> ProgramData {
    let mut program = storage::program(env);
    let payer = roles::require_payer(env, &program, request.caller.clone());
    let key = Key::new(env, request.idempotency_key.clone());
    let presented = fingerprint::of(
        env,
        &request.recipients,
        &request.amounts,
        request.references.as_ref(),
    );
    if let Some(found) = key.find(env) {
        answer_replay(env, &request, &program, &payer.address, &found, &presented);
        return program;
    }
    key::require_valid(env, &key.text);
    let mut brakes = storage::brakes(env);
    if brakes.payout_paused {
        panic_with_error!(env, Error::Paused);
    }
    if brakes.open {
        panic_with_error!(env, Error::CircuitOpen);
    }
    if program.status != ProgramStatus::Active {
        panic_with_error!(env, Error::NotActive);
    }
    let batch = Batch::check(
        env,
        &program.token,
        &request.recipients,
        &request.amounts,
        request.references.as_ref(),
    );
    let total = batch.total(env);
    outflow::require_payout_size(env, &brakes, batch.largest());
    if total > program.remaining_balance {
        panic_with_error!(env, Error::InsufficientBalance);
    }
    let allowance = allowance_after(env, &payer, total);
    let limited = outflow::take(env, &mut brakes, total);

    let token = Token::new(env, &program.token);
    let before = token.balance();
    for (recipient, amount) in batch.recipients.iter().zip(batch.amounts.iter()) {
        token.send(&recipient, amount);
    }
    token.require_spent(before, total);

    if let Some(delegate) = allowance {
        storage::set_delegate(env, &payer.address, &delegate);
    }
    if limited {
        storage::set_brakes(env, &brakes);
    }
    book(env, &mut program, total);
    record::consume(
        env,
        &key,
        &IdempotencyRecord {
            kind: request.kind,
            payout_id: program.payout_count,
            fingerprint: presented,
            total_amount: total,
            ledger: env.ledger().sequence(),
        },
    );
    announce(env, request, &program, payer.address, total);
    program
}

/// What the delegate has left afterwards; None for the payout key.
fn allowance_after(env: &Env, payer: &Payer, total: i128) -> Option<Delegate> {
    payer.delegate.as_ref().map(|delegate| {
        if total > delegate.allowance {
            panic_with_error!(env, Error::DelegateAllowanceExceeded);
        }
        Delegate {
            allowance: delegate.allowance - total,
            expires_at: delegate.expires_at,
        }
    })
}

/// Books `total` as paid; it is at most the remaining balance.
fn book(env: &Env, program: &mut ProgramData, total: i128) {
    let (Some(paid), Some(count)) = (
        program.total_paid.checked_add(total),
        program.payout_count.checked_add(1),
    ) else {
        panic_with_error!(env, Error::AmountOverflow);
    };
    program.remaining_balance -= total;
    program.total_paid = paid;
    program.payout_count = count;
    storage::set_program(env, program);
}

/// Answers a consumed key: nothing is paid, and a collision does not stay silent.
fn answer_replay(
    env: &Env,
    request: &Request,
    program: &ProgramData,
    caller: &Address,
    found: &IdempotencyRecord,
    presented: &BytesN<32>,
) {
    let idempotency_key = request.idempotency_key.clone();
    let program_id = program.program_id.clone();
    let caller = caller.clone();
    if found.kind == PayoutKind::Voided {
        // An answer like a replay's would read as "paid".
        panic_with_error!(env, Error::KeyVoided);
    }
    match request.kind {
        PayoutKind::Single => PayoutReplayedEvent {
            idempotency_key,
            version: VERSION,
            program_id,
            caller,
        }
        .publish(env),
        _ => BatchPayoutReplayedEvent {
            idempotency_key,
            version: VERSION,
            program_id,
            caller,
        }
        .publish(env),
    }
    // Imported and legacy keys have no fingerprint to compare.
    if found.kind != PayoutKind::Imported && found.fingerprint != *presented {
        IdempotencyConflictEvent {
            idempotency_key: request.idempotency_key.clone(),
            version: VERSION,
            program_id: program.program_id.clone(),
            recorded: found.fingerprint.clone(),
            presented: presented.clone(),
        }
        .publish(env);
    }
}

fn announce(env: &Env, request: Request, program: &ProgramData, caller: Address, total: i128) {
    let program_id = program.program_id.clone();
    let remaining_balance = program.remaining_balance;
    match request.kind {
        PayoutKind::Single => PayoutEvent {
            idempotency_key: request.idempotency_key,
            version: VERSION,
            program_id,
            caller,
            recipient: request.recipients.get_unchecked(0),
            amount: total,
            remaining_balance,
        }
        .publish(env),
        _ => BatchPayoutEvent {
            idempotency_key: Some(request.idempotency_key),
            version: VERSION,
            program_id,
            caller,
            recipient_count: request.recipients.len(),
            total_amount: total,
            remaining_balance,
        }
        .publish(env),
    }
}
