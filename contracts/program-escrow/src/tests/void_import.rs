//! Keys that can never pay: voided by whoever may pay, or imported before the program starts.

use soroban_sdk::{BytesN, String, Vec};

use super::setup::{World, args};
use crate::error::Error;
use crate::idempotency::{Key, record};
use crate::types::{IdempotencyRecord, PayoutKind, ProgramData};

fn unpaid(world: &World, kind: PayoutKind) -> IdempotencyRecord {
    IdempotencyRecord {
        kind,
        payout_id: 0,
        fingerprint: BytesN::from_array(&world.env, &[0; 32]),
        total_amount: 0,
        ledger: world.env.ledger().sequence(),
    }
}

#[test]
fn a_voided_key_never_pays() {
    let world = World::active();
    world.void("v");
    let event = world.event("IdmVoid");
    assert_eq!(event.key(), "v");
    assert!(!world.processed("v"));
    assert_eq!(world.record("v"), Some(unpaid(&world, PayoutKind::Voided)));
    for (name, args) in world.payouts("v", &world.stranger, 7) {
        world
            .by(&world.payout_key)
            .refused(name, args, Error::KeyVoided);
    }
    assert_eq!(world.program().payout_count, 0);
}

#[test]
fn payout_key_admin_and_live_delegates_void() {
    let world = World::active();
    let delegate = world.delegate(1, 60);
    // An exhausted one too.
    let exhausted = world.delegate(1, 60);
    let [(name, args), ..] = world.payouts_by(&exhausted, "k", &world.stranger, 1);
    world.by(&exhausted).ok::<ProgramData>(name, args);
    let all = [&world.payout_key, &world.admin, &delegate, &exhausted];
    for (who, key) in all.into_iter().zip(["a", "b", "c", "d"]) {
        world
            .by(who)
            .ok::<()>("void_idempotency_key", args![world, who, world.text(key)]);
        let event = world.event("IdmVoid");
        assert_eq!(event.field(&world.env, "caller"), Some(who.clone()));
        assert_eq!(world.record(key), Some(unpaid(&world, PayoutKind::Voided)));
    }
    assert_eq!(world.stored_delegate(&delegate).unwrap().allowance, 1);
}

#[test]
fn again_changes_nothing_and_says_nothing() {
    let world = World::active();
    world.void("v");
    for who in [&world.payout_key, &world.admin] {
        world
            .by(who)
            .ok_unchanged::<()>("void_idempotency_key", args![world, who, world.text("v")]);
        assert!(world.events().is_empty());
    }
}

#[test]
fn what_is_consumed_cannot_be_voided() {
    let world = World::draft();
    world.import(&["imported"]);
    world.fund(100);
    world.publish();
    world.pay_one("single", &world.stranger, 1);
    world.pay("batch", &world.addresses(2), &[1, 1]);
    for key in ["imported", "single", "batch"] {
        for who in [&world.payout_key, &world.admin] {
            world.by(who).refused(
                "void_idempotency_key",
                args![world, who, world.text(key)],
                Error::KeyAlreadyConsumed,
            );
        }
        assert!(world.processed(key));
    }
}

#[test]
fn only_valid_keys_are_voided() {
    let world = World::active();
    let env = &world.env;
    for key in [
        String::from_str(env, ""),
        String::from_bytes(env, &[b'k'; 257]),
        String::from_str(env, "a b"),
        String::from_str(env, "é"),
        String::from_bytes(env, &[0x7f]),
        String::from_bytes(env, &[0]),
    ] {
        world.by(&world.payout_key).refused(
            "void_idempotency_key",
            args![world, world.payout_key, key],
            Error::InvalidIdempotencyKey,
        );
        // The role is judged before the key.
        world.by(&world.stranger).refused(
            "void_idempotency_key",
            args![world, world.stranger, key],
            Error::DelegateNotFound,
        );
    }
}

#[test]
fn in_every_state_of_life_pause_and_breaker() {
    for world in [World::draft(), World::active(), World::closed()] {
        world.pause(true, true);
        world.trip();
        world.limit(1, 0, 1);
        world.void("v");
        assert_eq!(world.event_names(), ["IdmVoid"]);
        assert_eq!(world.record("v"), Some(unpaid(&world, PayoutKind::Voided)));
    }
}

#[test]
fn a_refused_payout_leaves_its_key_voidable() {
    let world = World::active();
    let [(name, args), ..] = world.payouts("k", &world.id, 7);
    world
        .by(&world.payout_key)
        .refused(name, args, Error::InvalidRecipient);
    world.void("k");
    let [(name, args), ..] = world.payouts("k", &world.stranger, 7);
    world
        .by(&world.payout_key)
        .refused(name, args, Error::KeyVoided);
}

