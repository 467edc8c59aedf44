//! `SetTrustLineFlags`: an issuer authorises, freezes, or gives up clawback.

use soroban_env_host::xdr::{
    AccountFlags, AccountId, OperationResultTr, SetTrustLineFlagsOp, SetTrustLineFlagsResult,
};

use super::trustlines::{self, AUTHORIZED, CLAWBACK, MAINTAIN, issuer, liabilities};
use super::{Outcome, Refusal, Scope, accounts};
use crate::meta::events;

fn outcome(result: SetTrustLineFlagsResult) -> Outcome {
    Outcome::of(OperationResultTr::SetTrustLineFlags(result))
}

pub(super) fn check(op: &SetTrustLineFlagsOp, source: &AccountId) -> Result<(), Box<Refusal>> {
    let known = AUTHORIZED | MAINTAIN | CLAWBACK;
    let both = AUTHORIZED | MAINTAIN;
    let malformed = !trustlines::is_valid_asset(&op.asset)
        || issuer(&op.asset) != Some(source)
        || op.trustor == *source
        || op.set_flags & op.clear_flags != 0
        || op.set_flags & !(AUTHORIZED | MAINTAIN) != 0
        || op.clear_flags & !known != 0
        || op.set_flags & both == both;
    if malformed {
        return Err(Refusal::inner(OperationResultTr::SetTrustLineFlags(
            SetTrustLineFlagsResult::Malformed,
        )));
    }
    Ok(())
}

pub(super) fn apply(scope: &mut Scope<'_>, op: &SetTrustLineFlagsOp) -> Outcome {
    let Some(mut line) = trustlines::load(scope.state, &op.trustor, &op.asset) else {
        return outcome(SetTrustLineFlagsResult::NoTrustLine);
    };
    let flags = line.flags & !op.clear_flags | op.set_flags;
    if flags & AUTHORIZED != 0 && flags & MAINTAIN != 0 {
        return outcome(SetTrustLineFlagsResult::InvalidState);
    }
    let revocable = issuer(&op.asset)
        .and_then(|issuer| accounts::load(scope.state, issuer))
        .is_some_and(|issuer| issuer.flags & AccountFlags::RevocableFlag as u32 != 0);
    let rank = |flags: u32| match (flags & AUTHORIZED != 0, flags & MAINTAIN != 0) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    };
    if rank(flags) < rank(line.flags) && !revocable {
        return outcome(SetTrustLineFlagsResult::CantRevoke);
    }
    let bound = liabilities(&line);
    if rank(flags) == 0 && (bound.buying != 0 || bound.selling != 0) {
        // The network would pull the account's offers; there are none here to pull.
        return outcome(SetTrustLineFlagsResult::InvalidState);
    }
    let was_authorized = line.flags & AUTHORIZED != 0;
    let is_authorized = flags & AUTHORIZED != 0;
    line.flags = flags;
    trustlines::store(scope.state, scope.seq, line);
    let mut done = outcome(SetTrustLineFlagsResult::Success);
    if was_authorized != is_authorized {
        done.events.push(events::set_authorized(
            scope.network,
            &op.asset,
            &op.trustor,
            is_authorized,
        ));
    }
    done
}
