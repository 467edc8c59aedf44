//! `Clawback`: an issuer takes back what an account holds.

use soroban_env_host::xdr::{AccountId, ClawbackOp, ClawbackResult, OperationResultTr};

use super::trustlines::{self, CLAWBACK, issuer};
use super::{Outcome, Refusal, Scope};
use crate::meta::events;
use crate::tx::envelope::muxed_account_id;

fn outcome(result: ClawbackResult) -> Outcome {
    Outcome::of(OperationResultTr::Clawback(result))
}

pub(super) fn check(op: &ClawbackOp, source: &AccountId) -> Result<(), Box<Refusal>> {
    let malformed = op.amount <= 0
        || !trustlines::is_valid_asset(&op.asset)
        || issuer(&op.asset) != Some(source)
        || muxed_account_id(&op.from) == *source;
    if malformed {
        return Err(Refusal::inner(OperationResultTr::Clawback(
            ClawbackResult::Malformed,
        )));
    }
    Ok(())
}

pub(super) fn apply(scope: &mut Scope<'_>, op: &ClawbackOp) -> Outcome {
    let from = muxed_account_id(&op.from);
    let Some(mut line) = trustlines::load(scope.state, &from, &op.asset) else {
        return outcome(ClawbackResult::NoTrust);
    };
    if line.flags & CLAWBACK == 0 {
        return outcome(ClawbackResult::NotClawbackEnabled);
    }
    if !trustlines::debit(&mut line, op.amount) {
        return outcome(ClawbackResult::Underfunded);
    }
    trustlines::store(scope.state, scope.seq, line);
    Outcome::with_events(
        OperationResultTr::Clawback(ClawbackResult::Success),
        vec![events::clawback(scope.network, &op.asset, &from, op.amount)],
    )
}
