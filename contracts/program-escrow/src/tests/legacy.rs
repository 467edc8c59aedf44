//! What earlier layouts wrote blocks both kinds of payout for ever: read in every namespace, never
//! judged, never written.

use std::panic::{AssertUnwindSafe, catch_unwind};

use soroban_sdk::{String, Symbol, Val, Vec, vec};

use super::setup::{FUNDS, World, args};
use crate::error::Error;
use crate::types::{IdempotencyRecord, PayoutKind, ProgramData};

/// Writes a key as an earlier layout did; its ledger keys are spelled out, because a renamed one
/// would make old keys look unused.
type Write = fn(&World, &String);

const NAMESPACES: [(&str, Write); 3] = [
    ("IdempotencyKey", write_shared),
    ("PayoutIdempotency", write_single),
    ("PayIdem", write_batch),
];

pub(crate) fn write_shared(world: &World, key: &String) {
    let old: Vec<Val> = args![world, Symbol::new(&world.env, "IdempotencyKey"), key];
    world.env.as_contract(&world.id, || {
        world.env.storage().instance().set(&old, &true);
    });
}

pub(crate) fn write_single(world: &World, key: &String) {
    let old: Vec<Val> = args![world, Symbol::new(&world.env, "PayoutIdempotency"), key];
    world.env.as_contract(&world.id, || {
        world.env.storage().persistent().set(&old, &true);
    });
}

pub(crate) fn write_batch(world: &World, key: &String) {
    let mut keys = batch_list(world).unwrap_or_else(|| Vec::new(&world.env));
    keys.push_back(key.clone());
    write_batch_list(world, &keys);
}

pub(crate) fn write_batch_list(world: &World, keys: &Vec<String>) {
    world.env.as_contract(&world.id, || {
        let name = Symbol::new(&world.env, "PayIdem");
        world.env.storage().persistent().set(&name, keys);
    });
}

pub(crate) fn batch_list(world: &World) -> Option<Vec<String>> {
    world.env.as_contract(&world.id, || {
        let name = Symbol::new(&world.env, "PayIdem");
        world.env.storage().persistent().get(&name)
    })
}

fn imported(world: &World) -> IdempotencyRecord {
    IdempotencyRecord {
        kind: PayoutKind::Imported,
        payout_id: 0,
        fingerprint: soroban_sdk::BytesN::from_array(&world.env, &[0; 32]),
        total_amount: 0,
        ledger: 0,
    }
}

#[test]
fn each_namespace_blocks_every_payout() {
    for (namespace, write) in NAMESPACES {
        let world = World::active();
        let key = world.text("old");
        write(&world, &key);
        for (name, args) in world.payouts("old", &world.stranger, 7) {
            let program: ProgramData = world.by(&world.payout_key).ok_unchanged(name, args);
            assert_eq!(program.payout_count, 0, "{namespace}");
            // Nothing to compare, so no conflict.
            let replayed = if name.starts_with("single") {
                "IdmReplay"
            } else {
                "BatPayRp"
            };
            assert_eq!(world.event(replayed).key(), "old");
        }
        assert_eq!(world.balance(&world.stranger), 0);
        assert_eq!(world.balance(&world.id), FUNDS);
        // Its neighbours are free.
        for fresh in ["Old", "ol", "old2"] {
            world.pay_one(fresh, &world.stranger, 1);
        }
        assert_eq!(world.program().payout_count, 3);
    }
}

#[test]
fn both_views_agree_on_each_namespace() {
    for (_, write) in NAMESPACES {
        let world = World::active();
        write(&world, &world.text("old"));
        assert!(world.processed("old"));
        assert_eq!(world.record("old"), Some(imported(&world)));
        world.assert_unused("new");
    }
}

#[test]
fn legacy_keys_cannot_be_voided() {
    for (_, write) in NAMESPACES {
        let world = World::active();
        write(&world, &world.text("old"));
        let delegate = world.delegate(1, 60);
        for who in [&world.payout_key, &world.admin, &delegate] {
            world.by(who).refused(
                "void_idempotency_key",
                args![world, who, world.text("old")],
                Error::KeyAlreadyConsumed,
            );
        }
    }
}

