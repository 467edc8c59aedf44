//! The outflow limit: a token bucket over payouts, and a bound on each recipient's amount.

use super::setup::{FUNDS, World, args};
use crate::error::Error;
use crate::storage::{Brakes, DataKey};
use crate::types::{OutflowLimit, ProgramData};

// As the entrypoint takes it.
#[allow(clippy::unnecessary_wraps)]
fn limit(capacity: i128, refill_per_second: i128, max_payout: i128) -> Option<OutflowLimit> {
    Some(OutflowLimit {
        capacity,
        refill_per_second,
        max_payout,
    })
}

/// A program with so much left in a bucket of 100 that refills by 2 a second.
fn with_left(left: i128) -> World {
    let world = World::active();
    world.limit(100, 2, 100);
    if left < 100 {
        world.pay_one("first", &world.stranger, 100 - left);
    }
    assert_eq!(world.available(), Some(left));
    world
}

fn refused(world: &World, amount: i128, error: Error) {
    for (name, args) in world.payouts("refused", &world.stranger, amount) {
        world.by(&world.payout_key).refused(name, args, error);
    }
    world.assert_unused("refused");
}

#[test]
fn none_is_off() {
    let world = World::active();
    assert_eq!(world.client().get_outflow_limit(), None);
    assert_eq!(world.available(), None);
    world.pay_one("k", &world.stranger, FUNDS);
}

#[test]
fn a_limit_starts_full_and_flows() {
    let world = with_left(100);
    assert_eq!(world.client().get_outflow_limit(), limit(100, 2, 100));
    world.pay_one("a", &world.stranger, 60);
    assert_eq!(world.available(), Some(40));
    refused(&world, 41, Error::OutflowLimitExceeded);
    assert_eq!(world.available(), Some(40));
    world.pay_one("b", &world.stranger, 40);
    assert_eq!(world.available(), Some(0));
    refused(&world, 1, Error::OutflowLimitExceeded);
    world.later(1);
    refused(&world, 3, Error::OutflowLimitExceeded);
    world.pay_one("c", &world.stranger, 2);
    assert_eq!(world.available(), Some(0));
}

#[test]
fn it_refills_by_the_second_and_saturates() {
    let world = with_left(10);
    for (seconds, available) in [(0, 10), (1, 12), (29, 70), (14, 98), (1, 100), (1, 100)] {
        world.later(seconds);
        assert_eq!(world.available(), Some(available));
    }
    world.later(1_000_000_000);
    assert_eq!(world.available(), Some(100));
    world.pay_one("k", &world.stranger, 100);
    assert_eq!(world.available(), Some(0));
}

#[test]
fn without_a_refill_it_is_a_budget() {
    let world = World::active();
    world.limit(100, 0, 60);
    world.pay_one("a", &world.stranger, 60);
    world.later(1_000_000_000);
    assert_eq!(world.available(), Some(40));
    refused(&world, 41, Error::OutflowLimitExceeded);
}

#[test]
fn the_largest_numbers_saturate() {
    let world = World::active();
    world.limit(i128::MAX, i128::MAX, i128::MAX);
    world.pay_one("a", &world.stranger, 1);
    assert_eq!(world.available(), Some(i128::MAX - 1));
    world.later(1);
    assert_eq!(world.available(), Some(i128::MAX));
    world.later(u64::MAX / 4);
    assert_eq!(world.available(), Some(i128::MAX));
    world.pay_one("b", &world.stranger, 1);
}

#[test]
fn max_payout_bounds_each_recipient_and_the_bucket_the_sum() {
    let world = World::active();
    world.limit(100, 0, 30);
    refused(&world, 31, Error::PayoutTooLarge);
    let recipients = world.addresses(4);
    let batch =
        |amounts: &[i128]| args![world, world.text("k"), recipients, world.amounts(amounts)];
    let payer = world.by(&world.payout_key);
    // Any row; and each rule over all rows before the next.
    for amounts in [[1, 1, 1, 31], [31, 1, 1, 1], [30, 30, 31, 30]] {
        let args = batch(&amounts);
        payer.refused("batch_payout_idempotent", args, Error::PayoutTooLarge);
    }
    let args = batch(&[30, 30, 30, 11]);
    payer.refused("batch_payout_idempotent", args, Error::OutflowLimitExceeded);
    payer.ok::<ProgramData>("batch_payout_idempotent", batch(&[30, 30, 30, 10]));
    assert_eq!(world.available(), Some(0));
}

#[test]
fn delegates_draw_from_the_same_bucket() {
    let world = with_left(10);
    let delegate = world.delegate(1_000, 60);
    let [(name, args), ..] = world.payouts_by(&delegate, "k", &world.stranger, 11);
    world
        .by(&delegate)
        .refused(name, args, Error::OutflowLimitExceeded);
    let [(name, args), ..] = world.payouts_by(&delegate, "k", &world.stranger, 10);
    world.by(&delegate).ok::<ProgramData>(name, args);
    assert_eq!(world.available(), Some(0));
}

