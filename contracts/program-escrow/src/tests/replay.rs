//! A consumed key answers and pays nothing: before every brake, whatever the program's life, and
//! whatever the arguments. Balances, storage and events are compared every time.

use soroban_sdk::testutils::{IssuerFlags, Ledger as _};
use soroban_sdk::{Address, BytesN, Vec, vec};

use super::fingerprints::expected;
use super::setup::{FUNDS, Seen, World, args};
use super::steps::Call;
use crate::error::Error;
use crate::types::{PayoutKind, ProgramData};

const SINGLE: &str = "IdmReplay";
const BATCH: &str = "BatPayRp";

/// Makes a call that has to be a replay, and returns its events.
fn replay(world: &World, caller: &Address, (name, args): Call) -> std::vec::Vec<Seen> {
    let program: ProgramData = world.by(caller).ok_unchanged(name, args);
    let events = world.events();
    assert!(world.events_of(&world.asset.address()).is_empty(), "{name}");
    assert_eq!(program, world.program());
    // Each entrypoint has its own event, whichever kind consumed the key.
    let replayed = if name.starts_with("single") {
        SINGLE
    } else {
        BATCH
    };
    assert_eq!(events[0].name, replayed);
    assert_eq!(events[0].field(&world.env, "caller"), Some(caller.clone()));
    events
}

/// The same payout again: one event, no conflict.
fn replay_of_the_same(world: &World, caller: &Address, call: Call) {
    assert_eq!(replay(world, caller, call).len(), 1);
}

fn batch(world: &World, key: &str, recipients: &Vec<Address>, amounts: &[i128]) -> Call {
    let args = args![world, world.text(key), recipients, world.amounts(amounts)];
    ("batch_payout_idempotent", args)
}

#[test]
fn replays_come_before_every_brake_and_after_the_end() {
    let world = World::active();
    let recipient = world.address();
    world.pay_one("k", &recipient, 7);
    let calls = || world.payouts("k", &recipient, 7).into_iter().take(4);
    let replays = || calls().for_each(|call| replay_of_the_same(&world, &world.payout_key, call));

    replays();
    world.limit(1, 0, 1);
    replays();
    world.pause(true, true);
    replays();
    world.trip();
    replays();
    world.asset.issuer().set_flag(IssuerFlags::RevocableFlag);
    world.issuer_sets_authorized(&world.id, false);
    replays();
    world.issuer_sets_authorized(&world.id, true);
    world.close();
    replays();
    world
        .by(&world.admin)
        .ok::<i128>("withdraw_remaining", args![world, world.sponsor]);
    replays();
    assert_eq!(world.balance(&recipient), 7);
    assert_eq!(world.program().payout_count, 1);
}

#[test]
fn whatever_the_arguments() {
    let world = World::active();
    let recipients = world.addresses(2);
    world.pay("k", &recipients, &[10, 20]);
    let one = vec![&world.env, recipients.get_unchecked(0)];
    let twice = vec![
        &world.env,
        recipients.get_unchecked(0),
        recipients.get_unchecked(0),
    ];
    let escrow = vec![&world.env, world.id.clone(), world.asset.address()];
    let garbage = [
        (world.addresses(0), std::vec![]),
        (one.clone(), std::vec![]),
        (one.clone(), std::vec![1, 2, 3]),
        (one, std::vec![i128::MIN]),
        (twice, std::vec![1, 1]),
        (escrow, std::vec![1, 1]),
        (world.addresses(2), std::vec![i128::MAX, i128::MAX]),
        (world.addresses(61), std::vec![1; 61]),
        (recipients.clone(), std::vec![20, 10]),
    ];
    for (other, amounts) in &garbage {
        let call = batch(&world, "k", other, amounts);
        let events = replay(&world, &world.payout_key, call);
        assert_eq!(events.len(), 2);
        assert_eq!(events[1].name, "IdmConfl");
    }
    for (recipient, amount) in [(&world.stranger, 0), (&world.id, 5), (&world.payout_key, 1)] {
        let [single, ..] = world.payouts("k", recipient, amount);
        assert_eq!(replay(&world, &world.payout_key, single).len(), 2);
    }
    replay_of_the_same(
        &world,
        &world.payout_key,
        batch(&world, "k", &recipients, &[10, 20]),
    );
    assert_eq!(world.balance(&world.id), FUNDS - 30);
}

