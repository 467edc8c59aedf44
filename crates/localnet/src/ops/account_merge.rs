//! `AccountMerge`: an account ends and leaves its lumens to another.

use soroban_env_host::xdr::{
    AccountFlags, AccountId, AccountMergeResult, Asset, MuxedAccount, OperationResultTr,
};

use super::payment::muxed_id;
use super::{Outcome, Refusal, Scope, accounts};
use crate::meta::events;
use crate::tx::envelope::muxed_account_id;

fn outcome(result: AccountMergeResult) -> Outcome {
    Outcome::of(OperationResultTr::AccountMerge(result))
}

pub(super) fn check(destination: &MuxedAccount, source: &AccountId) -> Result<(), Box<Refusal>> {
    if muxed_account_id(destination) == *source {
        return Err(Refusal::inner(OperationResultTr::AccountMerge(
            AccountMergeResult::Malformed,
        )));
    }
    Ok(())
}

pub(super) fn apply(
    scope: &mut Scope<'_>,
    destination: &MuxedAccount,
    source: &AccountId,
) -> Outcome {
    let to = muxed_account_id(destination);
    let (Some(account), Some(mut heir)) = (
        accounts::load(scope.state, source),
        accounts::load(scope.state, &to),
    ) else {
        return outcome(AccountMergeResult::NoAccount);
    };
    if account.flags & AccountFlags::ImmutableFlag as u32 != 0 {
        return outcome(AccountMergeResult::ImmutableSet);
    }
    let signers = u32::try_from(account.signers.len()).unwrap_or(u32::MAX);
    if account.num_sub_entries != signers {
        return outcome(AccountMergeResult::HasSubEntries);
    }
    // Created again in this ledger, the account could use its sequence numbers twice.
    if account.seq_num.0 >= i64::from(scope.seq) << 32 {
        return outcome(AccountMergeResult::SeqnumTooFar);
    }
    if accounts::is_sponsor(&account) {
        return outcome(AccountMergeResult::IsSponsor);
    }
    let amount = account.balance;
    if !accounts::credit(&mut heir, amount) {
        return outcome(AccountMergeResult::DestFull);
    }
    accounts::store(scope.state, scope.seq, heir);
    scope.state.remove(&accounts::key(source));
    let event = events::transfer(
        scope.network,
        &Asset::Native,
        source,
        &to,
        amount,
        muxed_id(destination, &scope.frame.tx.memo),
    );
    Outcome::with_events(
        OperationResultTr::AccountMerge(AccountMergeResult::Success(amount)),
        vec![event],
    )
}
