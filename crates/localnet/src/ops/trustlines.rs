//! Trustlines: who holds how much of an issued asset, and whether it may move.

use soroban_env_host::xdr::{
    AccountId, Asset, AssetCode4, AssetCode12, LedgerEntryData, LedgerKey, LedgerKeyTrustLine,
    Liabilities, TrustLineAsset, TrustLineEntry, TrustLineEntryExt, TrustLineFlags,
};

use crate::ledger::state::State;

/// May send and receive.
pub(crate) const AUTHORIZED: u32 = TrustLineFlags::AuthorizedFlag as u32;
/// May keep open offers, nothing else.
pub(crate) const MAINTAIN: u32 = TrustLineFlags::AuthorizedToMaintainLiabilitiesFlag as u32;
/// The issuer may take the balance back.
pub(crate) const CLAWBACK: u32 = TrustLineFlags::TrustlineClawbackEnabledFlag as u32;

pub(crate) fn key(account: &AccountId, asset: &Asset) -> LedgerKey {
    LedgerKey::Trustline(LedgerKeyTrustLine {
        account_id: account.clone(),
        asset: trustline_asset(asset),
    })
}

pub(crate) fn trustline_asset(asset: &Asset) -> TrustLineAsset {
    match asset {
        Asset::Native => TrustLineAsset::Native,
        Asset::CreditAlphanum4(asset) => TrustLineAsset::CreditAlphanum4(asset.clone()),
        Asset::CreditAlphanum12(asset) => TrustLineAsset::CreditAlphanum12(asset.clone()),
    }
}

pub(crate) fn load(state: &State, account: &AccountId, asset: &Asset) -> Option<TrustLineEntry> {
    match &state.get(&key(account, asset))?.entry.data {
        LedgerEntryData::Trustline(line) => Some(line.clone()),
        _ => None,
    }
}

pub(crate) fn store(state: &mut State, seq: u32, line: TrustLineEntry) {
    state.put(seq, LedgerEntryData::Trustline(line), None);
}

/// The issuer of an asset; lumens have none.
pub(crate) fn issuer(asset: &Asset) -> Option<&AccountId> {
    match asset {
        Asset::Native => None,
        Asset::CreditAlphanum4(asset) => Some(&asset.issuer),
        Asset::CreditAlphanum12(asset) => Some(&asset.issuer),
    }
}

/// Whether an asset code is well formed: letters and digits, at least one, zeros only at the end,
/// and a code of up to four characters in the short form.
pub(crate) fn is_valid_asset(asset: &Asset) -> bool {
    match asset {
        Asset::Native => true,
        Asset::CreditAlphanum4(asset) => is_valid_code(&asset.asset_code.0, 1),
        Asset::CreditAlphanum12(asset) => is_valid_code(&asset.asset_code.0, 5),
    }
}

fn is_valid_code(code: &[u8], at_least: usize) -> bool {
    let used = code.iter().take_while(|byte| **byte != 0).count();
    used >= at_least
        && code[..used].iter().all(u8::is_ascii_alphanumeric)
        && code[used..].iter().all(|byte| *byte == 0)
}

/// The asset in the form events name it: `native` or `CODE:ISSUER`.
pub(crate) fn asset_name(asset: &Asset) -> String {
    let code = match asset {
        Asset::Native => return "native".to_owned(),
        Asset::CreditAlphanum4(asset) => {
            let AssetCode4(code) = &asset.asset_code;
            code.as_slice()
        }
        Asset::CreditAlphanum12(asset) => {
            let AssetCode12(code) = &asset.asset_code;
            code.as_slice()
        }
    };
    let code: String = code
        .iter()
        .take_while(|byte| **byte != 0)
        .map(|byte| char::from(*byte))
        .collect();
    let issuer = issuer(asset).map(ToString::to_string).unwrap_or_default();
    format!("{code}:{issuer}")
}

pub(crate) fn liabilities(line: &TrustLineEntry) -> Liabilities {
    match &line.ext {
        TrustLineEntryExt::V1(v1) => v1.liabilities.clone(),
        TrustLineEntryExt::V0 => Liabilities {
            buying: 0,
            selling: 0,
        },
    }
}

/// Takes `amount`, in the asset's smallest unit, where it is not bound by offers.
#[must_use]
pub(crate) fn debit(line: &mut TrustLineEntry, amount: i64) -> bool {
    let free = line.balance.saturating_sub(liabilities(line).selling);
    if amount > free {
        return false;
    }
    match line.balance.checked_sub(amount) {
        Some(balance) => {
            line.balance = balance;
            true
        }
        None => false,
    }
}

/// Gives `amount` where the limit leaves room beside what open offers may buy.
#[must_use]
pub(crate) fn credit(line: &mut TrustLineEntry, amount: i64) -> bool {
    let room = line
        .limit
        .saturating_sub(line.balance)
        .saturating_sub(liabilities(line).buying);
    if amount > room {
        return false;
    }
    match line.balance.checked_add(amount) {
        Some(balance) => {
            line.balance = balance;
            true
        }
        None => false,
    }
}
