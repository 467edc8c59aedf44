//! `CreateAccount`.

use soroban_env_host::xdr::{
    AccountId, Asset, CreateAccountOp, CreateAccountResult, OperationResultTr,
};

use super::{Outcome, Refusal, Scope, accounts};
use crate::limits::BASE_RESERVE;
use crate::meta::events;

fn outcome(result: CreateAccountResult) -> Outcome {
    Outcome::of(OperationResultTr::CreateAccount(result))
}

pub(super) fn check(op: &CreateAccountOp, source: &AccountId) -> Result<(), Box<Refusal>> {
    if op.starting_balance < 0 || op.destination == *source {
        return Err(Refusal::inner(OperationResultTr::CreateAccount(
            CreateAccountResult::Malformed,
        )));
    }
    Ok(())
}

pub(super) fn apply(scope: &mut Scope<'_>, op: &CreateAccountOp, source: &AccountId) -> Outcome {
    if accounts::load(scope.state, &op.destination).is_some() {
        return outcome(CreateAccountResult::AlreadyExist);
    }
    if op.starting_balance < 2 * i64::from(BASE_RESERVE) {
        return outcome(CreateAccountResult::LowReserve);
    }
    let Some(mut funder) = accounts::load(scope.state, source) else {
        return outcome(CreateAccountResult::Underfunded);
    };
    if !accounts::debit(&mut funder, op.starting_balance) {
        return outcome(CreateAccountResult::Underfunded);
    }
    accounts::store(scope.state, scope.seq, funder);
    let account = accounts::new_account(op.destination.clone(), op.starting_balance, scope.seq);
    accounts::store(scope.state, scope.seq, account);
    let event = events::transfer(
        scope.network,
        &Asset::Native,
        source,
        &op.destination,
        op.starting_balance,
        None,
    );
    Outcome::with_events(
        OperationResultTr::CreateAccount(CreateAccountResult::Success),
        vec![event],
    )
}