#[test]
fn imported_keys_are_paid_elsewhere() {
    let world = World::funded_draft();
    world.import(&["a", "b"]);
    let events = world.events();
    assert_eq!(events.len(), 2);
    for (event, key) in events.iter().zip(["a", "b"]) {
        assert_eq!(event.name, "IdmImport");
        assert_eq!(event.key(), key);
        assert!(world.processed(key));
        assert_eq!(
            world.record(key),
            Some(unpaid(&world, PayoutKind::Imported))
        );
    }
    world.publish();
    world.pay_one("a", &world.stranger, 7);
    assert_eq!(world.event_names(), ["IdmReplay"]);
    assert_eq!(world.balance(&world.stranger), 0);
    assert_eq!(world.program().payout_count, 0);
}

#[test]
fn known_keys_are_skipped_without_an_event() {
    let world = World::draft();
    world.void("voided");
    world.import(&["known"]);
    let records = ["voided", "known"].map(|key| world.record(key));

    world.import(&["known", "new", "voided", "new", "new"]);

    assert_eq!(world.event("IdmImport").key(), "new");
    assert_eq!(["voided", "known"].map(|key| world.record(key)), records);
    // Voided stays voided: it was not paid.
    assert!(!world.processed("voided"));
    world.import(&["known", "new", "voided"]);
    assert!(world.events().is_empty());
}

#[test]
fn an_empty_import_is_no_error() {
    let world = World::draft();
    world
        .by(&world.admin)
        .ok_unchanged::<()>("import_consumed_keys", args![world, world.texts(&[])]);
    assert!(world.events().is_empty());
}

#[test]
fn thirty_keys_an_import() {
    let world = World::draft();
    // The longest keys there are: thirty still fit one transaction.
    let mut keys = Vec::new(&world.env);
    for at in 0..31u8 {
        let mut key = [b'k'; 256];
        key[0] = b'A' + at;
        keys.push_back(String::from_bytes(&world.env, &key));
    }
    let admin = world.by(&world.admin);
    admin.refused(
        "import_consumed_keys",
        args![world, keys],
        Error::TooManyKeys,
    );
    keys.pop_back();
    admin.ok::<()>("import_consumed_keys", args![world, keys]);
    assert_eq!(world.events().len(), 30);
    // Known ones count too: the bound is on what is asked.
    let mut twice = world.texts(&["x"; 31]);
    admin.refused(
        "import_consumed_keys",
        args![world, twice],
        Error::TooManyKeys,
    );
    twice.pop_back();
    admin.ok::<()>("import_consumed_keys", args![world, twice]);
    assert_eq!(world.events().len(), 1);
}

#[test]
fn one_bad_key_refuses_the_whole_import() {
    let world = World::draft();
    let long = std::string::String::from_utf8(std::vec![b'k'; 257]).unwrap();
    for bad in ["", "a b", "é", &long] {
        for keys in [[bad, "good"], ["good", bad]] {
            world.by(&world.admin).refused(
                "import_consumed_keys",
                args![world, world.texts(&keys)],
                Error::InvalidIdempotencyKey,
            );
            world.assert_unused("good");
        }
    }
}

#[test]
fn import_judges_life_then_number_then_keys() {
    let world = World::active();
    let many = world.texts(&["a b"; 31]);
    let admin = world.by(&world.admin);
    admin.refused("import_consumed_keys", args![world, many], Error::NotDraft);
    let world = World::draft();
    let many = world.texts(&["a b"; 31]);
    let admin = world.by(&world.admin);
    admin.refused(
        "import_consumed_keys",
        args![world, many],
        Error::TooManyKeys,
    );
    admin.refused(
        "import_consumed_keys",
        args![world, many.slice(1..)],
        Error::InvalidIdempotencyKey,
    );
}

#[test]
fn a_record_is_written_once() {
    // Every caller looks first; the one function that writes looks again, for those to come.
    let world = World::active();
    world.pay_one("paid", &world.stranger, 7);
    world.void("voided");
    for (key, kind) in [
        ("paid", PayoutKind::Voided),
        ("paid", PayoutKind::Imported),
        ("voided", PayoutKind::Imported),
    ] {
        let ledger = world.ledger();
        let text = world.text(key);
        let answer: Result<(), Result<Error, _>> = world.env.try_as_contract(&world.id, || {
            let key = Key::new(&world.env, text);
            record::consume(&world.env, &key, &record::unpaid(&world.env, kind));
        });
        assert_eq!(answer, Err(Ok(Error::KeyAlreadyConsumed)));
        assert!(world.ledger() == ledger);
    }
}
