//! `Draft -> Active -> Closed`, also `Draft -> Closed`, never back: every call that depends on it,
//! and every call that does not.

use soroban_sdk::{Address, Val, Vec};

use super::setup::{FUNDS, Refusal, World, args};
use crate::error::Error;
use crate::types::{OutflowLimit, PauseFlags, ProgramData, ProgramStatus};

const STATES: [fn() -> World; 3] = [World::funded_draft, World::active, World::closed];

/// What the admin is answered in Draft, Active and Closed; None: it works.
type Row = (&'static str, fn(&World) -> Vec<Val>, [Option<Error>; 3]);

fn admins_calls() -> [Row; 15] {
    let always = [None; 3];
    [
        (
            "publish_program",
            |w| args![w],
            [None, Some(Error::NotDraft), Some(Error::NotDraft)],
        ),
        (
            "close_program",
            |w| args![w],
            [None, None, Some(Error::AlreadyClosed)],
        ),
        (
            "credit_surplus",
            |w| args![w],
            [None, None, Some(Error::AlreadyClosed)],
        ),
        (
            "withdraw_remaining",
            |w| args![w, w.sponsor],
            [Some(Error::NotClosed), Some(Error::NotClosed), None],
        ),
        (
            "import_consumed_keys",
            |w| args![w, w.texts(&["k"])],
            [None, Some(Error::NotDraft), Some(Error::NotDraft)],
        ),
        ("rotate_payout_key", |w| args![w, w.sponsor], always),
        (
            "set_delegate",
            |w| args![w, w.sponsor, 1i128, w.now() + 1],
            always,
        ),
        (
            "set_guardian",
            |w| args![w, Some(w.guardian.clone())],
            always,
        ),
        (
            "pause",
            |w| {
                let flags = PauseFlags {
                    lock: true,
                    payout: true,
                };
                args![w, w.admin, flags, w.text("")]
            },
            always,
        ),
        (
            "unpause",
            |w| {
                let flags = PauseFlags {
                    lock: true,
                    payout: true,
                };
                args![w, flags]
            },
            always,
        ),
        (
            "trip_circuit_breaker",
            |w| args![w, w.admin, w.text("")],
            always,
        ),
        ("reset_circuit_breaker", |w| args![w], always),
        (
            "set_outflow_limit",
            |w| args![w, None::<OutflowLimit>],
            always,
        ),
        ("migrate_legacy_keys", |w| args![w, 1u32], always),
        (
            "transfer_ownership",
            |w| args![w, w.sponsor, 2_000u32],
            always,
        ),
    ]
}

#[test]
fn admins_calls_by_state() {
    for (name, args, answers) in admins_calls() {
        for (state, answer) in STATES.iter().zip(answers) {
            let world = state();
            let caller = world.by(&world.admin);
            match answer {
                None => drop(caller.ok::<Val>(name, args(&world))),
                Some(error) => caller.refused(name, args(&world), error),
            }
        }
    }
}

#[test]
fn payouts_only_while_active() {
    for (state, active) in STATES.iter().zip([false, true, false]) {
        for row in 0..5 {
            let world = state();
            let (name, args) = world.payouts("k", &world.stranger, 7)[row].clone();
            let caller = world.by(&world.payout_key);
            if active {
                caller.ok::<ProgramData>(name, args);
                assert_eq!(world.balance(&world.stranger), 7);
            } else {
                caller.refused(name, args, Error::NotActive);
                world.assert_unused("k");
            }
        }
    }
}

#[test]
fn locking_while_draft_and_active() {
    for (state, open) in STATES.iter().zip([true, true, false]) {
        let world = state();
        world.mint(&world.sponsor, 5);
        let answer = world.lock(&world.sponsor, 5).map(|p| p.remaining_balance);
        if open {
            assert_eq!(answer, Ok(FUNDS + 5));
        } else {
            assert_eq!(answer, Err(Refusal::Typed(Error::AlreadyClosed as u32)));
            assert_eq!(world.balance(&world.sponsor), 5);
        }
    }
}

#[test]
fn void_and_revoke_in_every_state() {
    for state in STATES {
        let world = state();
        let delegate = world.delegate(1, 10);
        world.void("v");
        assert_eq!(world.event_names(), ["IdmVoid"]);
        world
            .by(&world.payout_key)
            .ok::<()>("revoke_delegate", args![world, world.payout_key, delegate]);
    }
}

#[test]
fn states_only_go_forward() {
    let world = World::draft();
    assert_eq!(world.program().status, ProgramStatus::Draft);
    world.publish();
    assert_eq!(world.program().status, ProgramStatus::Active);
    world.close();
    assert_eq!(world.program().status, ProgramStatus::Closed);
    let admin = world.by(&world.admin);
    admin.refused("publish_program", args![world], Error::NotDraft);
    admin.refused("close_program", args![world], Error::AlreadyClosed);

    // A draft that is never published still gives its money back.
    let world = World::funded_draft();
    world.close();
    let sent: i128 = world
        .by(&world.admin)
        .ok("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(sent, FUNDS);
}

#[test]
fn closing_stops_neither_replays_nor_views() {
    let world = World::active();
    world.pay_one("k", &world.stranger, 7);
    world.close();
    let ledger = world.ledger();
    for (name, args) in world.payouts("k", &world.stranger, 7) {
        let program: ProgramData = world.by(&world.payout_key).ok(name, args);
        assert_eq!(program.status, ProgramStatus::Closed);
    }
    assert!(world.processed("k"));
    assert!(world.ledger() == ledger);
}

#[test]
fn a_rotated_key_pays_and_the_old_one_does_not() {
    let world = World::active();
    let old = world.payout_key.clone();
    let new = world.address();
    world
        .by(&world.admin)
        .ok::<()>("rotate_payout_key", args![world, new]);
    let [(single, args), ..] = world.payouts("k", &world.stranger, 7);
    world.by(&old).refused_by_host(single, args.clone());
    for (name, args) in world.payouts_by(&old, "k", &world.stranger, 7) {
        world.by(&old).refused(name, args, Error::DelegateNotFound);
    }
    world.by(&new).ok::<ProgramData>(single, args);
    assert_eq!(paid_by(&world), Some(new));
}

fn paid_by(world: &World) -> Option<Address> {
    world.event("Payout").field(&world.env, "caller")
}