#[test]
fn legacy_keys_are_not_imported_again() {
    for (_, write) in NAMESPACES {
        let world = World::draft();
        write(&world, &world.text("old"));
        let ledger = world.storage();
        world.import(&["old"]);
        assert!(world.events().is_empty());
        assert!(world.storage() == ledger);
        assert_eq!(world.record("old"), Some(imported(&world)));
    }
}

#[test]
fn odd_legacy_keys_are_found_and_never_judged() {
    for (namespace, write) in NAMESPACES {
        let world = World::active();
        let env = &world.env;
        let mut odd = std::vec![
            String::from_str(env, ""),
            String::from_str(env, "two words"),
            String::from_str(env, "über-ключ"),
            String::from_bytes(env, &[0, 0xff, b'\n']),
            String::from_bytes(env, &[b'k'; 156]),
        ];
        if namespace != "PayoutIdempotency" {
            // A persistent entry under a longer key cannot exist on the network.
            odd.push(String::from_bytes(env, &[b'k'; 157]));
            odd.push(String::from_bytes(env, &[b'k'; 256]));
            odd.push(String::from_bytes(env, &[b'k'; 257]));
            odd.push(String::from_bytes(env, &[b'k'; 2_000]));
        }
        for key in odd {
            write(&world, &key);
            assert!(world.client().is_payout_processed(&key), "{key:?}");
            assert_eq!(
                world.client().get_idempotency_record(&key),
                Some(imported(&world))
            );
            let payer = world.by(&world.payout_key);
            let single = args![world, key, world.stranger, 7i128];
            payer.ok_unchanged::<ProgramData>("single_payout_idempotent", single);
            let recipients = vec![env, world.stranger.clone()];
            let batch = args![world, key, recipients, world.amounts(&[7])];
            payer.ok_unchanged::<ProgramData>("batch_payout_idempotent", batch);
            assert_eq!(world.event_names(), ["BatPayRp"]);
            payer.refused(
                "void_idempotency_key",
                args![world, world.payout_key, key],
                Error::KeyAlreadyConsumed,
            );
        }
        assert_eq!(world.balance(&world.stranger), 0);
    }
}

#[test]
fn keys_of_157_bytes_do_not_look_where_they_cannot_have_been_stored() {
    // With such a key in its ledger key the whole transaction is invalid, even if the entry is only
    // looked for. This host enforces it.
    let world = World::active();
    let long = |len| String::from_bytes(&world.env, &[b'k'; 256][..len]);
    let over = catch_unwind(AssertUnwindSafe(|| write_single(&world, &long(157))));
    assert!(over.is_err(), "the host lets long ledger keys through");

    let world = World::active();
    let long = |len| String::from_bytes(&world.env, &[b'k'; 256][..len]);
    for (count, len) in (1..).zip([156, 157, 158, 255, 256]) {
        let key = long(len);
        assert!(!world.client().is_payout_processed(&key));
        for event in ["Payout", "IdmReplay"] {
            world.by(&world.payout_key).ok::<ProgramData>(
                "single_payout_idempotent",
                args![world, key, world.stranger, 7i128],
            );
            assert_eq!(world.event_names(), [event]);
        }
        assert_eq!(world.program().payout_count, count);
    }
    for len in [154, 200] {
        let args = args![world, world.payout_key, long(len)];
        world
            .by(&world.payout_key)
            .ok::<()>("void_idempotency_key", args);
    }
}

#[test]
fn a_record_of_ours_wins_over_older_namespaces() {
    let world = World::active();
    world.pay_one("k", &world.stranger, 7);
    let record = world.record("k");
    for (_, write) in NAMESPACES {
        write(&world, &world.text("k"));
    }
    assert_eq!(world.record("k"), record);
    // So a conflict is still seen.
    world.pay_one("k", &world.stranger, 8);
    assert_eq!(world.event_names(), ["IdmReplay", "IdmConfl"]);
}

#[test]
fn payouts_never_write_older_namespaces() {
    let world = World::active();
    for (_, write) in NAMESPACES {
        write(&world, &world.text("old"));
    }
    let before = world.storage();
    world.pay_one("new", &world.stranger, 7);
    let after = world.storage();
    assert_eq!(after.len(), before.len() + 1);
    // All but the instance and the new record are as they were.
    let kept = before.iter().filter(|entry| after.contains(entry)).count();
    assert_eq!(kept, before.len() - 1);
    assert_eq!(batch_list(&world), Some(world.texts(&["old"])));
    assert!(world.processed("old"));
}
