//! Entries that are written past all rules.

use stellar_xdr::{
    AccountEntry, AccountEntryExt, DataEntry, DataEntryExt, LedgerEntry, LedgerEntryData,
    LedgerEntryExt, Liabilities, SequenceNumber, String32, Thresholds, TrustLineAsset,
    TrustLineEntry, TrustLineEntryExt, TrustLineEntryV1, TrustLineEntryV1Ext, VecM,
};

use crate::transactions::Keys;
use crate::world::{World, usdc4};

/// A trustline's numbers: by default authorised and unlimited.
#[derive(Clone, Copy)]
pub(crate) struct TrustlineNumbers {
    pub(crate) balance: i64,
    pub(crate) limit: i64,
    pub(crate) buying: i64,
    pub(crate) flags: u32,
}

impl Default for TrustlineNumbers {
    fn default() -> Self {
        Self {
            balance: 0,
            limit: i64::MAX,
            buying: 0,
            flags: 1,
        }
    }
}

impl World {
    fn put(&self, data: LedgerEntryData) {
        self.put_living(data, None);
    }

    pub(crate) fn put_living(&self, data: LedgerEntryData, live_until: Option<u32>) {
        let entry = LedgerEntry {
            last_modified_ledger_seq: 0,
            data,
            ext: LedgerEntryExt::V0,
        };
        self.net.put_entry(entry, live_until).expect("written");
    }

    pub(crate) fn put_account(&self, keys: &Keys, balance: i64, subentries: u32, flags: u32) {
        self.put(LedgerEntryData::Account(AccountEntry {
            account_id: keys.id(),
            balance,
            seq_num: SequenceNumber(1),
            num_sub_entries: subentries,
            inflation_dest: None,
            flags,
            home_domain: String32::default(),
            thresholds: Thresholds([1, 0, 0, 0]),
            signers: VecM::default(),
            ext: AccountEntryExt::V0,
        }));
    }

    pub(crate) fn put_trustline(&self, keys: &Keys, issuer: &Keys, line: TrustlineNumbers) {
        let ext = TrustLineEntryExt::V1(TrustLineEntryV1 {
            liabilities: Liabilities {
                buying: line.buying,
                selling: 0,
            },
            ext: TrustLineEntryV1Ext::V0,
        });
        self.put(LedgerEntryData::Trustline(TrustLineEntry {
            account_id: keys.id(),
            asset: TrustLineAsset::CreditAlphanum4(usdc4(issuer)),
            balance: line.balance,
            limit: line.limit,
            flags: line.flags,
            ext,
        }));
    }

    pub(crate) fn put_data(&self, keys: &Keys, name: &str, value: &[u8]) {
        self.put(LedgerEntryData::Data(DataEntry {
            account_id: keys.id(),
            data_name: stellar_xdr::String64(name.try_into().expect("short")),
            data_value: stellar_xdr::DataValue(value.to_vec().try_into().expect("short")),
            ext: DataEntryExt::V0,
        }));
    }
}
