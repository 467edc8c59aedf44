//! One namespace for single and batch payouts:
//! `cargo test -p program-escrow cross_entrypoint_idempotency`.
//!
//! 1. A key consumed by a single payout is replayed by a batch payout.
//! 2. A key consumed by a batch payout is replayed by a single payout.
//! 3. `is_payout_processed` is true after a single payout.
//! 4. `is_payout_processed` is true after a batch payout.
//! 5. `is_payout_processed` is false for a fresh key.
//! 6. A replay across entrypoints does not disturb the check.

use soroban_sdk::vec;

use super::setup::{FUNDS, World, args};
use crate::types::PayoutKind;

#[test]
fn single_then_batch_pays_once() {
    let world = World::active();
    let recipient = world.address();
    let one = vec![&world.env, recipient.clone()];
    world.pay_one("k", &recipient, 500);
    assert_eq!(world.event_names(), ["Payout"]);
    let ledger = world.ledger();

    let program = world.pay("k", &one, &[500]);

    // Single and batch of the same have one fingerprint, so this is no conflict.
    assert_eq!(world.event_names(), ["BatPayRp"]);
    assert!(world.ledger() == ledger);
    assert_eq!(program.payout_count, 1);
    assert_eq!(world.record("k").unwrap().kind, PayoutKind::Single);
    assert_eq!(world.balance(&recipient), 500);
    assert_eq!(world.balance(&world.id), FUNDS - 500);
}

#[test]
fn batch_then_single_pays_once() {
    let world = World::active();
    let recipients = world.addresses(2);
    let first = recipients.get_unchecked(0);
    world.pay("k", &recipients, &[500, 600]);
    assert_eq!(world.event_names(), ["BatchPay"]);
    let ledger = world.ledger();

    let program = world.pay_one("k", &first, 500);

    // One of two recipients is another payout: said aloud, and nothing is paid.
    assert_eq!(world.event_names(), ["IdmReplay", "IdmConfl"]);
    assert!(world.ledger() == ledger);
    assert_eq!(program.payout_count, 1);
    assert_eq!(world.record("k").unwrap().kind, PayoutKind::Batch);
    assert_eq!(world.balance(&first), 500);
    assert_eq!(world.balance(&world.id), FUNDS - 1_100);
}

#[test]
fn processed_after_single() {
    let world = World::active();
    let recipient = world.address();
    world.pay_one("k", &recipient, 1);
    assert_eq!(world.event_names(), ["Payout"]);

    assert!(
        world
            .unsigned()
            .ok::<bool>("is_payout_processed", args![world, world.text("k")])
    );
    assert!(world.events().is_empty());
    assert_eq!(world.balance(&recipient), 1);
    assert_eq!(world.storage().len(), 2);
}

#[test]
fn processed_after_batch() {
    let world = World::active();
    let recipients = world.addresses(2);
    world.pay("k", &recipients, &[1, 2]);
    assert_eq!(world.event_names(), ["BatchPay"]);

    assert!(
        world
            .unsigned()
            .ok::<bool>("is_payout_processed", args![world, world.text("k")])
    );
    assert!(world.events().is_empty());
    assert_eq!(world.balance(&recipients.get_unchecked(1)), 2);
    assert_eq!(world.storage().len(), 2);
}

#[test]
fn fresh_key_is_not_processed() {
    let world = World::active();
    world.pay_one("k", &world.address(), 1);
    let ledger = world.ledger();

    for fresh in ["K", "k ", "kk", ""] {
        let processed: bool = world
            .unsigned()
            .ok("is_payout_processed", args![world, world.text(fresh)]);
        assert!(!processed, "{fresh:?}");
        assert_eq!(world.record(fresh), None);
    }
    assert!(world.events().is_empty());
    assert!(world.ledger() == ledger);
}

#[test]
fn cross_replay_does_not_disturb_the_check() {
    let world = World::active();
    let recipients = world.addresses(2);
    let single = recipients.get_unchecked(0);
    world.pay_one("s", &single, 10);
    world.pay("b", &recipients, &[20, 30]);
    let ledger = world.ledger();
    let records = ["s", "b"].map(|key| world.record(key));

    for _ in 0..2 {
        world.pay("s", &recipients, &[20, 30]);
        assert_eq!(world.event_names(), ["BatPayRp", "IdmConfl"]);
        world.pay_one("b", &single, 10);
        assert_eq!(world.event_names(), ["IdmReplay", "IdmConfl"]);
        for key in ["s", "b"] {
            assert!(world.client().is_payout_processed(&world.text(key)));
        }
    }

    assert_eq!(["s", "b"].map(|key| world.record(key)), records);
    assert!(world.ledger() == ledger);
    assert_eq!(world.balance(&single), 30);
    assert_eq!(world.balance(&world.id), FUNDS - 60);
}
