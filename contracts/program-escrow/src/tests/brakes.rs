//! Guardian, pause, circuit breaker and outflow limit.

use soroban_sdk::{Address, String};

use super::setup::{World, args};
use crate::error::Error;
use crate::types::{BreakerState, CircuitBreaker, PauseFlags, ProgramData};

fn flags(lock: bool, payout: bool) -> PauseFlags {
    PauseFlags { lock, payout }
}

fn paused(world: &World) -> (bool, bool) {
    let flags = world.client().get_pause_flags();
    (flags.lock, flags.payout)
}

fn refused_payouts(world: &World, error: Error) {
    for (name, args) in world.payouts("k", &world.stranger, 7) {
        world.by(&world.payout_key).refused(name, args, error);
    }
    world.assert_unused("k");
}

fn reason(world: &World, len: usize) -> String {
    String::from_bytes(&world.env, &std::vec![b'r'; len])
}

#[test]
fn the_guardian_is_set_replaced_and_taken_away() {
    let world = World::active();
    let set = |guardian: Option<Address>| {
        let args = args![world, guardian];
        world.by(&world.admin).ok::<()>("set_guardian", args);
    };
    for guardian in [
        Some(world.guardian.clone()),
        Some(world.sponsor.clone()),
        None,
    ] {
        set(guardian.clone());
        let event = world.event("Guardian");
        assert_eq!(event.field(&world.env, "guardian"), guardian);
        assert_eq!(world.client().get_guardian(), guardian);
        // The same again: nothing to tell.
        set(guardian);
        assert!(world.events().is_empty());
    }
    // Whoever was the guardian is none any more.
    world.by(&world.guardian).refused(
        "trip_circuit_breaker",
        args![world, world.guardian, world.text("")],
        Error::Unauthorized,
    );
}

#[test]
fn pause_sets_and_unpause_clears_what_is_true_and_nothing_else() {
    for before in [(false, false), (false, true), (true, false), (true, true)] {
        for change in [(false, true), (true, false), (true, true)] {
            let world = World::active();
            if before != (false, false) {
                world.pause(before.0, before.1);
            }
            world.pause(change.0, change.1);
            let set = (before.0 || change.0, before.1 || change.1);
            assert_told(&world, before, set, "why");
            world.unpause(change.0, change.1);
            let cleared = (set.0 && !change.0, set.1 && !change.1);
            assert_told(&world, set, cleared, "");
        }
    }
}

/// A change has exactly one event with both states; no change has none.
fn assert_told(world: &World, before: (bool, bool), after: (bool, bool), reason: &str) {
    if before == after {
        assert!(world.events().is_empty());
    } else {
        let event = world.event("Pause");
        let field = |name| event.field::<bool>(&world.env, name).unwrap();
        assert_eq!((field("lock_before"), field("payout_before")), before);
        assert_eq!((field("lock_after"), field("payout_after")), after);
        assert_eq!(event.field(&world.env, "reason"), Some(world.text(reason)));
        assert_eq!(event.field(&world.env, "actor"), Some(world.admin.clone()));
    }
    assert_eq!(paused(world), after);
}

#[test]
fn each_flag_stops_its_own() {
    let world = World::active();
    world.pause(true, false);
    world.mint(&world.sponsor, 5);
    world.lock_refused(&world.sponsor, 5, Error::Paused);
    world.pay_one("a", &world.stranger, 7);
    world.unpause(true, false);
    world.pause(false, true);
    refused_payouts(&world, Error::Paused);
    world.lock(&world.sponsor, 5).unwrap();
    world.unpause(false, true);
    world.pay_one("k", &world.stranger, 7);
}

#[test]
fn pause_judges_flags_then_the_reason() {
    let world = World::active();
    world.appoint_guardian();
    for who in [&world.guardian, &world.admin] {
        let call = |flags: PauseFlags, len| args![world, who, flags, reason(&world, len)];
        let caller = world.by(who);
        caller.refused("pause", call(flags(false, false), 129), Error::NoFlagSet);
        caller.refused("pause", call(flags(true, true), 129), Error::ReasonTooLong);
        caller.refused(
            "pause",
            call(flags(true, true), 1_000),
            Error::ReasonTooLong,
        );
    }
    world.by(&world.admin).refused(
        "unpause",
        args![world, flags(false, false)],
        Error::NoFlagSet,
    );
    // The role comes before both.
    world.by(&world.stranger).refused(
        "pause",
        args![
            world,
            world.stranger,
            flags(false, false),
            reason(&world, 129)
        ],
        Error::Unauthorized,
    );
    for (len, lock) in [(128, true), (0, false)] {
        let args = args![
            world,
            world.guardian,
            flags(lock, !lock),
            reason(&world, len)
        ];
        world.by(&world.guardian).ok::<()>("pause", args);
        let event = world.event("Pause");
        assert_eq!(event.field(&world.env, "reason"), Some(reason(&world, len)));
        assert_eq!(
            event.field(&world.env, "actor"),
            Some(world.guardian.clone())
        );
    }
}

