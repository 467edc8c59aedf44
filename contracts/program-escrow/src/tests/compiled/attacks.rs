//! What an instance of the earlier layout can leave behind at worst, and that payouts and the
//! migration fit the network's limits beside it; and types as the optimised code sees them.

use std::rc::Rc;
use std::vec::Vec as StdVec;

use soroban_sdk::xdr::{
    ContractDataDurability, ContractDataEntry, ExtensionPoint, LedgerEntry, LedgerEntryData,
    LedgerEntryExt, LedgerKey, LedgerKeyContractData, Limits, ScString, ScVal, ScVec, WriteXdr,
};
use soroban_sdk::{Address, Bytes, String, TryFromVal, Val, Vec, vec};

use super::network::{Ledger, invoke};
use super::scene::{Scene, WORST, account_id, call};
use crate::legacy::{BATCH_KEYS, LegacyKey};
use crate::tests::setup::args;

/// Most bytes of one entry.
const MAX_ENTRY: usize = 65_536;

fn batch(scene: &Scene, key: &str) -> Vec<Val> {
    let (recipients, amounts) = scene.rows(60);
    args![
        scene,
        String::from_str(&scene.env, key),
        recipients,
        amounts
    ]
}

fn instance_size(scene: &Scene) -> usize {
    let ledger = scene.ledger();
    let (_, (entry, _)) = ledger
        .0
        .iter()
        .find(|(key, _)| {
            matches!(key, LedgerKey::ContractData(data)
                if data.contract == (&scene.escrow).into()
                    && data.key == ScVal::LedgerKeyContractInstance)
        })
        .unwrap();
    entry.to_xdr(Limits::none()).unwrap().len()
}

/// The ledger with the longest list of batch keys that one entry can hold.
fn with_longest_list(scene: &Scene) -> Rc<Ledger> {
    // A key of four bytes takes twelve of the entry.
    let keys: StdVec<ScVal> = (0..(MAX_ENTRY - 200) / 12)
        .map(|number| ScVal::String(ScString(std::format!("{number:04x}").try_into().unwrap())))
        .collect();
    let data = ContractDataEntry {
        ext: ExtensionPoint::V0,
        contract: (&scene.escrow).into(),
        key: ScVal::try_from_val(&scene.env, &BATCH_KEYS).unwrap(),
        durability: ContractDataDurability::Persistent,
        val: ScVal::Vec(Some(ScVec(keys.try_into().unwrap()))),
    };
    let key = LedgerKey::ContractData(LedgerKeyContractData {
        contract: data.contract.clone(),
        key: data.key.clone(),
        durability: data.durability,
    });
    let entry = LedgerEntry {
        last_modified_ledger_seq: 1,
        data: LedgerEntryData::ContractData(data),
        ext: LedgerEntryExt::V0,
    };
    let size = entry.to_xdr(Limits::none()).unwrap().len();
    assert!((MAX_ENTRY - 200..=MAX_ENTRY).contains(&size), "{size}");
    let mut entries = scene.ledger().0.clone();
    entries.insert(key, (entry, Some(1_000_000)));
    Rc::new(Ledger(entries))
}

#[test]
fn the_list_with_the_most_keys_stops_neither_payouts_nor_its_migration() {
    let scene = Scene::new(WORST);
    let ledger = with_longest_list(&scene);
    let invoke = |who: &Address, name: &str, args: &Vec<Val>| {
        let function = call(&scene.env, &scene.escrow, name, args);
        let done = invoke(&ledger, &scene.info(), &account_id(who), &function).unwrap();
        done.require_within_limits();
        done
    };
    let pay = "batch_payout_idempotent";

    let paid = invoke(&scene.payout_key, pay, &batch(&scene, &"n".repeat(156)));
    let replayed = invoke(&scene.payout_key, pay, &batch(&scene, "0000"));
    assert_eq!((paid.events.len(), replayed.events.len()), (61, 1));
    let moved = invoke(&scene.admin, "migrate_legacy_keys", &args![scene, 30u32]);
    assert_eq!(moved.value, ScVal::U32(5_414));
}

#[test]
fn the_fullest_instance_still_pays() {
    let scene = Scene::new(WORST);
    for number in 0.. {
        scene.env.as_contract(&scene.escrow, || {
            let key = std::format!("{number:04}{}", "s".repeat(60));
            let key = LegacyKey::IdempotencyKey(String::from_str(&scene.env, &key));
            scene.env.storage().instance().set(&key, &true);
        });
        if instance_size(&scene) + 400 > MAX_ENTRY {
            break;
        }
    }
    assert!(instance_size(&scene) > MAX_ENTRY - 500);

    let paid = scene.invoke("batch_payout_idempotent", &batch(&scene, &"n".repeat(156)));
    assert_eq!(paid.events.len(), 61);
    // Nor does it stop whoever brakes, with the longest reason.
    let reason = String::from_str(&scene.env, &"r".repeat(128));
    let tripped = scene.invoke_as(
        &scene.admin,
        "trip_circuit_breaker",
        &args![scene, scene.admin, reason],
    );
    let size = tripped.written[0]
        .entry
        .to_xdr(Limits::none())
        .unwrap()
        .len();
    assert!(size <= MAX_ENTRY, "{size}");
}

#[test]
fn the_optimised_code_looks_at_every_element_too() {
    let scene = Scene::new(super::scene::TYPICAL);
    let (recipients, amounts) = scene.rows(2);
    let pay = |reference: &[u8]| {
        let reference = Bytes::from_slice(&scene.env, reference);
        let references: Vec<Bytes> = vec![&scene.env, reference.clone(), reference];
        let key = String::from_str(&scene.env, "k");
        let caller = &scene.payout_key;
        let args = args![scene, key, caller, recipients, amounts, references];
        scene
            .invoke_on(&scene.ledger(), "batch_payout_with_references", &args)
            .is_ok()
    };
    assert_eq!(
        [pay(&[1; 15]), pay(&[1; 16]), pay(&[1; 17])],
        [false, true, false]
    );
}
