//! `SetOptions`: flags, thresholds, signers, home domain.

use soroban_env_host::xdr::{
    AccountEntry, AccountFlags, AccountId, OperationResult, OperationResultTr, PublicKey,
    SetOptionsOp, SetOptionsResult, Signer, SignerKey, Uint256,
};

use super::accounts::{self, SignerChange, SubentryRefusal};
use super::{Outcome, Refusal, Scope};
use crate::tx::signatures::ed25519_key;

/// Signers an account may have.
const MAX_SIGNERS: usize = 20;

const REQUIRED: u32 = AccountFlags::RequiredFlag as u32;
const REVOCABLE: u32 = AccountFlags::RevocableFlag as u32;
const IMMUTABLE: u32 = AccountFlags::ImmutableFlag as u32;
const CLAWBACK: u32 = AccountFlags::ClawbackEnabledFlag as u32;

fn outcome(result: SetOptionsResult) -> Outcome {
    Outcome::of(OperationResultTr::SetOptions(result))
}

pub(super) fn check(op: &SetOptionsOp, source: &AccountId) -> Result<(), Box<Refusal>> {
    let refuse = |result| Err(Refusal::inner(OperationResultTr::SetOptions(result)));
    let set = op.set_flags.unwrap_or(0);
    let clear = op.clear_flags.unwrap_or(0);
    if (set | clear) & !(REQUIRED | REVOCABLE | IMMUTABLE | CLAWBACK) != 0 {
        return refuse(SetOptionsResult::UnknownFlag);
    }
    if set & clear != 0 {
        return refuse(SetOptionsResult::BadFlags);
    }
    let weights = [
        op.master_weight,
        op.low_threshold,
        op.med_threshold,
        op.high_threshold,
    ];
    if weights.iter().flatten().any(|weight| *weight > 255) {
        return refuse(SetOptionsResult::ThresholdOutOfRange);
    }
    if let Some(signer) = &op.signer {
        let Some(key) = ed25519_key(&signer.key) else {
            return Err(Refusal::unsupported(
                "signers other than ed25519 keys are not supported by this local ledger",
            ));
        };
        let PublicKey::PublicKeyTypeEd25519(Uint256(own)) = &source.0;
        if key == *own || signer.weight > 255 {
            return refuse(SetOptionsResult::BadSigner);
        }
    }
    if op
        .home_domain
        .as_ref()
        .is_some_and(|domain| domain.iter().any(u8::is_ascii_control))
    {
        return refuse(SetOptionsResult::InvalidHomeDomain);
    }
    Ok(())
}

pub(super) fn apply(scope: &mut Scope<'_>, op: &SetOptionsOp, source: &AccountId) -> Outcome {
    let Some(mut account) = accounts::load(scope.state, source) else {
        return outcome(SetOptionsResult::BadSigner);
    };
    if let Some(destination) = &op.inflation_dest {
        if accounts::load(scope.state, destination).is_none() {
            return outcome(SetOptionsResult::InvalidInflation);
        }
        account.inflation_dest = Some(destination.clone());
    }
    if let Err(refusal) = set_flags(&mut account, op) {
        return outcome(refusal);
    }
    if let Some(domain) = &op.home_domain {
        account.home_domain = domain.clone();
    }
    let weights = [
        op.master_weight,
        op.low_threshold,
        op.med_threshold,
        op.high_threshold,
    ];
    for (place, weight) in account.thresholds.0.iter_mut().zip(weights) {
        if let Some(weight) = weight.and_then(|weight| u8::try_from(weight).ok()) {
            *place = weight;
        }
    }
    if let Some(signer) = &op.signer
        && let Err(refused) = set_signer(&mut account, signer)
    {
        return *refused;
    }
    accounts::store(scope.state, scope.seq, account);
    outcome(SetOptionsResult::Success)
}

fn set_flags(account: &mut AccountEntry, op: &SetOptionsOp) -> Result<(), SetOptionsResult> {
    let (clear, set) = (op.clear_flags.unwrap_or(0), op.set_flags.unwrap_or(0));
    if account.flags & IMMUTABLE != 0
        && (clear | set) & (REQUIRED | REVOCABLE | IMMUTABLE | CLAWBACK) != 0
    {
        return Err(SetOptionsResult::CantChange);
    }
    account.flags = account.flags & !clear | set;
    if account.flags & CLAWBACK != 0 && account.flags & REVOCABLE == 0 {
        return Err(SetOptionsResult::AuthRevocableRequired);
    }
    Ok(())
}

/// Adds, changes or (weight 0) removes a signer. The list stays sorted by key.
fn set_signer(account: &mut AccountEntry, signer: &Signer) -> Result<(), Box<Outcome>> {
    let mut signers = account.signers.to_vec();
    let known = signers.iter().position(|known| known.key == signer.key);
    match (known, signer.weight) {
        (Some(index), 0) => {
            signers.remove(index);
            account.num_sub_entries = account.num_sub_entries.saturating_sub(1);
            accounts::align_signer_sponsors(account, SignerChange::Removed(index));
        }
        (Some(index), weight) => signers[index].weight = weight,
        (None, 0) => {}
        (None, _) => {
            if signers.len() >= MAX_SIGNERS {
                return Err(Box::new(outcome(SetOptionsResult::TooManySigners)));
            }
            accounts::add_subentry(account).map_err(|refusal| match refusal {
                SubentryRefusal::LowReserve => Box::new(outcome(SetOptionsResult::LowReserve)),
                SubentryRefusal::TooMany => Box::new(Outcome {
                    result: OperationResult::OpTooManySubentries,
                    ..outcome(SetOptionsResult::LowReserve)
                }),
            })?;
            let index =
                signers.partition_point(|known| key_order(&known.key) < key_order(&signer.key));
            signers.insert(index, signer.clone());
            accounts::align_signer_sponsors(account, SignerChange::Inserted(index));
        }
    }
    account.signers = signers.try_into().unwrap_or_default();
    Ok(())
}

fn key_order(key: &SignerKey) -> Option<[u8; 32]> {
    ed25519_key(key)
}
