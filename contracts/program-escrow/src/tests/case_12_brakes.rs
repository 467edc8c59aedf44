//! Cheap to halt, hard to leave? Only guardian and admin can brake, only the admin releases, and
//! with every brake on the money still gets out at the end.

use soroban_sdk::Address;

use super::cases::{R1, R2};
use super::setup::{FUNDS, World, args};
use crate::error::Error;
use crate::types::{BreakerState, PauseFlags, ProgramData};

const BOTH: PauseFlags = PauseFlags {
    lock: true,
    payout: true,
};

fn cast(world: &World) -> [Address; 2] {
    world.appoint_guardian();
    let expired = world.expired_delegate();
    [world.delegate(FUNDS, 60), expired]
}

#[test]
fn low_trust_reports_have_no_effect() {
    let world = World::active();
    let [delegate, expired] = cast(&world);
    for who in [&delegate, &expired, &world.stranger, &world.payout_key] {
        world.by(who).refused(
            "trip_circuit_breaker",
            args![world, who, world.text("anomaly")],
            Error::Unauthorized,
        );
        world.by(who).refused(
            "pause",
            args![world, who, BOTH, world.text("anomaly")],
            Error::Unauthorized,
        );
    }
    let breaker = world.client().get_circuit_breaker();
    assert_eq!(breaker.state, BreakerState::Closed);
    assert_eq!(breaker.actor, None);
    world.pay_one("k", &world.stranger, 1);
}

#[test]
fn the_guardian_brakes_and_only_the_admin_releases() {
    let world = World::active();
    let [delegate, expired] = cast(&world);
    let guardian = world.guardian.clone();
    world.by(&guardian).ok::<()>(
        "trip_circuit_breaker",
        args![world, guardian, world.text("anomaly")],
    );
    let named = |event| world.event(event).field(&world.env, "actor");
    assert_eq!(named("Trip"), Some(guardian.clone()));
    world
        .by(&guardian)
        .ok::<()>("pause", args![world, guardian, BOTH, world.text("anomaly")]);
    assert_eq!(named("Pause"), Some(guardian.clone()));
    assert_eq!(
        world.client().get_circuit_breaker().actor,
        Some(guardian.clone())
    );

    for who in [
        &guardian,
        &delegate,
        &expired,
        &world.stranger,
        &world.payout_key,
    ] {
        world
            .by(who)
            .refused_by_host("reset_circuit_breaker", args![world]);
        world.by(who).refused_by_host("unpause", args![world, BOTH]);
    }
    world.reset();
    assert_eq!(named("Reset"), Some(world.admin.clone()));
    world.unpause(true, true);
    assert_eq!(named("Pause"), Some(world.admin.clone()));
    world.pay_one("k", &world.stranger, 1);
}

#[test]
fn with_all_brakes_on_the_money_gets_out() {
    let world = World::active();
    let r1 = world.account(R1, false);
    let r2 = world.account(R2, true);
    world.pay_one("old", &r2, 1_000);
    world.limit(1, 0, 1);
    world.pause(true, true);
    world.trip();

    let [replay, ..] = world.payouts("old", &r2, 1_000);
    world
        .by(&world.payout_key)
        .ok_unchanged::<ProgramData>(replay.0, replay.1);
    assert_eq!(world.event_names(), ["IdmReplay"]);
    world.void("unused");
    assert_eq!(world.event_names(), ["IdmVoid"]);
    world.close();
    assert_eq!(world.event_names(), ["Close"]);

    // No trustline: nothing changes, and another receiver gets all.
    world.by(&world.admin).refused(
        "withdraw_remaining",
        args![world, r1],
        Error::TokenTransferFailed,
    );
    let sent: i128 = world
        .by(&world.admin)
        .ok("withdraw_remaining", args![world, r2]);
    assert_eq!(sent, FUNDS - 1_000);
    assert_eq!(world.event_names(), ["Withdraw"]);
    assert_eq!(world.balance(&r2), FUNDS);
    let sent: i128 = world
        .by(&world.admin)
        .ok_unchanged("withdraw_remaining", args![world, r2]);
    assert_eq!(sent, 0);
    assert_eq!(world.program().total_withdrawn, FUNDS - 1_000);
    world.assert_books();
    // Nobody had to release anything for it.
    assert_eq!(world.client().get_pause_flags(), BOTH);
    let breaker = world.client().get_circuit_breaker();
    assert_eq!(breaker.state, BreakerState::Open);
}
