//! Entries of the ledger, written past all rules and read without a client.

use payout_keys::Recipient;
use stellar_xdr::{
    AccountEntry, AccountEntryExt, AccountId, DataEntry, DataEntryExt, DataValue, LedgerEntry,
    LedgerEntryData, LedgerEntryExt, LedgerKey, LedgerKeyAccount, LedgerKeyTrustLine, Liabilities,
    PublicKey, SequenceNumber, String32, String64, Thresholds, TrustLineAsset, TrustLineEntry,
    TrustLineEntryExt, TrustLineEntryV1, TrustLineEntryV1Ext, Uint256, VecM,
};

use crate::world::{World, key};

/// A trustline's numbers in whole tokens: by default authorised, empty and without a limit.
#[derive(Clone, Copy)]
pub(crate) struct Trust {
    pub(crate) balance: i64,
    pub(crate) limit: i64,
    pub(crate) buying: i64,
    pub(crate) flags: u32,
}

impl Default for Trust {
    fn default() -> Self {
        Self {
            balance: 0,
            limit: i64::MAX / ONE,
            buying: 0,
            flags: 1,
        }
    }
}

/// Units of a token.
pub(crate) const ONE: i64 = 10_000_000;

fn id(name: &str) -> AccountId {
    let Recipient::Account(bytes) = key(name).address() else {
        unreachable!("a key is an account's")
    };
    AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(bytes)))
}

fn usdc() -> TrustLineAsset {
    match World::usdc() {
        stellar_xdr::Asset::CreditAlphanum4(asset) => TrustLineAsset::CreditAlphanum4(asset),
        _ => unreachable!("four letters"),
    }
}

impl World {
    fn put(&self, data: LedgerEntryData) {
        let entry = LedgerEntry {
            last_modified_ledger_seq: 0,
            data,
            ext: LedgerEntryExt::V0,
        };
        self.localnet.put_entry(entry, None).unwrap();
    }

    fn account(&self, name: &str) -> Option<AccountEntry> {
        let account_id = id(name);
        let found = self
            .localnet
            .entry(LedgerKey::Account(LedgerKeyAccount { account_id }));
        match found.unwrap()?.0.data {
            LedgerEntryData::Account(account) => Some(account),
            _ => unreachable!("asked for an account"),
        }
    }

    /// An account with one entry.
    pub(crate) fn put_account(&self, name: &str, stroops: i64) {
        self.put(LedgerEntryData::Account(AccountEntry {
            account_id: id(name),
            balance: stroops,
            seq_num: SequenceNumber(1),
            num_sub_entries: 1,
            inflation_dest: None,
            flags: 0,
            home_domain: String32::default(),
            thresholds: Thresholds([1, 0, 0, 0]),
            signers: VecM::default(),
            ext: AccountEntryExt::V0,
        }));
    }

    /// What the issuer demands of holders.
    pub(crate) fn put_issuer_flags(&self, flags: u32) {
        let account = self.account("issuer").unwrap();
        self.put(LedgerEntryData::Account(AccountEntry { flags, ..account }));
    }

    pub(crate) fn put_trustline(&self, name: &str, line: Trust) {
        let ext = TrustLineEntryExt::V1(TrustLineEntryV1 {
            liabilities: Liabilities {
                buying: line.buying * ONE,
                selling: 0,
            },
            ext: TrustLineEntryV1Ext::V0,
        });
        self.put(LedgerEntryData::Trustline(TrustLineEntry {
            account_id: id(name),
            asset: usdc(),
            balance: line.balance * ONE,
            limit: line.limit * ONE,
            flags: line.flags,
            ext,
        }));
    }

    pub(crate) fn put_data(&self, name: &str, field: &str, value: &str) {
        self.put(LedgerEntryData::Data(DataEntry {
            account_id: id(name),
            data_name: String64(field.try_into().unwrap()),
            data_value: DataValue(value.as_bytes().to_vec().try_into().unwrap()),
            ext: DataEntryExt::V0,
        }));
    }

    /// The last sequence number that an account used.
    pub(crate) fn sequence(&self, name: &str) -> i64 {
        self.account(name).unwrap().seq_num.0
    }

    /// What somebody has, in units; nothing without a trustline.
    pub(crate) fn balance(&self, name: &str) -> i64 {
        let key = LedgerKey::Trustline(LedgerKeyTrustLine {
            account_id: id(name),
            asset: usdc(),
        });
        match self.localnet.entry(key).unwrap() {
            Some((entry, _)) => match entry.data {
                LedgerEntryData::Trustline(line) => line.balance,
                _ => unreachable!("asked for a trustline"),
            },
            None => 0,
        }
    }
}