#[test]
fn a_conflict_shows_both_fingerprints() {
    let world = World::active();
    let recipients = world.addresses(2);
    world.pay("k", &recipients, &[10, 20]);
    let call = batch(&world, "k", &recipients, &[10, 21]);

    let events = replay(&world, &world.payout_key, call);

    let conflict = &events[1];
    assert_eq!(conflict.name, "IdmConfl");
    assert_eq!(conflict.key(), "k");
    let field = |name| conflict.field::<BytesN<32>>(&world.env, name).unwrap();
    let fingerprint = |amounts| expected(&recipients, &world.amounts(amounts), None);
    assert_eq!(field("recorded").to_array(), fingerprint(&[10, 20]));
    assert_eq!(field("presented").to_array(), fingerprint(&[10, 21]));
    assert_eq!(field("recorded"), world.record("k").unwrap().fingerprint);
}

#[test]
fn references_are_part_of_the_obligation() {
    let world = World::active();
    let recipients = world.addresses(2);
    let with = |references: Vec<BytesN<16>>| {
        let args = args![
            world,
            world.text("k"),
            world.payout_key,
            recipients,
            world.amounts(&[10, 20]),
            references
        ];
        ("batch_payout_with_references", args)
    };
    let (name, args) = with(world.references(2));
    world.by(&world.payout_key).ok::<ProgramData>(name, args);
    assert_eq!(world.event_names(), ["BatchPay"]);

    replay_of_the_same(&world, &world.payout_key, with(world.references(2)));
    for other in [
        with(world.references(3).slice(1..)),
        with(world.references(0)),
        batch(&world, "k", &recipients, &[10, 20]),
    ] {
        assert_eq!(replay(&world, &world.payout_key, other).len(), 2);
    }

    // And the other way round.
    let world = World::active();
    let [_, plain, .., referenced] = world.payouts("k", &world.stranger, 7);
    world
        .by(&world.payout_key)
        .ok::<ProgramData>(plain.0, plain.1);
    assert_eq!(replay(&world, &world.payout_key, referenced).len(), 2);
}

#[test]
fn delegates_and_the_payout_key_replay_each_others_payouts() {
    let world = World::active();
    let recipient = world.address();
    let payer = world.delegate(7, 60);
    let other = world.delegate(1, 60);
    let [(name, args), ..] = world.payouts_by(&payer, "k", &recipient, 7);
    world.by(&payer).ok::<ProgramData>(name, args);
    // The payer has nothing left, the other never had enough: both learn the truth.
    assert_eq!(world.stored_delegate(&payer).unwrap().allowance, 0);
    for caller in [&payer, &other] {
        for call in &world.payouts_by(caller, "k", &recipient, 7)[..2] {
            replay_of_the_same(&world, caller, call.clone());
        }
    }
    for call in &world.payouts("k", &recipient, 7)[..4] {
        replay_of_the_same(&world, &world.payout_key, call.clone());
    }
    assert_eq!(world.stored_delegate(&other).unwrap().allowance, 1);
    // A payout of the payout key, replayed by the delegates.
    world.pay_one("l", &recipient, 7);
    replay_of_the_same(
        &world,
        &other,
        world.payouts_by(&other, "l", &recipient, 7)[0].clone(),
    );
    // Once the time is over, a delegate learns nothing any more.
    world.later(60);
    for (name, args) in world.payouts_by(&payer, "k", &recipient, 7) {
        world.by(&payer).refused(name, args, Error::DelegateExpired);
    }
    assert_eq!(world.balance(&recipient), 14);
}

