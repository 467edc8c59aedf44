//! Whose signatures an account's decisions need, as its ledger entry says.

use std::collections::{BTreeMap, BTreeSet};

use payout_keys::Recipient;
use stellar_xdr::{AccountEntry, AccountId, LedgerEntryData, PublicKey, SignerKey, Uint256};

use crate::ledger::{self, keys};
use crate::rpc::{Client, RpcError};

/// The signers of an account and the weight that calling a contract in its name needs: the medium
/// threshold, for an envelope as for an authorisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    account: Recipient,
    needed: u32,
    signers: BTreeMap<[u8; 32], u32>,
}

impl Authority {
    fn of(entry: &AccountEntry) -> Self {
        let AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(own))) = entry.account_id;
        let [master, _, medium, _] = entry.thresholds.0;
        let others = entry.signers.iter().filter_map(|signer| match signer.key {
            SignerKey::Ed25519(Uint256(key)) => Some((key, signer.weight)),
            // The other kinds cannot authorise a contract's call.
            _ => None,
        });
        let master = (own, u32::from(master));
        Self {
            account: Recipient::Account(own),
            // Where nothing is needed, one signature still is.
            needed: u32::from(medium).max(1),
            signers: others
                .chain([master])
                .filter(|(_, weight)| *weight > 0)
                .collect(),
        }
    }

    /// Reads the entries of `accounts`. Who is no account, or does not exist, has none.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn read(
        client: &Client,
        accounts: &[Recipient],
    ) -> Result<BTreeMap<Recipient, Self>, RpcError> {
        let wanted = accounts.iter().filter_map(|account| match account {
            Recipient::Account(key) => Some((*account, keys::account(*key))),
            Recipient::Contract(_) => None,
        });
        let wanted: Vec<_> = wanted.collect();
        let entries = ledger::read(client, wanted.iter().map(|(_, key)| key.clone())).await?;
        let found =
            wanted
                .into_iter()
                .filter_map(|(account, key)| match &entries.get(&key)?.data {
                    LedgerEntryData::Account(entry) => Some((account, Self::of(entry))),
                    _ => None,
                });
        Ok(found.collect())
    }

    /// The account.
    #[must_use]
    pub fn account(&self) -> Recipient {
        self.account
    }

    /// The weight that is needed.
    #[must_use]
    pub fn needed(&self) -> u32 {
        self.needed
    }

    /// Every signer and its weight.
    #[must_use]
    pub fn signers(&self) -> &BTreeMap<[u8; 32], u32> {
        &self.signers
    }

    /// What the signatures of `who` weigh together. The network counts no signer above 255.
    #[must_use]
    pub fn weight(&self, who: &BTreeSet<[u8; 32]>) -> u32 {
        let of = |key: &[u8; 32]| self.signers.get(key).map(|weight| (*weight).min(255));
        who.iter().filter_map(of).fold(0, u32::saturating_add)
    }

    /// Whether the signatures of `who` are enough.
    #[must_use]
    pub fn holds(&self, who: &BTreeSet<[u8; 32]>) -> bool {
        self.weight(who) >= self.needed
    }
}

#[cfg(test)]
mod tests {
    use stellar_xdr::{SequenceNumber, Signer, String32, Thresholds, VecM};

    use super::*;

    fn account(thresholds: [u8; 4], signers: &[([u8; 32], u32)]) -> Authority {
        let signer = |(key, weight): &([u8; 32], u32)| Signer {
            key: SignerKey::Ed25519(Uint256(*key)),
            weight: *weight,
        };
        let signers: Vec<Signer> = signers.iter().map(signer).collect();
        Authority::of(&AccountEntry {
            account_id: AccountId(PublicKey::PublicKeyTypeEd25519(Uint256([1; 32]))),
            balance: 0,
            seq_num: SequenceNumber(0),
            num_sub_entries: 0,
            inflation_dest: None,
            flags: 0,
            home_domain: String32::default(),
            thresholds: Thresholds(thresholds),
            signers: VecM::try_from(signers).expect("few"),
            ext: stellar_xdr::AccountEntryExt::V0,
        })
    }

    #[test]
    fn two_of_three_need_two() {
        let three = account([1, 0, 2, 0], &[([2; 32], 1), ([3; 32], 1)]);
        let who = |keys: &[u8]| keys.iter().map(|key| [*key; 32]).collect();
        assert!(!three.holds(&who(&[1])));
        assert!(three.holds(&who(&[1, 3])));
        assert!(three.holds(&who(&[2, 3])));
        assert!(!three.holds(&who(&[2, 9])), "a stranger weighs nothing");
    }

    #[test]
    fn a_plain_account_needs_its_own_signature_and_a_locked_one_has_none() {
        let plain = account([1, 0, 0, 0], &[]);
        assert!(!plain.holds(&BTreeSet::new()));
        assert!(plain.holds(&BTreeSet::from([[1; 32]])));
        let locked = account([0, 0, 0, 0], &[([2; 32], 300)]);
        assert!(!locked.holds(&BTreeSet::from([[1; 32]])));
        assert_eq!(locked.weight(&BTreeSet::from([[2; 32]])), 255);
    }
}
