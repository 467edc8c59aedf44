//! Accounts: balances, reserves, sequence numbers.

use soroban_env_host::xdr::{
    AccountEntry, AccountEntryExt, AccountEntryExtensionV1, AccountEntryExtensionV1Ext,
    AccountEntryExtensionV2, AccountEntryExtensionV2Ext, AccountEntryExtensionV3, AccountId,
    ExtensionPoint, LedgerEntryData, LedgerKey, LedgerKeyAccount, Liabilities, SequenceNumber,
    SponsorshipDescriptor, String32, Thresholds, TimePoint, VecM,
};

use crate::ledger::state::State;
use crate::limits::BASE_RESERVE;

/// Subentries an account may own.
pub(crate) const MAX_SUBENTRIES: u32 = 1_000;

pub(crate) fn key(id: &AccountId) -> LedgerKey {
    LedgerKey::Account(LedgerKeyAccount {
        account_id: id.clone(),
    })
}

pub(crate) fn load(state: &State, id: &AccountId) -> Option<AccountEntry> {
    match &state.get(&key(id))?.entry.data {
        LedgerEntryData::Account(account) => Some(account.clone()),
        _ => None,
    }
}

pub(crate) fn store(state: &mut State, seq: u32, account: AccountEntry) {
    state.put(seq, LedgerEntryData::Account(account), None);
}

/// A fresh account: no signers, master key only, sequence numbers from `seq << 32`.
pub(crate) fn new_account(id: AccountId, balance: i64, seq: u32) -> AccountEntry {
    AccountEntry {
        account_id: id,
        balance,
        seq_num: SequenceNumber(i64::from(seq) << 32),
        num_sub_entries: 0,
        inflation_dest: None,
        flags: 0,
        home_domain: String32::default(),
        thresholds: Thresholds([1, 0, 0, 0]),
        signers: VecM::default(),
        ext: AccountEntryExt::V0,
    }
}

fn liabilities(account: &AccountEntry) -> Liabilities {
    match &account.ext {
        AccountEntryExt::V1(v1) => v1.liabilities.clone(),
        AccountEntryExt::V0 => Liabilities {
            buying: 0,
            selling: 0,
        },
    }
}

/// `(num_sponsoring, num_sponsored)`.
fn sponsorships(account: &AccountEntry) -> (u32, u32) {
    match &account.ext {
        AccountEntryExt::V1(AccountEntryExtensionV1 {
            ext: AccountEntryExtensionV1Ext::V2(v2),
            ..
        }) => (v2.num_sponsoring, v2.num_sponsored),
        _ => (0, 0),
    }
}

/// What must stay, in stroops: two reserves, one more for each subentry and for each entry of
/// others that it sponsors, less those that others sponsor.
pub(crate) fn min_balance(account: &AccountEntry) -> i64 {
    let (sponsoring, sponsored) = sponsorships(account);
    let reserves =
        2 + i64::from(account.num_sub_entries) + i64::from(sponsoring) - i64::from(sponsored);
    reserves.saturating_mul(i64::from(BASE_RESERVE))
}

/// What can be spent, in stroops; negative below the reserve.
pub(crate) fn available_balance(account: &AccountEntry) -> i64 {
    account
        .balance
        .saturating_sub(min_balance(account))
        .saturating_sub(liabilities(account).selling)
}

/// Takes `amount` stroops, where they are available.
#[must_use]
pub(crate) fn debit(account: &mut AccountEntry, amount: i64) -> bool {
    if amount > available_balance(account) {
        return false;
    }
    match account.balance.checked_sub(amount) {
        Some(balance) => {
            account.balance = balance;
            true
        }
        None => false,
    }
}

/// Gives `amount` stroops, where the balance and what open offers may buy stay in range.
#[must_use]
pub(crate) fn credit(account: &mut AccountEntry, amount: i64) -> bool {
    let room = i64::MAX
        .saturating_sub(account.balance)
        .saturating_sub(liabilities(account).buying);
    if amount > room {
        return false;
    }
    match account.balance.checked_add(amount) {
        Some(balance) => {
            account.balance = balance;
            true
        }
        None => false,
    }
}

