//! Common set-up of the cases from the field: their accounts, and trustlines for them.

use std::rc::Rc;

use soroban_sdk::Address;
use soroban_sdk::testutils::IssuerFlags;
use soroban_sdk::xdr::{
    AccountEntry, AccountEntryExt, AccountId, Asset, LedgerEntry, LedgerEntryData, LedgerEntryExt,
    LedgerKey, LedgerKeyAccount, LedgerKeyTrustLine, ScAddress, SequenceNumber, Thresholds,
    TrustLineAsset, TrustLineEntry, TrustLineEntryExt, TrustLineFlags, VecM,
};

use super::setup::World;

pub(crate) const R1: &str = "GAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6MPE";
pub(crate) const R2: &str = "GADXTBSNVIMB5TFN764TG436NCFFG26Y4P625IL7UD3NRBLTTDQE77PC";
/// A contract that nobody deployed.
pub(crate) const C0: &str = "CB2LTNYYHF7NPL7MEW6BBMDTJT7PAW2EVHCRADUCT2FNU36X5JYVSW7Z";

impl World {
    /// A classic account, with a trustline for the asset if it is to hold some.
    pub(crate) fn account(&self, strkey: &str, trusts: bool) -> Address {
        let address = Address::from_str(&self.env, strkey);
        let ScAddress::Account(account_id) = ScAddress::from(&address) else {
            panic!("{strkey} is no account")
        };
        let account = AccountEntry {
            account_id: account_id.clone(),
            balance: 100_000_000,
            seq_num: SequenceNumber(0),
            num_sub_entries: u32::from(trusts),
            inflation_dest: None,
            flags: 0,
            home_domain: <_>::default(),
            thresholds: Thresholds([1, 0, 0, 0]),
            signers: VecM::default(),
            ext: AccountEntryExt::V0,
        };
        let key = LedgerKey::Account(LedgerKeyAccount {
            account_id: account_id.clone(),
        });
        self.put(key, LedgerEntryData::Account(account));
        if trusts {
            self.trust(account_id);
        }
        address
    }

    fn trust(&self, account_id: AccountId) {
        let Asset::CreditAlphanum4(asset) = self.asset.asset() else {
            panic!("an asset with four letters")
        };
        let asset = TrustLineAsset::CreditAlphanum4(asset);
        let key = LedgerKey::Trustline(LedgerKeyTrustLine {
            account_id: account_id.clone(),
            asset: asset.clone(),
        });
        let line = TrustLineEntry {
            account_id,
            asset,
            balance: 0,
            limit: i64::MAX,
            flags: TrustLineFlags::AuthorizedFlag as u32,
            ext: TrustLineEntryExt::V0,
        };
        self.put(key, LedgerEntryData::Trustline(line));
    }

    fn put(&self, key: LedgerKey, data: LedgerEntryData) {
        let entry = LedgerEntry {
            last_modified_ledger_seq: 0,
            data,
            ext: LedgerEntryExt::V0,
        };
        self.env
            .host()
            .add_ledger_entry(&Rc::new(key), &Rc::new(entry), None)
            .unwrap();
    }

    /// The issuer has these powers from now on.
    pub(crate) fn issuer_may(&self, flags: &[IssuerFlags]) {
        for flag in flags {
            self.asset.issuer().set_flag(*flag);
        }
    }
}
