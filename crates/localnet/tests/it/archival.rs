//! Entries live and die by their time to live: what dies comes back only where a transaction says
//! so, and pays for it.

use localnet::Limits;
use localnet::xdr::{
    Asset, ContractDataDurability, ContractId, ExtendFootprintTtlOp, ExtensionPoint,
    LedgerEntryChange, LedgerEntryData, LedgerFootprint, LedgerKey, LedgerKeyContractData,
    OperationBody, RestoreFootprintOp, ScAddress, ScVal, ScVec, SorobanResources,
    SorobanTransactionData, SorobanTransactionDataExt, TransactionExt,
};
use serde_json::json;

use crate::common::build::{asset, unsigned, with_sequence};
use crate::common::{Account, Found, Net, Simulated, base64, decode, token};

/// An asset's contract and a balance that a contract holds.
struct Held {
    net: Net,
    issuer: Account,
    contract: ContractId,
}

/// Ledgers that a new persistent entry lives, the one of its creation included.
fn minimum_life() -> u32 {
    Limits::mainnet().archival.min_persistent_ttl
}

impl Held {
    fn new() -> Self {
        let net = Net::at_once();
        let issuer = net.account("issuer");
        let usd = asset("USD", &issuer);
        token::deploy(&net.client, &issuer, &usd);
        let contract = net.localnet.network().asset_contract(&usd);
        let held = Self {
            net,
            issuer,
            contract,
        };
        held.mint(5).succeeded();
        held
    }

    fn mint_call(&self, amount: i128) -> OperationBody {
        let args = vec![token::contract_address(3), token::amount(amount)];
        token::call(&self.contract, "mint", args)
    }

    fn mint(&self, amount: i128) -> Found {
        token::run(&self.net.client, &self.issuer, self.mint_call(amount))
    }

    fn key(&self, key: ScVal) -> LedgerKey {
        LedgerKey::ContractData(LedgerKeyContractData {
            contract: ScAddress::Contract(self.contract.clone()),
            key,
            durability: ContractDataDurability::Persistent,
        })
    }

    fn balance_key(&self) -> LedgerKey {
        let parts = vec![token::symbol("Balance"), token::contract_address(3)];
        self.key(ScVal::Vec(Some(ScVec(parts.try_into().unwrap()))))
    }

    fn instance_key(&self) -> LedgerKey {
        self.key(ScVal::LedgerKeyContractInstance)
    }

    /// When the entry dies, as a client reads it; 0 for what is archived.
    fn live_until(&self, key: &LedgerKey) -> Option<u64> {
        let mut entries = self.net.client.entries(std::slice::from_ref(key));
        entries.pop().and_then(|(_, live_until)| live_until)
    }

    fn simulate_lifetime(&self, body: OperationBody, footprint: LedgerFootprint) -> Simulated {
        let mut tx = with_sequence(&self.issuer, 1, vec![body]);
        tx.ext = TransactionExt::V1(SorobanTransactionData {
            ext: SorobanTransactionDataExt::V0,
            resources: SorobanResources {
                footprint,
                ..SorobanResources::default()
            },
            resource_fee: 0,
        });
        self.net.client.simulate(&unsigned(tx))
    }

    fn submit(&self, body: OperationBody, data: SorobanTransactionData) -> Found {
        let sequence = self.net.client.sequence(&self.issuer) + 1;
        let envelope = token::sealed(&self.net.client, &self.issuer, sequence, body, data);
        self.net.client.submit(&envelope)
    }

    fn die(&self) {
        self.net.localnet.close_ledgers(minimum_life() + 1).unwrap();
    }
}

fn restore() -> OperationBody {
    OperationBody::RestoreFootprint(RestoreFootprintOp {
        ext: ExtensionPoint::V0,
    })
}

fn extend(extend_to: u32) -> OperationBody {
    OperationBody::ExtendFootprintTtl(ExtendFootprintTtlOp {
        ext: ExtensionPoint::V0,
        extend_to,
    })
}

fn reads(keys: Vec<LedgerKey>) -> LedgerFootprint {
    LedgerFootprint {
        read_only: keys.try_into().unwrap(),
        ..LedgerFootprint::default()
    }
}

fn writes(keys: Vec<LedgerKey>) -> LedgerFootprint {
    LedgerFootprint {
        read_write: keys.try_into().unwrap(),
        ..LedgerFootprint::default()
    }
}

fn indices(data: &SorobanTransactionData) -> Vec<u32> {
    match &data.ext {
        SorobanTransactionDataExt::V0 => Vec::new(),
        SorobanTransactionDataExt::V1(ext) => ext.archived_soroban_entries.to_vec(),
    }
}

