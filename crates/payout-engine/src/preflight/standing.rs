//! What the ledger says of a recipient, from its entries.

use payout_keys::{ContractId, Recipient};
use stellar_xdr::{
    AccountEntry, AccountEntryExt, AccountEntryExtensionV1Ext, LedgerEntryData, LedgerKey,
    TrustLineEntry, TrustLineEntryExt, TrustLineFlags,
};

use crate::escrow::{CreditAsset, SacBalance, Token, TokenKind};
use crate::ledger::{Entries, Life, Malformed, keys};

/// How much XLM an account can take and has to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountRoom {
    /// What it has.
    pub balance: i64,
    /// What it has to keep: reserve and selling liabilities.
    pub minimum: i64,
    /// The most it can have: buying liabilities are kept free.
    pub maximum: i64,
}

impl AccountRoom {
    pub(crate) fn of(account: &AccountEntry, base_reserve: i64) -> Self {
        let mut entries = 2_i64.saturating_add(i64::from(account.num_sub_entries));
        let (mut buying, mut selling) = (0, 0);
        if let AccountEntryExt::V1(ext) = &account.ext {
            (buying, selling) = (ext.liabilities.buying, ext.liabilities.selling);
            if let AccountEntryExtensionV1Ext::V2(sponsorship) = &ext.ext {
                entries = entries
                    .saturating_add(i64::from(sponsorship.num_sponsoring))
                    .saturating_sub(i64::from(sponsorship.num_sponsored));
            }
        }
        Self {
            balance: account.balance,
            minimum: entries.saturating_mul(base_reserve).saturating_add(selling),
            maximum: i64::MAX.saturating_sub(buying),
        }
    }

    /// What it can spend.
    #[must_use]
    pub fn spendable(&self) -> i64 {
        self.balance.saturating_sub(self.minimum).max(0)
    }
}

/// An account's trustline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trust {
    /// What it holds.
    pub balance: i64,
    /// The most it wants to hold.
    pub limit: i64,
    /// What its open offers buy: kept free.
    pub buying: i64,
    /// Whether it may take and give.
    pub authorised: bool,
    /// Whether it may keep its offers alone.
    pub maintains: bool,
}

impl Trust {
    fn of(line: &TrustLineEntry) -> Self {
        let set = |flag: TrustLineFlags| {
            u32::try_from(i32::from(flag)).is_ok_and(|flag| line.flags & flag != 0)
        };
        Self {
            balance: line.balance,
            limit: line.limit,
            buying: match &line.ext {
                TrustLineEntryExt::V0 => 0,
                TrustLineEntryExt::V1(ext) => ext.liabilities.buying,
            },
            authorised: set(TrustLineFlags::AuthorizedFlag),
            maintains: set(TrustLineFlags::AuthorizedToMaintainLiabilitiesFlag),
        }
    }

    /// What it can still take.
    #[must_use]
    pub fn room(&self) -> i64 {
        self.limit
            .saturating_sub(self.buying)
            .saturating_sub(self.balance)
            .max(0)
    }
}

/// What the ledger says of a recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// An account.
    Account {
        /// Its XLM; `None` if there is no such account.
        room: Option<AccountRoom>,
        /// Whether it asks for a memo (SEP-29).
        memo_required: bool,
        /// Its trustline of the token's asset.
        trust: Option<Trust>,
        /// Assets of the same code and other issuers that it is known to trust.
        others: Vec<CreditAsset>,
    },
    /// A contract.
    Contract {
        /// Whether anybody deployed it.
        deployed: bool,
        /// What it holds of the token in the asset's contract, whether it may, and whether that
        /// entry is archived.
        balance: Option<(i128, bool, bool)>,
    },
}

/// The entries that say it all of `recipient`.
pub(crate) fn keys_of(token: &Token, recipient: Recipient) -> Vec<LedgerKey> {
    match recipient {
        Recipient::Account(key) => {
            let line = token.asset().filter(|asset| asset.issuer != key);
            let line = line.map(|asset| keys::trustline(key, asset.to_xdr()));
            [keys::account(key), keys::memo_required(key)]
                .into_iter()
                .chain(line)
                .collect()
        }
        Recipient::Contract(id) => {
            let contract = ContractId(id);
            let held = match token.kind {
                TokenKind::Native | TokenKind::Asset { .. } => {
                    Some(keys::balance(token.contract, contract))
                }
                TokenKind::Other { .. } => None,
            };
            std::iter::once(keys::instance(contract))
                .chain(held)
                .collect()
        }
    }
}

impl Standing {
    /// What `entries` say of `recipient`.
    pub(crate) fn of(
        token: &Token,
        recipient: Recipient,
        entries: &Entries,
        base_reserve: i64,
    ) -> Result<Self, Malformed> {
        let data = |key: &LedgerKey| entries.get(key).map(|entry| &entry.data);
        match recipient {
            Recipient::Account(key) => {
                let room = match data(&keys::account(key)) {
                    Some(LedgerEntryData::Account(entry)) => {
                        Some(AccountRoom::of(entry, base_reserve))
                    }
                    _ => None,
                };
                let memo_required = matches!(
                    data(&keys::memo_required(key)),
                    Some(LedgerEntryData::Data(entry)) if keys::asks_for_memo(entry)
                );
                let trust = token.asset().and_then(|asset| trusts(entries, key, asset));
                Ok(Self::Account {
                    room,
                    memo_required,
                    trust,
                    others: Vec::new(),
                })
            }
            Recipient::Contract(id) => {
                let contract = ContractId(id);
                let deployed = entries.get(&keys::instance(contract)).is_some();
                let key = keys::balance(token.contract, contract);
                let balance = entries.get(&key).and_then(|entry| match &entry.data {
                    LedgerEntryData::ContractData(data) => Some((data, entry.life)),
                    _ => None,
                });
                let balance = balance
                    .map(|(data, life)| {
                        let held = SacBalance::parse(&data.val)?;
                        Ok((held.amount, held.authorised, life == Life::Archived))
                    })
                    .transpose()?;
                Ok(Self::Contract { deployed, balance })
            }
        }
    }
}

/// An account's trustline of `asset`.
pub(crate) fn trusts(entries: &Entries, account: [u8; 32], asset: &CreditAsset) -> Option<Trust> {
    let entry = entries.get(&keys::trustline(account, asset.to_xdr()))?;
    match &entry.data {
        LedgerEntryData::Trustline(line) => Some(Trust::of(line)),
        _ => None,
    }
}
