//! `ChangeTrust`.

use soroban_env_host::xdr::{
    AccountFlags, AccountId, Asset, ChangeTrustAsset, ChangeTrustOp, ChangeTrustResult,
    OperationResult, OperationResultTr, TrustLineEntry, TrustLineEntryExt,
};

use super::accounts::SubentryRefusal;
use super::trustlines::{self, AUTHORIZED, CLAWBACK, issuer, liabilities};
use super::{Outcome, Refusal, Scope, accounts};

fn outcome(result: ChangeTrustResult) -> Outcome {
    Outcome::of(OperationResultTr::ChangeTrust(result))
}

/// The asset; pool shares are not supported.
fn asset(line: &ChangeTrustAsset) -> Option<Asset> {
    match line {
        ChangeTrustAsset::Native => Some(Asset::Native),
        ChangeTrustAsset::CreditAlphanum4(asset) => Some(Asset::CreditAlphanum4(asset.clone())),
        ChangeTrustAsset::CreditAlphanum12(asset) => Some(Asset::CreditAlphanum12(asset.clone())),
        ChangeTrustAsset::PoolShare(_) => None,
    }
}

pub(super) fn check(op: &ChangeTrustOp, source: &AccountId) -> Result<(), Box<Refusal>> {
    let Some(asset) = asset(&op.line) else {
        return Err(Refusal::unsupported(
            "trustlines for liquidity pool shares are not supported by this local ledger",
        ));
    };
    // Since protocol 16 an issuer that trusts itself is malformed, no longer `SELF_NOT_ALLOWED`.
    let malformed = op.limit < 0
        || asset == Asset::Native
        || !trustlines::is_valid_asset(&asset)
        || issuer(&asset) == Some(source);
    if malformed {
        return Err(Refusal::inner(OperationResultTr::ChangeTrust(
            ChangeTrustResult::Malformed,
        )));
    }
    Ok(())
}

pub(super) fn apply(scope: &mut Scope<'_>, op: &ChangeTrustOp, source: &AccountId) -> Outcome {
    let (Some(asset), Some(mut owner)) = (asset(&op.line), accounts::load(scope.state, source))
    else {
        return outcome(ChangeTrustResult::Malformed);
    };
    if let Some(mut line) = trustlines::load(scope.state, source, &asset) {
        let bound = liabilities(&line);
        if op.limit < line.balance.saturating_add(bound.buying) {
            return outcome(ChangeTrustResult::InvalidLimit);
        }
        if op.limit == 0 {
            if bound.buying != 0 || bound.selling != 0 {
                return outcome(ChangeTrustResult::CannotDelete);
            }
            scope.state.remove(&trustlines::key(source, &asset));
            owner.num_sub_entries = owner.num_sub_entries.saturating_sub(1);
            accounts::store(scope.state, scope.seq, owner);
        } else {
            if issuer_flags(scope, &asset).is_none() {
                return outcome(ChangeTrustResult::NoIssuer);
            }
            line.limit = op.limit;
            trustlines::store(scope.state, scope.seq, line);
        }
        return outcome(ChangeTrustResult::Success);
    }
    if op.limit == 0 {
        return outcome(ChangeTrustResult::InvalidLimit);
    }
    let Some(issuer_flags) = issuer_flags(scope, &asset) else {
        return outcome(ChangeTrustResult::NoIssuer);
    };
    match accounts::add_subentry(&mut owner) {
        Ok(()) => {}
        Err(SubentryRefusal::LowReserve) => return outcome(ChangeTrustResult::LowReserve),
        Err(SubentryRefusal::TooMany) => {
            return Outcome {
                result: OperationResult::OpTooManySubentries,
                ..outcome(ChangeTrustResult::LowReserve)
            };
        }
    }
    let mut flags = 0;
    if issuer_flags & AccountFlags::RequiredFlag as u32 == 0 {
        flags |= AUTHORIZED;
    }
    if issuer_flags & AccountFlags::ClawbackEnabledFlag as u32 != 0 {
        flags |= CLAWBACK;
    }
    accounts::store(scope.state, scope.seq, owner);
    trustlines::store(
        scope.state,
        scope.seq,
        TrustLineEntry {
            account_id: source.clone(),
            asset: trustlines::trustline_asset(&asset),
            balance: 0,
            limit: op.limit,
            flags,
            ext: TrustLineEntryExt::V0,
        },
    );
    outcome(ChangeTrustResult::Success)
}

fn issuer_flags(scope: &Scope<'_>, asset: &Asset) -> Option<u32> {
    let issuer = issuer(asset)?;
    accounts::load(scope.state, issuer).map(|account| account.flags)
}