#[test]
fn a_new_entry_lives_the_minimum_to_the_ledger() {
    let held = Held::new();
    let born = u64::from(held.net.localnet.latest_ledger().unwrap());
    let last = born + u64::from(minimum_life()) - 1;
    assert_eq!(held.live_until(&held.balance_key()), Some(last));
    let wait = u32::try_from(last - born).unwrap();
    held.net.localnet.close_ledgers(wait).unwrap();
    assert_eq!(
        held.live_until(&held.balance_key()),
        Some(last),
        "its last ledger"
    );
    held.net.close();
    assert_eq!(
        held.live_until(&held.balance_key()),
        Some(0),
        "found, and archived"
    );
}

#[test]
fn an_archived_entry_fails_a_call_that_does_not_restore_it() {
    let held = Held::new();
    held.die();
    let (body, mut data, _) = token::simulated(&held.net.client, &held.issuer, held.mint_call(7));
    // Balance and instance are both listed; a read of an archived entry is a write, too.
    assert_eq!(indices(&data).len(), 2);
    assert!(
        data.resources
            .footprint
            .read_write
            .contains(&held.instance_key())
    );
    let whole = data.clone();
    data.ext = SorobanTransactionDataExt::V0;
    let found = held.submit(body.clone(), data);
    assert!(
        found.operation().contains("EntryArchived"),
        "{}",
        found.operation()
    );
    assert_eq!(
        held.live_until(&held.balance_key()),
        Some(0),
        "still archived"
    );

    let found = held.submit(body, whole).succeeded();
    let changes = &found.meta().operations[0].changes;
    let restored = changes
        .iter()
        .filter(|change| matches!(change, LedgerEntryChange::Restored(_)))
        .count();
    assert_eq!(restored, 4, "two entries and their lives");
    let ledger = found.0["ledger"].as_u64().unwrap();
    let last = ledger + u64::from(minimum_life()) - 1;
    assert_eq!(held.live_until(&held.balance_key()), Some(last));
    // The old balance was there all the time.
    let balance = token::call(&held.contract, "balance", vec![token::contract_address(3)]);
    let raw = unsigned(with_sequence(&held.issuer, 1, vec![balance]));
    assert_eq!(held.net.client.simulate(&raw).value(), token::amount(12));
}

#[test]
fn restoring_brings_back_what_is_dead_and_passes_over_what_lives() {
    let held = Held::new();
    held.die();
    let keys = vec![held.balance_key(), held.instance_key()];
    let simulated = held.simulate_lifetime(restore(), writes(keys.clone()));
    assert!(simulated.0.get("results").is_none());
    let data = simulated.data();
    assert_eq!(data.resources.footprint.read_write.len(), 2);
    let found = held.submit(restore(), data).succeeded();
    assert_eq!(found.return_value(), Some(ScVal::Void));
    let changes = &found.meta().operations[0].changes;
    assert!(
        changes
            .iter()
            .all(|change| matches!(change, LedgerEntryChange::Restored(_)))
    );
    held.mint(1).succeeded();
    // Once alive, nothing is left to restore.
    let data = held.simulate_lifetime(restore(), writes(keys)).data();
    assert!(data.resources.footprint.read_write.is_empty());
    let found = held.submit(restore(), data).succeeded();
    assert!(found.meta().operations[0].changes.is_empty());
    let missing = held.simulate_lifetime(restore(), writes(vec![held.key(ScVal::U32(9))]));
    assert!(
        missing
            .error()
            .unwrap()
            .contains("Missing entry to restore")
    );
}

#[test]
fn extending_lengthens_a_life_and_never_shortens_it() {
    let held = Held::new();
    let keys = vec![held.balance_key()];
    let data = held
        .simulate_lifetime(extend(3_000_000), reads(keys.clone()))
        .data();
    let found = held.submit(extend(3_000_000), data).succeeded();
    let until = found.0["ledger"].as_u64().unwrap() + 3_000_000;
    assert_eq!(held.live_until(&held.balance_key()), Some(until));
    let changes = found.meta().operations[0].changes.to_vec();
    // A client looks at exactly these two.
    let [
        LedgerEntryChange::State(before),
        LedgerEntryChange::Updated(after),
    ] = &changes[..]
    else {
        panic!("{changes:?}");
    };
    assert!(matches!(before.data, LedgerEntryData::Ttl(_)));
    let LedgerEntryData::Ttl(ttl) = &after.data else {
        panic!("{after:?}");
    };
    assert_eq!(u64::from(ttl.live_until_ledger_seq), until);
    // Less is a success without a change.
    let mut data = held
        .simulate_lifetime(extend(3_100_000), reads(keys))
        .data();
    data.resource_fee += 100_000_000;
    let found = held.submit(extend(1_000), data).succeeded();
    assert!(found.meta().operations[0].changes.is_empty());
    assert_eq!(held.live_until(&held.balance_key()), Some(until));
}