#[test]
fn a_limit_makes_sense_or_is_refused() {
    let world = World::active();
    for wrong in [
        limit(0, 0, 0),
        limit(1, 0, 0),
        limit(1, 0, -1),
        limit(0, 0, 1),
        limit(9, 0, 10),
        limit(-1, 0, -1),
        limit(10, -1, 10),
        limit(i128::MAX, i128::MIN, 1),
        limit(i128::MIN, 0, i128::MAX),
    ] {
        world.by(&world.admin).refused(
            "set_outflow_limit",
            args![world, wrong],
            Error::InvalidOutflowLimit,
        );
    }
    for right in [
        limit(1, 0, 1),
        limit(10, 0, 10),
        limit(i128::MAX, i128::MAX, i128::MAX),
    ] {
        world
            .by(&world.admin)
            .ok::<()>("set_outflow_limit", args![world, right]);
        let event = world.event("OutLimit");
        assert_eq!(event.field(&world.env, "limit"), right);
        assert_eq!(world.client().get_outflow_limit(), right);
    }
}

#[test]
fn the_same_limit_again_changes_nothing() {
    let world = with_left(10);
    world.later(3);
    let same = args![world, limit(100, 2, 100)];
    world
        .by(&world.admin)
        .ok_unchanged::<()>("set_outflow_limit", same);
    assert!(world.events().is_empty());
    assert_eq!(world.available(), Some(16));
    let world = World::active();
    let none = args![world, None::<OutflowLimit>];
    world
        .by(&world.admin)
        .ok_unchanged::<()>("set_outflow_limit", none);
    assert!(world.events().is_empty());
}

#[test]
fn a_change_refills_first_and_then_clamps() {
    // By the old rate up to now, by the new rate from now on.
    let world = with_left(10);
    world.later(5);
    world.limit(1_000, 100, 100);
    assert_eq!(world.available(), Some(20));
    world.later(1);
    assert_eq!(world.available(), Some(120));
    // Less room: what does not fit is gone, and does not come back with more room.
    world.limit(50, 0, 50);
    assert_eq!(world.available(), Some(50));
    world.limit(1_000, 0, 50);
    assert_eq!(world.available(), Some(50));
}

#[test]
fn what_does_not_fit_is_not_kept() {
    // Nothing is stored above the capacity, so no later limit can bring it back, and without a
    // limit the bucket is empty.
    let world = with_left(80);
    let stored = || {
        world.env.as_contract(&world.id, || {
            let brakes: Brakes = world
                .env
                .storage()
                .instance()
                .get(&DataKey::EscrowBrakes)
                .unwrap();
            brakes.available
        })
    };
    world.limit(50, 0, 50);
    assert_eq!(stored(), 50);
    world
        .by(&world.admin)
        .ok::<()>("set_outflow_limit", args![world, None::<OutflowLimit>]);
    assert_eq!(stored(), 0);
}

#[test]
fn off_and_on_again_starts_full() {
    let world = with_left(10);
    world
        .by(&world.admin)
        .ok::<()>("set_outflow_limit", args![world, None::<OutflowLimit>]);
    let event = world.event("OutLimit");
    assert!(!event.fields().contains(&"limit".into()));
    assert_eq!(world.available(), None);
    assert_eq!(world.client().get_outflow_limit(), None);
    world.pay_one("k", &world.stranger, 1_000);
    world.limit(100, 2, 100);
    assert_eq!(world.available(), Some(100));
}

#[test]
fn after_a_reset_outflow_comes_back_slowly() {
    let world = with_left(100);
    world.trip();
    assert_eq!(world.available(), Some(100));
    world.later(1_000);
    world.reset();
    assert_eq!(world.available(), Some(0));
    refused(&world, 1, Error::OutflowLimitExceeded);
    world.later(5);
    assert_eq!(world.available(), Some(10));
    world.pay_one("k", &world.stranger, 10);
    // A reset while closed leaves the bucket alone.
    world.later(5);
    world
        .by(&world.admin)
        .ok_unchanged::<()>("reset_circuit_breaker", args![world]);
    assert_eq!(world.available(), Some(10));
}

#[test]
fn a_limit_set_while_the_breaker_is_open_is_emptied_by_the_reset() {
    let world = World::active();
    world.trip();
    world.limit(100, 2, 100);
    assert_eq!(world.available(), Some(100));
    world.reset();
    assert_eq!(world.available(), Some(0));
    // Without any limit a reset has nothing to empty.
    let world = World::active();
    world.trip();
    world.reset();
    assert_eq!(world.available(), None);
    world.limit(100, 2, 100);
    assert_eq!(world.available(), Some(100));
}

#[test]
fn money_that_is_not_paid_out_does_not_count() {
    let world = with_left(10);
    world.fund(1_000);
    world.void("v");
    world.pay_one("first", &world.stranger, 90);
    assert_eq!(world.available(), Some(10));
    world.close();
    let sent: i128 = world
        .by(&world.admin)
        .ok("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(sent, FUNDS + 1_000 - 90);
    assert_eq!(world.available(), Some(10));
}
