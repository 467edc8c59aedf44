//! What has to hold on the network, on the compiled Wasm with mainnet's limits.

use std::rc::Rc;
use std::string::ToString;

use soroban_sdk::token::StellarAssetClient;
use soroban_sdk::xdr::{LedgerEntryData, LedgerKey, Limits, ScVal, WriteXdr};
use soroban_sdk::{String, Val, Vec};

use super::network::{Invocation, Ledger, MAX_EMITTED, Written, invoke};
use super::scene::{LONGEST_ID, Scene, TYPICAL, WORST, account_id, call};
use crate::error::Error;
use crate::legacy::BATCH_KEYS;
use crate::tests::setup::args;
use crate::tests::wasm;

fn batch(scene: &Scene, key: &str, count: u32) -> Vec<Val> {
    let (recipients, amounts) = scene.rows(count);
    args![
        scene,
        String::from_str(&scene.env, key),
        recipients,
        amounts
    ]
}

#[test]
fn sixty_recipients_fit_in_the_worst_case() {
    assert_eq!(LONGEST_ID.len(), 64);
    let scene = Scene::new(WORST);

    let paid = scene.invoke(
        "batch_payout_idempotent",
        &batch(&scene, &"k".repeat(256), 60),
    );

    assert_eq!(paid.events.len(), 61);
    // One more transfer would not fit: the limit is what the network allows, not a guess.
    let transfer = paid.events[0].to_xdr(Limits::none()).unwrap().len();
    let emitted = paid.cost.emitted;
    assert!(emitted <= MAX_EMITTED, "{emitted}");
    assert!(
        emitted as usize + transfer > MAX_EMITTED as usize,
        "{emitted} + {transfer}"
    );
}

#[test]
fn sixty_one_recipients_are_too_many() {
    let scene = Scene::new(super::scene::Plan {
        recipients: 61,
        ..TYPICAL
    });
    let (recipients, amounts) = scene.rows(61);

    let answer = scene.client().try_batch_payout_idempotent(
        &String::from_str(&scene.env, "k"),
        &recipients,
        &amounts,
    );

    assert_eq!(
        answer.unwrap_err().unwrap(),
        soroban_sdk::Error::from_contract_error(Error::BatchTooLarge as u32)
    );
}

#[test]
fn keys_of_every_length_fit_the_ledger() {
    let scene = Scene::new(TYPICAL);
    for length in [1, 156, 157, 256] {
        let key = "k".repeat(length);
        let paid = scene.invoke("batch_payout_idempotent", &batch(&scene, &key, 1));
        let (recipients, amounts) = scene.rows(1);
        let text = String::from_str(&scene.env, &key);
        scene
            .client()
            .batch_payout_idempotent(&text, &recipients, &amounts);
        let replayed = scene.invoke("batch_payout_idempotent", &batch(&scene, &key, 1));
        assert_eq!(paid.events.len(), 2, "{length}");
        assert_eq!(replayed.events.len(), 1, "{length}");
        scene.invoke("is_payout_processed", &args![scene, text]);
        let voided = String::from_str(&scene.env, &"v".repeat(length));
        scene.invoke(
            "void_idempotency_key",
            &args![scene, scene.payout_key, voided],
        );
    }
}

/// Thirty keys that are as long as a key can be, and differ.
fn longest_keys(scene: &Scene) -> Vec<String> {
    let key = |number| std::format!("{number:02}{}", "k".repeat(254));
    let keys = (0..30).map(|number| String::from_str(&scene.env, &key(number)));
    Vec::from_iter(&scene.env, keys)
}

#[test]
fn thirty_of_the_longest_keys_are_imported_in_one_call() {
    let scene = Scene::draft(WORST);

    let args = args![scene, longest_keys(&scene)];
    let imported = scene.invoke_as(&scene.admin, "import_consumed_keys", &args);

    assert_eq!(imported.events.len(), 30);
}

#[test]
fn thirty_keys_leave_the_fullest_list_of_the_earlier_layout_in_one_call() {
    let scene = Scene::new(WORST);
    scene.env.as_contract(&scene.escrow, || {
        // One entry has at most 65,536 bytes; a key of 256 takes 264 of them.
        let mut keys = longest_keys(&scene);
        for number in 30..247 {
            let key = std::format!("{number:03}{}", "k".repeat(253));
            keys.push_front(String::from_str(&scene.env, &key));
        }
        scene.env.storage().persistent().set(&BATCH_KEYS, &keys);
    });

    let args = args![scene, 30u32];
    let moved = scene.invoke_as(&scene.admin, "migrate_legacy_keys", &args);

    assert_eq!(moved.value, ScVal::U32(217));
    // And while the list is there, every payout still fits beside it.
    scene.invoke(
        "batch_payout_idempotent",
        &batch(&scene, &"n".repeat(256), 60),
    );
}

/// Puts `count` records of other keys on the ledger, each as a payout would have left it.
fn with_consumed(ledger: &Ledger, record: &Written, count: u32) -> Rc<Ledger> {
    let mut entries = ledger.0.clone();
    for number in 0..count {
        let mut other = record.clone();
        let (LedgerKey::ContractData(key), LedgerEntryData::ContractData(data)) =
            (&mut other.key, &mut other.entry.data)
        else {
            panic!("not a record: {:?}", other.key)
        };
        let ScVal::Vec(Some(parts)) = &key.key else {
            panic!("not a vector: {:?}", key.key)
        };
        let mut digest = [0xa5; 32];
        digest[..4].copy_from_slice(&number.to_be_bytes());
        let digest = ScVal::Bytes(digest.to_vec().try_into().unwrap());
        let name = [parts[0].clone(), digest];
        key.key = ScVal::Vec(Some(name.to_vec().try_into().unwrap()));
        data.key = key.key.clone();
        entries.insert(other.key, (other.entry, other.live_until));
    }
    Rc::new(Ledger(entries))
}