#[test]
fn an_extension_beyond_the_maximum_is_malformed_and_of_the_dead_asks_for_restoration() {
    let held = Held::new();
    let most = Limits::mainnet().archival.max_entry_ttl - 1;
    let keys = vec![held.balance_key()];
    let data = held
        .simulate_lifetime(extend(most), reads(keys.clone()))
        .data();
    let sequence = held.net.client.sequence(&held.issuer) + 1;
    let envelope = token::sealed(
        &held.net.client,
        &held.issuer,
        sequence,
        extend(most + 1),
        data,
    );
    let sent = held.net.client.send(&envelope);
    assert_eq!(sent.code(), "TxFailed");
    assert!(format!("{:?}", sent.error()).contains("Malformed"));
    held.die();
    let simulated = held.simulate_lifetime(extend(most), reads(keys));
    let preamble: SorobanTransactionData = decode(
        simulated.0["restorePreamble"]["transactionData"]
            .as_str()
            .unwrap(),
    );
    assert_eq!(
        preamble.resources.footprint.read_write.to_vec(),
        [held.balance_key()]
    );
    held.submit(restore(), preamble).succeeded();
    held.submit(extend(most), simulated.data()).succeeded();
}

#[test]
fn a_temporary_entry_is_gone_when_it_dies() {
    let held = Held::new();
    let client = &held.net.client;
    let expires = held.net.localnet.latest_ledger().unwrap() + 100;
    let approve = token::call(
        &held.contract,
        "approve",
        vec![
            token::address(&held.issuer),
            token::contract_address(3),
            token::amount(5),
            ScVal::U32(expires),
        ],
    );
    let found = token::run(client, &held.issuer, approve).succeeded();
    let created = found.meta().operations[0]
        .changes
        .iter()
        .find_map(|change| match change {
            LedgerEntryChange::Created(entry) => match &entry.data {
                LedgerEntryData::ContractData(_) => Some(entry.to_key()),
                _ => None,
            },
            _ => None,
        })
        .expect("the allowance");
    assert!(held.live_until(&created).is_some());
    let temporary = Limits::mainnet().archival.min_temporary_ttl;
    held.net.localnet.close_ledgers(temporary + 1).unwrap();
    let keys = json!({"keys": [base64(&created)]});
    assert!(
        client.ok("getLedgerEntries", keys)["entries"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn classic_entries_never_die() {
    let held = Held::new();
    held.net.localnet.advance(315_360_000).unwrap();
    assert!(held.net.client.balance(&held.issuer) > 0);
    let a = held.net.account("born ten years later");
    let tx = crate::common::build::transaction(
        &held.net.client,
        &a,
        vec![crate::common::build::payment(
            &held.issuer,
            &Asset::Native,
            1,
        )],
    );
    held.net
        .client
        .submit(&held.net.client.sign(&tx, &[&a]))
        .succeeded();
}

#[test]
fn a_restoration_pays_for_a_disk_read_of_every_key() {
    let held = Held::new();
    let charged = |keys: Vec<LedgerKey>| {
        let data = SorobanTransactionData {
            ext: SorobanTransactionDataExt::V0,
            resources: SorobanResources {
                footprint: writes(keys),
                instructions: 0,
                disk_read_bytes: 0,
                write_bytes: 0,
            },
            resource_fee: 1_000_000,
        };
        let found = held.submit(restore(), data).succeeded();
        let localnet::xdr::SorobanTransactionMetaExt::V1(fees) =
            found.meta().soroban_meta.unwrap().ext
        else {
            panic!("no fees in the metadata");
        };
        fees.total_non_refundable_resource_fee_charged
    };
    // Both live, so there is nothing to do; what is declared is paid for all the same.
    let (one, two) = (
        charged(vec![held.balance_key()]),
        charged(vec![held.balance_key(), held.instance_key()]),
    );
    let (read, write, more_bytes) = (1_563, 2_500, 300);
    assert!(
        (read + write..read + write + more_bytes).contains(&(two - one)),
        "{one} {two}"
    );
}
