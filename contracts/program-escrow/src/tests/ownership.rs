//! The admin is the owner: transfer in two steps, no renouncing, upgrade by the owner alone.

use soroban_sdk::testutils::Ledger as _;
use soroban_sdk::{Address, BytesN};

use super::setup::{Refusal, World, args};
use crate::error::Error;

// OpenZeppelin's own numbers, which a client sees beside ours.
const NO_PENDING_TRANSFER: Refusal = Refusal::Typed(2200);
const INVALID_LIVE_UNTIL: Refusal = Refusal::Typed(2201);
const INVALID_PENDING_ACCOUNT: Refusal = Refusal::Typed(2202);

fn propose(world: &World, to: &Address, until: u32) {
    world
        .by(&world.admin)
        .ok::<()>("transfer_ownership", args![world, to, until]);
}

#[test]
fn two_steps_make_a_new_admin() {
    let world = World::active();
    let new = world.address();
    propose(&world, &new, 1_100);
    let event = world.event("ownership_transfer");
    assert_eq!(
        event.field(&world.env, "old_owner"),
        Some(world.admin.clone())
    );
    assert_eq!(event.field(&world.env, "new_owner"), Some(new.clone()));
    assert_eq!(event.field(&world.env, "live_until_ledger"), Some(1_100u32));
    // Until then the old one rules.
    assert_eq!(world.client().get_owner(), Some(world.admin.clone()));
    world
        .by(&new)
        .refused_by_host("close_program", args![world]);

    world.by(&new).ok::<()>("accept_ownership", args![world]);
    let event = world.event("ownership_transfer_completed");
    assert_eq!(event.field(&world.env, "new_owner"), Some(new.clone()));
    assert_eq!(world.client().get_owner(), Some(new.clone()));
    world
        .by(&world.admin)
        .refused_by_host("close_program", args![world]);
    for name in ["pause", "trip_circuit_breaker"] {
        let flags = crate::types::PauseFlags {
            lock: true,
            payout: true,
        };
        let args = if name == "pause" {
            args![world, world.admin, flags, world.text("")]
        } else {
            args![world, world.admin, world.text("")]
        };
        world
            .by(&world.admin)
            .refused(name, args, Error::Unauthorized);
    }
    world.by(&new).ok::<()>("close_program", args![world]);
    let again = world.by(&new);
    again.refused_with("accept_ownership", args![world], &NO_PENDING_TRANSFER);
}

#[test]
fn a_proposal_ends_with_its_ledger() {
    for (ledgers, accepted) in [(0, true), (100, true), (101, false)] {
        let world = World::active();
        let new = world.address();
        propose(&world, &new, 1_100);
        world
            .env
            .ledger()
            .with_mut(|ledger| ledger.sequence_number += ledgers);
        if accepted {
            world.by(&new).ok::<()>("accept_ownership", args![world]);
            assert_eq!(world.client().get_owner(), Some(new));
        } else {
            let answer = world.by(&new).call::<()>("accept_ownership", args![world]);
            assert!(matches!(answer, Err(Refusal::Typed(2200 | 2203))));
            assert_eq!(world.client().get_owner(), Some(world.admin.clone()));
        }
    }
}

#[test]
fn a_proposal_is_cancelled_or_replaced() {
    let world = World::active();
    let [first, second] = [(); 2].map(|()| world.address());
    let admin = world.by(&world.admin);
    admin.refused_with(
        "transfer_ownership",
        args![world, first, 0u32],
        &NO_PENDING_TRANSFER,
    );
    propose(&world, &first, 1_100);
    admin.refused_with(
        "transfer_ownership",
        args![world, second, 0u32],
        &INVALID_PENDING_ACCOUNT,
    );
    propose(&world, &first, 0);
    world
        .by(&first)
        .refused_with("accept_ownership", args![world], &NO_PENDING_TRANSFER);
    propose(&world, &first, 1_100);
    propose(&world, &second, 1_100);
    world
        .by(&first)
        .refused_by_host("accept_ownership", args![world]);
    world.by(&second).ok::<()>("accept_ownership", args![world]);
    assert_eq!(world.client().get_owner(), Some(second));
}

#[test]
fn a_proposal_lives_within_the_networks_bounds() {
    let world = World::active();
    let new = world.address();
    for until in [1, 999, u32::MAX] {
        world.by(&world.admin).refused_with(
            "transfer_ownership",
            args![world, new, until],
            &INVALID_LIVE_UNTIL,
        );
    }
}

#[test]
fn the_owner_is_never_renounced() {
    let world = World::active();
    let callers = [
        world.by(&world.admin),
        world.by(&world.stranger),
        world.unsigned(),
    ];
    for caller in &callers {
        caller.refused(
            "renounce_ownership",
            args![world],
            Error::OwnershipCannotBeRenounced,
        );
    }
    propose(&world, &world.stranger, 1_100);
    for caller in &callers {
        caller.refused(
            "renounce_ownership",
            args![world],
            Error::OwnershipCannotBeRenounced,
        );
    }
    assert_eq!(world.client().get_owner(), Some(world.admin.clone()));
}

#[test]
fn upgrades_are_the_owners() {
    let world = World::active();
    world.appoint_guardian();
    let delegate = world.delegate(1, 60);
    let hash = BytesN::from_array(&world.env, &[7; 32]);
    let others = [
        &world.payout_key,
        &world.guardian,
        &delegate,
        &world.stranger,
        &world.id,
    ];
    for who in others {
        let args = args![world, hash, who];
        // With its signature (the escrow cannot sign), with nobody's, and with the owner's.
        if *who != world.id {
            world
                .by(who)
                .refused("upgrade", args.clone(), Error::Unauthorized);
        }
        world
            .unsigned()
            .refused("upgrade", args.clone(), Error::Unauthorized);
        world
            .by(&world.admin)
            .refused("upgrade", args, Error::Unauthorized);
    }
    // The owner's name without its signature; and a Wasm that was never uploaded.
    let args = args![world, hash, world.admin];
    world.unsigned().refused_by_host("upgrade", args.clone());
    world
        .by(&world.stranger)
        .refused_by_host("upgrade", args.clone());
    world.by(&world.admin).refused_by_host("upgrade", args);
}

#[test]
fn a_pending_owner_has_no_rights_yet() {
    let world = World::active();
    let new = world.address();
    propose(&world, &new, 1_100);
    let hash = BytesN::from_array(&world.env, &[7; 32]);
    world
        .by(&new)
        .refused("upgrade", args![world, hash, new], Error::Unauthorized);
    world.by(&new).refused(
        "void_idempotency_key",
        args![world, new, world.text("k")],
        Error::DelegateNotFound,
    );
}