/// Adds a subentry, where count and reserve allow it.
pub(crate) fn add_subentry(account: &mut AccountEntry) -> Result<(), SubentryRefusal> {
    if account.num_sub_entries >= MAX_SUBENTRIES {
        return Err(SubentryRefusal::TooMany);
    }
    if available_balance(account) < i64::from(BASE_RESERVE) {
        return Err(SubentryRefusal::LowReserve);
    }
    account.num_sub_entries += 1;
    Ok(())
}

/// Why an account can own no further entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubentryRefusal {
    TooMany,
    LowReserve,
}

/// Whether the account pays reserves for others.
pub(crate) fn is_sponsor(account: &AccountEntry) -> bool {
    sponsorships(account).0 > 0
}

/// The ledger and time at which the sequence number last rose.
pub(crate) fn last_sequence_use(account: &AccountEntry) -> (u32, u64) {
    match &account.ext {
        AccountEntryExt::V1(AccountEntryExtensionV1 {
            ext:
                AccountEntryExtensionV1Ext::V2(AccountEntryExtensionV2 {
                    ext: AccountEntryExtensionV2Ext::V3(v3),
                    ..
                }),
            ..
        }) => (v3.seq_ledger, v3.seq_time.0),
        _ => (0, 0),
    }
}

/// Uses up sequence number `sequence` in ledger `seq`, and notes when.
pub(crate) fn use_sequence(account: &mut AccountEntry, sequence: i64, seq: u32, close_time: u64) {
    account.seq_num = SequenceNumber(sequence);
    let signers = account.signers.len();
    let mut v1 = match std::mem::replace(&mut account.ext, AccountEntryExt::V0) {
        AccountEntryExt::V1(v1) => v1,
        AccountEntryExt::V0 => AccountEntryExtensionV1 {
            liabilities: Liabilities {
                buying: 0,
                selling: 0,
            },
            ext: AccountEntryExtensionV1Ext::V0,
        },
    };
    let mut v2 = match v1.ext {
        AccountEntryExtensionV1Ext::V2(v2) => v2,
        AccountEntryExtensionV1Ext::V0 => AccountEntryExtensionV2 {
            num_sponsored: 0,
            num_sponsoring: 0,
            signer_sponsoring_i_ds: no_sponsors(signers),
            ext: AccountEntryExtensionV2Ext::V0,
        },
    };
    v2.ext = AccountEntryExtensionV2Ext::V3(AccountEntryExtensionV3 {
        ext: ExtensionPoint::V0,
        seq_ledger: seq,
        seq_time: TimePoint(close_time),
    });
    v1.ext = AccountEntryExtensionV1Ext::V2(v2);
    account.ext = AccountEntryExt::V1(v1);
}

/// Keeps the list of the signers' sponsors as long as the list of signers, which still stands as it
/// was.
pub(crate) fn align_signer_sponsors(account: &mut AccountEntry, change: SignerChange) {
    if let AccountEntryExt::V1(AccountEntryExtensionV1 {
        ext: AccountEntryExtensionV1Ext::V2(v2),
        ..
    }) = &mut account.ext
    {
        // An entry that was written past the rules may have lists that do not fit.
        let mut sponsors = v2.signer_sponsoring_i_ds.to_vec();
        sponsors.resize(account.signers.len(), SponsorshipDescriptor(None));
        match change {
            SignerChange::Inserted(index) => sponsors.insert(index, SponsorshipDescriptor(None)),
            SignerChange::Removed(index) => {
                sponsors.remove(index);
            }
        }
        v2.signer_sponsoring_i_ds = sponsors.try_into().unwrap_or_default();
    }
}

/// Where the list of signers changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SignerChange {
    Inserted(usize),
    Removed(usize),
}

fn no_sponsors(signers: usize) -> VecM<SponsorshipDescriptor, 20> {
    vec![SponsorshipDescriptor(None); signers]
        .try_into()
        .unwrap_or_default()
}
