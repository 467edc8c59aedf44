//! Delegates: allowance, time, replacement, revocation, and the payout key that is one as well.

use soroban_sdk::{Address, vec};

use super::setup::{FUNDS, World, args};
use crate::error::Error;
use crate::types::{Delegate, ProgramData};

const TEN_YEARS: u64 = 315_360_000;

fn pay_by(world: &World, caller: &Address, key: &str, amount: i128) {
    let [(name, args), ..] = world.payouts_by(caller, key, &world.stranger, amount);
    world.by(caller).ok::<ProgramData>(name, args);
    assert_eq!(world.event_names(), ["Payout"]);
}

fn refused_by(world: &World, caller: &Address, amount: i128, error: Error) {
    for (name, args) in world.payouts_by(caller, "refused", &world.stranger, amount) {
        world.by(caller).refused(name, args, error);
    }
    world.assert_unused("refused");
}

fn left(world: &World, delegate: &Address) -> i128 {
    world.stored_delegate(delegate).unwrap().allowance
}

#[test]
fn the_allowance_is_spent_by_every_payout_and_never_exceeded() {
    let world = World::active();
    let delegate = world.delegate(100, 60);
    refused_by(&world, &delegate, 101, Error::DelegateAllowanceExceeded);
    pay_by(&world, &delegate, "a", 60);
    assert_eq!(left(&world, &delegate), 40);
    refused_by(&world, &delegate, 41, Error::DelegateAllowanceExceeded);
    // A batch counts as its sum, whichever entrypoint.
    let recipients = world.addresses(2);
    let batch = |amounts: &[i128]| {
        args![
            world,
            world.text("b"),
            delegate,
            recipients,
            world.amounts(amounts)
        ]
    };
    world.by(&delegate).refused(
        "batch_payout_idempotent_by",
        batch(&[40, 1]),
        Error::DelegateAllowanceExceeded,
    );
    world
        .by(&delegate)
        .ok::<ProgramData>("batch_payout_idempotent_by", batch(&[39, 1]));
    assert_eq!(left(&world, &delegate), 0);
    refused_by(&world, &delegate, 1, Error::DelegateAllowanceExceeded);
    assert_eq!(world.program().total_paid, 100);
}

#[test]
fn references_spend_the_allowance_too() {
    let world = World::active();
    let delegate = world.delegate(10, 60);
    let [.., (name, args)] = world.payouts_by(&delegate, "k", &world.stranger, 10);
    world.by(&delegate).ok::<ProgramData>(name, args);
    assert_eq!(left(&world, &delegate), 0);
}

#[test]
fn a_delegate_pays_while_now_is_before_its_expiry() {
    let world = World::active();
    let delegate = world.delegate(100, 10);
    world.later(9);
    pay_by(&world, &delegate, "last-second", 1);
    world.later(1);
    refused_by(&world, &delegate, 1, Error::DelegateExpired);
    let void = args![world, delegate, world.text("v")];
    world
        .by(&delegate)
        .refused("void_idempotency_key", void, Error::DelegateExpired);
    // Stored as it was, until somebody revokes it.
    assert_eq!(
        world.stored_delegate(&delegate),
        Some(Delegate {
            allowance: 99,
            expires_at: world.now(),
        })
    );
}

#[test]
fn an_expiry_is_after_now_and_within_ten_years() {
    let world = World::active();
    let now = world.now();
    let delegate = world.address();
    let set = |expires_at: u64| args![world, delegate, 1i128, expires_at];
    let admin = world.by(&world.admin);
    for wrong in [0, 1, now - 1, now, now + TEN_YEARS + 1, u64::MAX] {
        admin.refused("set_delegate", set(wrong), Error::InvalidExpiry);
    }
    assert_eq!(world.stored_delegate(&delegate), None);
    for right in [now + 1, now + TEN_YEARS] {
        admin.ok::<()>("set_delegate", set(right));
        assert_eq!(
            world.stored_delegate(&delegate),
            Some(Delegate {
                allowance: 1,
                expires_at: right,
            })
        );
    }
}

#[test]
fn an_allowance_is_above_zero() {
    let world = World::active();
    let delegate = world.address();
    for wrong in [0, -1, i128::MIN] {
        // The allowance is judged before the expiry.
        for expires_at in [world.now() + 1, 0] {
            world.by(&world.admin).refused(
                "set_delegate",
                args![world, delegate, wrong, expires_at],
                Error::InvalidAllowance,
            );
        }
    }
    // More than there is, is no fault: the balance bounds it.
    world.set_delegate(&delegate, i128::MAX, world.now() + 1);
    refused_by(&world, &delegate, FUNDS + 1, Error::InsufficientBalance);
}