#[test]
fn a_voided_key_is_no_replay() {
    let world = World::active();
    world.void("v");
    world.pause(true, true);
    world.trip();
    for (name, args) in world.payouts("v", &world.stranger, 7) {
        world
            .by(&world.payout_key)
            .refused(name, args, Error::KeyVoided);
    }
    let (name, args) = batch(&world, "v", &world.addresses(0), &[1]);
    world
        .by(&world.payout_key)
        .refused(name, args, Error::KeyVoided);
    world.close();
    let [(name, args), ..] = world.payouts("v", &world.stranger, 7);
    world
        .by(&world.payout_key)
        .refused(name, args, Error::KeyVoided);
    assert!(!world.processed("v"));
    assert_eq!(world.record("v").unwrap().kind, PayoutKind::Voided);
}

#[test]
fn imported_keys_have_nothing_to_compare() {
    let world = World::funded_draft();
    world.import(&["k"]);
    for call in world.payouts("k", &world.stranger, 7) {
        // In Draft already: a replay is judged before life.
        replay_of_the_same(&world, &world.payout_key, call);
    }
    world.publish();
    for call in world.payouts("k", &world.stranger, 8) {
        replay_of_the_same(&world, &world.payout_key, call);
    }
    assert_eq!(world.balance(&world.stranger), 0);
}

#[test]
fn a_replay_takes_nothing_from_bucket_or_allowance() {
    let world = World::active();
    let delegate = world.delegate(100, 60);
    world.limit(100, 1, 50);
    let [first, ..] = world.payouts_by(&delegate, "k", &world.stranger, 40);
    world
        .by(&delegate)
        .ok::<ProgramData>(first.0, first.1.clone());
    assert_eq!(world.available(), Some(60));
    for _ in 0..3 {
        replay_of_the_same(&world, &delegate, first.clone());
    }
    assert_eq!(world.available(), Some(60));
    assert_eq!(world.stored_delegate(&delegate).unwrap().allowance, 60);
    // The bucket's clock is not touched either: it refills since the payout.
    world.later(10);
    replay_of_the_same(&world, &delegate, first);
    world.later(10);
    assert_eq!(world.available(), Some(80));
}

#[test]
fn keys_are_compared_byte_by_byte() {
    let world = World::active();
    let recipient = world.address();
    for (count, key) in (1..).zip(["pay-1", "Pay-1", "pay-1.", "pay-10", "pay-01", "pay_1"]) {
        assert_eq!(world.pay_one(key, &recipient, 1).payout_count, count);
    }
    for key in ["pay-1", "Pay-1", "pay-10"] {
        let [single, ..] = world.payouts(key, &recipient, 1);
        replay_of_the_same(&world, &world.payout_key, single);
    }
}

#[test]
fn a_replay_years_later_reads_the_first_record() {
    let world = World::active();
    world.pay_one("k", &world.stranger, 7);
    let record = world.record("k").unwrap();
    assert_eq!(record.ledger, 1_000);
    world.env.ledger().with_mut(|ledger| {
        ledger.sequence_number += 1_000_000;
        ledger.timestamp += 5_000_000;
    });
    world.pay_one("k", &world.stranger, 7);
    assert_eq!(world.event_names(), [SINGLE]);
    assert_eq!(world.record("k"), Some(record));
    assert_eq!(world.balance(&world.stranger), 7);
}

#[test]
fn a_failed_payout_is_no_replay() {
    let world = World::active();
    let recipient = world.address();
    let [single, ..] = world.payouts("k", &recipient, FUNDS + 1);
    for _ in 0..2 {
        world
            .by(&world.payout_key)
            .refused(single.0, single.1.clone(), Error::InsufficientBalance);
    }
    world.fund(1);
    world
        .by(&world.payout_key)
        .ok::<ProgramData>(single.0, single.1.clone());
    assert_eq!(world.event_names(), ["Payout"]);
    replay_of_the_same(&world, &world.payout_key, single);
}