#[test]
fn the_guardian_trips_and_the_admin_resets() {
    let world = World::active();
    world.appoint_guardian();
    world.later(5);
    let tripped_at = world.now();
    world.by(&world.guardian).ok::<()>(
        "trip_circuit_breaker",
        args![world, world.guardian, world.text("odd outflow")],
    );
    let event = world.event("Trip");
    assert_eq!(
        event.field(&world.env, "reason"),
        Some(world.text("odd outflow"))
    );
    let open = CircuitBreaker {
        state: BreakerState::Open,
        reason: world.text("odd outflow"),
        actor: Some(world.guardian.clone()),
        since: tripped_at,
        available: None,
    };
    assert_eq!(world.client().get_circuit_breaker(), open);
    refused_payouts(&world, Error::CircuitOpen);
    world.fund(1);

    // Tripped again, by somebody else and later: the first reason stays.
    world.later(5);
    world.by(&world.admin).ok_unchanged::<()>(
        "trip_circuit_breaker",
        args![world, world.admin, world.text("me too")],
    );
    assert!(world.events().is_empty());
    assert_eq!(world.client().get_circuit_breaker(), open);

    world.reset();
    assert_eq!(world.event_names(), ["Reset"]);
    let closed = CircuitBreaker {
        state: BreakerState::Closed,
        reason: world.text(""),
        actor: Some(world.admin.clone()),
        since: world.now(),
        available: None,
    };
    assert_eq!(world.client().get_circuit_breaker(), closed);
    world.later(5);
    world
        .by(&world.admin)
        .ok_unchanged::<()>("reset_circuit_breaker", args![world]);
    assert!(world.events().is_empty());
    assert_eq!(world.client().get_circuit_breaker(), closed);
    world.pay_one("k", &world.stranger, 7);
}

#[test]
fn a_trip_has_a_reason_of_at_most_128_bytes() {
    let world = World::active();
    let trip = |who: &Address, len| args![world, who, reason(&world, len)];
    let admin = world.by(&world.admin);
    admin.refused(
        "trip_circuit_breaker",
        trip(&world.admin, 129),
        Error::ReasonTooLong,
    );
    world.by(&world.stranger).refused(
        "trip_circuit_breaker",
        trip(&world.stranger, 129),
        Error::Unauthorized,
    );
    admin.ok::<()>("trip_circuit_breaker", trip(&world.admin, 128));
    // Judged even when there is nothing to do.
    admin.refused(
        "trip_circuit_breaker",
        trip(&world.admin, 129),
        Error::ReasonTooLong,
    );
    world.reset();
    admin.ok::<()>("trip_circuit_breaker", trip(&world.admin, 0));
    assert_eq!(world.client().get_circuit_breaker().reason, world.text(""));
}

#[test]
fn nothing_latches_by_failing() {
    // A failing call rolls back what it wrote, so deliberate failures open nothing.
    let world = World::active();
    world.limit(100, 0, 100);
    for _ in 0..20 {
        let [(name, args), ..] = world.payouts("k", &world.stranger, 101);
        world
            .by(&world.payout_key)
            .refused(name, args, Error::PayoutTooLarge);
    }
    let breaker = world.client().get_circuit_breaker();
    assert_eq!(breaker.state, BreakerState::Closed);
    assert_eq!(breaker.since, 0);
    assert_eq!(breaker.available, Some(100));
    world.pay_one("k", &world.stranger, 100);
}

#[test]
fn the_breaker_shows_what_is_available_while_it_is_open() {
    let world = World::active();
    world.limit(100, 1, 100);
    world.pay_one("k", &world.stranger, 100);
    world.later(10);
    world.trip();
    assert_eq!(world.available(), Some(10));
    world.later(10);
    assert_eq!(world.available(), Some(20));
    let answer: ProgramData = world.pay_one("k", &world.stranger, 100);
    assert_eq!(answer.payout_count, 1);
}
