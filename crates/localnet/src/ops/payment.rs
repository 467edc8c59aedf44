//! `Payment`.

use soroban_env_host::xdr::{
    AccountId, Asset, Memo, MuxedAccount, OperationResultTr, PaymentOp, PaymentResult,
};

use super::trustlines::{self, AUTHORIZED, issuer};
use super::{Outcome, Refusal, Scope, accounts};
use crate::meta::events;
use crate::tx::envelope::muxed_account_id;

pub(super) fn check(op: &PaymentOp) -> Result<(), Box<Refusal>> {
    if op.amount <= 0 || !trustlines::is_valid_asset(&op.asset) {
        return Err(Refusal::inner(OperationResultTr::Payment(
            PaymentResult::Malformed,
        )));
    }
    Ok(())
}

pub(super) fn apply(scope: &mut Scope<'_>, op: &PaymentOp, source: &AccountId) -> Outcome {
    let destination = muxed_account_id(&op.destination);
    let moved = match &op.asset {
        Asset::Native => lumens(scope, source, &destination, op.amount),
        asset => issued(scope, asset, source, &destination, op.amount),
    };
    if let Err(refusal) = moved {
        return Outcome::of(OperationResultTr::Payment(refusal));
    }
    let event = events::transfer(
        scope.network,
        &op.asset,
        source,
        &destination,
        op.amount,
        muxed_id(&op.destination, &scope.frame.tx.memo),
    );
    Outcome::with_events(
        OperationResultTr::Payment(PaymentResult::Success),
        vec![event],
    )
}

/// Who inside a shared account is meant: the multiplexed id, else the transaction's memo.
pub(super) fn muxed_id(destination: &MuxedAccount, memo: &Memo) -> Option<events::MuxedId> {
    match (destination, memo) {
        (MuxedAccount::MuxedEd25519(muxed), _) => Some(events::MuxedId::Number(muxed.id)),
        (_, Memo::Id(id)) => Some(events::MuxedId::Number(*id)),
        (_, Memo::Text(text)) => Some(events::MuxedId::Text(text.to_vec())),
        (_, Memo::Hash(hash) | Memo::Return(hash)) => Some(events::MuxedId::Hash(hash.0)),
        (_, Memo::None) => None,
    }
}

fn lumens(
    scope: &mut Scope<'_>,
    source: &AccountId,
    destination: &AccountId,
    amount: i64,
) -> Result<(), PaymentResult> {
    // A payment to oneself succeeds without a look at the balance.
    if source == destination {
        return Ok(());
    }
    // The receiving side is looked at first; where both are at fault it gives the code.
    let mut to = accounts::load(scope.state, destination).ok_or(PaymentResult::NoDestination)?;
    if !accounts::credit(&mut to, amount) {
        return Err(PaymentResult::LineFull);
    }
    let mut from = accounts::load(scope.state, source).ok_or(PaymentResult::Underfunded)?;
    if !accounts::debit(&mut from, amount) {
        return Err(PaymentResult::Underfunded);
    }
    accounts::store(scope.state, scope.seq, from);
    accounts::store(scope.state, scope.seq, to);
    Ok(())
}

fn issued(
    scope: &mut Scope<'_>,
    asset: &Asset,
    source: &AccountId,
    destination: &AccountId,
    amount: i64,
) -> Result<(), PaymentResult> {
    // The receiving side first, as above. What goes back to its issuer is burnt, even where the
    // issuer's account is gone.
    if issuer(asset) != Some(destination) {
        if accounts::load(scope.state, destination).is_none() {
            return Err(PaymentResult::NoDestination);
        }
        let mut line =
            trustlines::load(scope.state, destination, asset).ok_or(PaymentResult::NoTrust)?;
        if line.flags & AUTHORIZED == 0 {
            return Err(PaymentResult::NotAuthorized);
        }
        if !trustlines::credit(&mut line, amount) {
            return Err(PaymentResult::LineFull);
        }
        trustlines::store(scope.state, scope.seq, line);
    }
    if issuer(asset) != Some(source) {
        let mut line =
            trustlines::load(scope.state, source, asset).ok_or(PaymentResult::SrcNoTrust)?;
        if line.flags & AUTHORIZED == 0 {
            return Err(PaymentResult::SrcNotAuthorized);
        }
        if !trustlines::debit(&mut line, amount) {
            return Err(PaymentResult::Underfunded);
        }
        trustlines::store(scope.state, scope.seq, line);
    }
    Ok(())
}