#[test]
fn setting_replaces_and_tells_what_was_left() {
    let world = World::active();
    let delegate = world.address();
    let previous = || {
        let event = world.event("DelegSet");
        event.field::<i128>(&world.env, "previous")
    };
    world.set_delegate(&delegate, 100, world.now() + 60);
    assert_eq!(previous(), None);
    pay_by(&world, &delegate, "k", 30);
    world.set_delegate(&delegate, 50, world.now() + 30);
    assert_eq!(previous(), Some(70));
    assert_eq!(left(&world, &delegate), 50);
    // Always an event, even when nothing changes.
    world.set_delegate(&delegate, 50, world.now() + 30);
    assert_eq!(previous(), Some(50));
    // An expired one is replaced like any other.
    world.later(30);
    world.set_delegate(&delegate, 1, world.now() + 1);
    assert_eq!(previous(), Some(50));
    pay_by(&world, &delegate, "l", 1);
}

#[test]
fn the_payout_key_as_delegate_spends_no_allowance() {
    let world = World::active();
    let key = world.payout_key.clone();
    world.set_delegate(&key, 5, world.now() + 1);
    pay_by(&world, &key, "a", 6);
    assert_eq!(left(&world, &key), 5);
    // It does not expire either.
    world.later(1);
    pay_by(&world, &key, "b", 6);
    assert_eq!(left(&world, &key), 5);
}

#[test]
fn delegates_survive_a_rotation_and_old_keys_fall_back_to_it() {
    let world = World::active();
    let delegate = world.delegate(100, 60);
    let old = world.payout_key.clone();
    world.set_delegate(&old, 5, world.now() + 60);
    world
        .by(&world.admin)
        .ok::<()>("rotate_payout_key", args![world, world.sponsor]);
    pay_by(&world, &delegate, "a", 10);
    assert_eq!(left(&world, &delegate), 90);
    // The old key is a delegate now, and spends.
    refused_by(&world, &old, 6, Error::DelegateAllowanceExceeded);
    pay_by(&world, &old, "b", 5);
    assert_eq!(left(&world, &old), 0);
}

#[test]
fn admin_and_payout_key_revoke() {
    let world = World::active();
    for (who, key) in [(&world.admin, "a"), (&world.payout_key, "b")] {
        let delegate = world.delegate(100, 60);
        pay_by(&world, &delegate, key, 1);
        world
            .by(who)
            .ok::<()>("revoke_delegate", args![world, who, delegate]);
        let event = world.event("DelegRev");
        assert_eq!(event.field(&world.env, "actor"), Some(who.clone()));
        assert_eq!(event.field(&world.env, "allowance"), Some(99i128));
        assert_eq!(world.stored_delegate(&delegate), None);
        refused_by(&world, &delegate, 1, Error::DelegateNotFound);
        world.by(who).refused(
            "revoke_delegate",
            args![world, who, delegate],
            Error::DelegateNotFound,
        );
    }
}

#[test]
fn expired_and_exhausted_ones_are_revoked_too() {
    let world = World::active();
    let expired = world.expired_delegate();
    let exhausted = world.delegate(1, 60);
    pay_by(&world, &exhausted, "k", 1);
    for delegate in [&expired, &exhausted] {
        assert!(world.stored_delegate(delegate).is_some());
        world
            .by(&world.admin)
            .ok::<()>("revoke_delegate", args![world, world.admin, delegate]);
        assert_eq!(world.stored_delegate(delegate), None);
    }
}

#[test]
fn delegates_do_not_share_an_allowance() {
    let world = World::active();
    let delegates = [10, 20, 30].map(|allowance| world.delegate(allowance, 60));
    for (delegate, key) in delegates.iter().zip(["a", "b", "c"]) {
        pay_by(&world, delegate, key, 10);
    }
    let lefts = delegates.map(|delegate| left(&world, &delegate));
    assert_eq!(lefts, [0, 10, 20]);
}

#[test]
fn a_refused_payout_spends_nothing() {
    let world = World::active();
    let delegate = world.delegate(100, 60);
    let recipients = vec![&world.env, world.stranger.clone(), world.id.clone()];
    world.by(&delegate).refused(
        "batch_payout_idempotent_by",
        args![
            world,
            world.text("k"),
            delegate,
            recipients,
            world.amounts(&[1, 1])
        ],
        Error::InvalidRecipient,
    );
    assert_eq!(left(&world, &delegate), 100);
}