#[test]
fn replay_costs_the_same_at_any_number_of_consumed_keys() {
    let scene = Scene::new(TYPICAL);
    let paid = scene.invoke("batch_payout_idempotent", &batch(&scene, "k", 10));
    let record = record_of(&paid);
    let (recipients, amounts) = scene.rows(10);
    let text = String::from_str(&scene.env, "k");
    scene
        .client()
        .batch_payout_idempotent(&text, &recipients, &amounts);
    let ledger = scene.ledger();

    let [few, many] = [10, 100_000].map(|count| {
        let ledger = with_consumed(&ledger, &record, count);
        scene
            .invoke_on(&ledger, "batch_payout_idempotent", &batch(&scene, "k", 10))
            .unwrap()
    });

    assert_eq!(few.events.len(), 1);
    assert_eq!(few.events, many.events);
    let (few, many) = (few.cost, many.cost);
    assert!(
        u64::from(many.instructions.abs_diff(few.instructions)) * 100
            <= u64::from(few.instructions)
    );
    assert_eq!(
        super::network::Cost {
            instructions: 0,
            ..few
        },
        super::network::Cost {
            instructions: 0,
            ..many
        }
    );
}

/// The key's record among what a payout wrote.
fn record_of(paid: &Invocation) -> Written {
    let name = ScVal::Symbol("IdempotencyKey".try_into().unwrap());
    let is_record = |key: &LedgerKey| {
        matches!(key, LedgerKey::ContractData(data)
            if matches!(&data.key, ScVal::Vec(Some(parts)) if parts[0] == name))
    };
    paid.written
        .iter()
        .find(|written| is_record(&written.key))
        .cloned()
        .unwrap()
}

#[test]
fn a_record_is_small() {
    let scene = Scene::new(WORST);
    let sizes = ["k".to_string(), "k".repeat(256)].map(|key| {
        let paid = scene.invoke("batch_payout_idempotent", &batch(&scene, &key, 60));
        record_of(&paid).size
    });
    assert_eq!(sizes[0], sizes[1], "the size follows the key's length");
    assert!(sizes[0] <= 240, "{sizes:?}");
}

#[test]
fn a_recipient_costs_little_more_than_its_transfer() {
    let scene = Scene::new(TYPICAL);
    let per_recipient = |one: u32, sixty: u32| f64::from(sixty - one) / 59.0;
    let [one, sixty] = [1, 60].map(|count| {
        let args = batch(&scene, "k", count);
        scene
            .invoke("batch_payout_idempotent", &args)
            .cost
            .instructions
    });

    let bare_loop = scene.env.register(wasm::read("bare_loop").as_slice(), ());
    StellarAssetClient::new(&scene.env, &scene.token).mint(&bare_loop, &10_000_000_000_000);
    let ledger = scene.ledger();
    let [bare_one, bare_sixty] = [1, 60].map(|count| {
        let (recipients, amounts) = scene.rows(count);
        let args = args![scene, scene.token, bare_loop, recipients, amounts];
        let function = call(&scene.env, &bare_loop, "pay", &args);
        let source = account_id(&scene.payout_key);
        let paid = invoke(&ledger, &scene.info(), &source, &function).unwrap();
        assert_eq!(paid.events.len(), count as usize);
        paid.cost.instructions
    });

    let ratio = per_recipient(one, sixty) / per_recipient(bare_one, bare_sixty);
    std::println!(
        "instructions a recipient: {:.0}, of a bare loop {:.0}, ratio {ratio:.3}",
        per_recipient(one, sixty),
        per_recipient(bare_one, bare_sixty)
    );
    assert!(ratio <= 1.25, "{ratio}");
}

#[test]
fn nothing_grows_over_five_thousand_payouts() {
    let scene = Scene::new(TYPICAL);
    let mut ledger = scene.ledger();
    let instance = |paid: &Invocation| {
        let is_instance = |key: &LedgerKey| {
            matches!(key, LedgerKey::ContractData(data)
                if data.key == ScVal::LedgerKeyContractInstance)
        };
        let written = paid
            .written
            .iter()
            .find(|written| is_instance(&written.key));
        written.unwrap().size
    };
    let returned = |paid: &Invocation| paid.value.to_xdr(Limits::none()).unwrap().len();
    let mut first = None;

    for number in 0..5_000 {
        let args = batch(&scene, &std::format!("key-{number:04}"), 1);
        let paid = scene
            .invoke_on(&ledger, "batch_payout_idempotent", &args)
            .unwrap();
        ledger.apply(&paid);
        let sizes = (instance(&paid), returned(&paid), paid.cost.footprint);
        assert_eq!(*first.get_or_insert(sizes), sizes, "after payout {number}");
    }

    let program = scene
        .invoke_on(&ledger, "get_program", &args![scene])
        .unwrap();
    let ScVal::Map(Some(fields)) = program.value else {
        panic!("not a map")
    };
    let count = ScVal::Symbol("payout_count".try_into().unwrap());
    let count = fields.iter().find(|field| field.key == count).unwrap();
    assert_eq!(count.val, ScVal::U64(5_000));
}
