//! Who may do what, over every entrypoint that asks for authorisation.
//!
//! `named`: the caller is an argument, and its role is judged first. `implicit`: the one address
//! that may call is the contract's own knowledge, so every other one fails at the host.

use soroban_sdk::testutils::{AuthorizedFunction, AuthorizedInvocation};
use soroban_sdk::{IntoVal, Symbol, Val, Vec, vec};

use super::entrypoints::{
    Admin, Cast, EVERYBODY, Expired, Guardian, Stranger, flags, implicit, named,
};
use super::setup::{FUNDS, Refusal, World, args};
use super::steps::Call;
use crate::error::Error;
use crate::types::{OutflowLimit, ProgramData};

#[test]
fn implicit_callers_sign_exactly_the_call() {
    for row in implicit() {
        let cast = Cast::new((row.world)());
        cast.world
            .by(cast.who(row.signer))
            .ok::<Val>(row.name, (row.args)(&cast));
    }
}

#[test]
fn nobody_else_can_make_an_implicit_call() {
    for row in implicit() {
        let cast = Cast::new((row.world)());
        let args = (row.args)(&cast);
        cast.world
            .unsigned()
            .refused_by_host(row.name, args.clone());
        for role in EVERYBODY {
            if role != row.signer {
                cast.world
                    .by(cast.who(role))
                    .refused_by_host(row.name, args.clone());
            }
        }
        // It was the signature alone that was missing.
        cast.world
            .by(cast.who(row.signer))
            .ok::<Val>(row.name, args);
    }
}

#[test]
fn a_signature_on_something_else_does_not_count() {
    for row in implicit() {
        let cast = Cast::new((row.world)());
        let args = (row.args)(&cast);
        let signer = cast.world.by(cast.who(row.signer));
        if let Some(others) = row.others {
            signer.refused_having_signed((row.name, &others(&cast)), row.name, &args);
        }
        signer.refused_having_signed(("get_program", &args), row.name, &args);
    }
}

#[test]
fn named_callers_sign_exactly_the_call() {
    for row in named() {
        for role in row.allowed {
            let cast = Cast::new(World::active());
            let who = cast.who(*role);
            cast.world
                .by(who)
                .ok::<Val>(row.name, (row.args)(&cast, who));
        }
    }
}

#[test]
fn a_named_caller_without_the_role_is_told_so_whether_or_not_it_signed() {
    for row in named() {
        let cast = Cast::new(World::active());
        for role in EVERYBODY {
            if row.allowed.contains(&role) {
                continue;
            }
            let who = cast.who(role);
            let args = (row.args)(&cast, who);
            let error = (row.refusal)(role);
            cast.world.by(who).refused(row.name, args.clone(), error);
            cast.world.unsigned().refused(row.name, args.clone(), error);
            // Nor does the signature of one who may help it.
            cast.world
                .by(cast.who(row.allowed[0]))
                .refused(row.name, args, error);
        }
    }
}

#[test]
fn a_name_is_no_signature() {
    for row in named() {
        let cast = Cast::new(World::active());
        for role in row.allowed {
            let who = cast.who(*role);
            let args = (row.args)(&cast, who);
            cast.world
                .unsigned()
                .refused_by_host(row.name, args.clone());
            for other in EVERYBODY.into_iter().filter(|other| other != role) {
                cast.world
                    .by(cast.who(other))
                    .refused_by_host(row.name, args.clone());
            }
            let signer = cast.world.by(who);
            let others = (row.others)(&cast, who);
            signer.refused_having_signed((row.name, &others), row.name, &args);
            signer.refused_having_signed(("get_program", &args), row.name, &args);
        }
    }
}

#[test]
fn an_order_for_one_payout_is_none_for_its_twin() {
    // The same arguments, another entrypoint: another event would stand in the audit.
    let cast = Cast::new(World::active());
    let world = &cast.world;
    let key = world.text("k");
    let single = args![world, key, world.payout_key, world.sponsor, 7i128];
    world.by(&world.payout_key).refused_having_signed(
        ("batch_payout_idempotent_by", &single),
        "single_payout_idempotent_by",
        &single,
    );
    world.assert_unused("k");
}

#[test]
fn a_call_that_changes_nothing_needs_its_signature_all_the_same() {
    let cast = Cast::new(World::active());
    let world = &cast.world;
    world.pause(false, true);
    world.trip();
    world.void("v");
    let same_guardian: Call = ("set_guardian", args![world, Some(world.guardian.clone())]);
    let same_key = ("rotate_payout_key", args![world, world.payout_key]);
    let same_limit = ("set_outflow_limit", args![world, None::<OutflowLimit>]);
    let unpaused = ("unpause", args![world, flags(true, false)]);
    let again = args![world, world.guardian, flags(false, true), world.text("")];
    let guardians = [
        ("pause", again),
        (
            "trip_circuit_breaker",
            args![world, world.guardian, world.text("")],
        ),
    ];
    let voided = (
        "void_idempotency_key",
        args![world, world.payout_key, world.text("v")],
    );
    for (signer, calls) in [
        (
            &world.admin,
            std::vec![same_guardian, same_key, same_limit, unpaused],
        ),
        (&world.guardian, guardians.to_vec()),
        (&world.payout_key, std::vec![voided]),
    ] {
        for (name, args) in calls {
            world.unsigned().refused_by_host(name, args.clone());
            world
                .by(&world.stranger)
                .refused_by_host(name, args.clone());
            world.by(signer).ok_unchanged::<()>(name, args);
            assert!(world.events().is_empty(), "{name}");
        }
    }
}

#[test]
fn a_replay_is_answered_to_nobody_but_payers() {
    let cast = Cast::new(World::active());
    let world = &cast.world;
    world.pay_one("k", &world.sponsor, 7);
    world.void("v");
    for key in ["k", "v"] {
        for (name, args) in world.payouts(key, &world.sponsor, 7) {
            world.unsigned().refused_by_host(name, args.clone());
            world.by(&world.stranger).refused_by_host(name, args);
        }
        for role in [Admin, Guardian, Stranger, Expired] {
            let who = cast.who(role);
            let error = if role == Expired {
                Error::DelegateExpired
            } else {
                Error::DelegateNotFound
            };
            for (name, args) in world.payouts_by(who, key, &world.sponsor, 7) {
                world.by(who).refused(name, args, error);
            }
        }
    }
}

#[test]
fn locking_takes_one_signature_on_the_call_and_its_transfer() {
    let world = World::active();
    world.mint(&world.sponsor, 50);
    let args = args![world, world.sponsor, 50i128];
    // Nobody; somebody else; the call without the transfer inside.
    world
        .unsigned()
        .refused_by_host("lock_program_funds", args.clone());
    world
        .by(&world.stranger)
        .refused_by_host("lock_program_funds", args.clone());
    world.by(&world.sponsor).refused(
        "lock_program_funds",
        args.clone(),
        Error::TokenTransferFailed,
    );
    assert_eq!(world.balance(&world.sponsor), 50);

    let program: ProgramData = world.lock(&world.sponsor, 50).unwrap();
    let transfer = args![world, world.sponsor, world.id, 50i128];
    assert_eq!(
        world.env.auths(),
        [(
            world.sponsor.clone(),
            AuthorizedInvocation {
                function: AuthorizedFunction::Contract((
                    world.id.clone(),
                    Symbol::new(&world.env, "lock_program_funds"),
                    args,
                )),
                sub_invocations: std::vec![AuthorizedInvocation {
                    function: AuthorizedFunction::Contract((
                        world.asset.address(),
                        Symbol::new(&world.env, "transfer"),
                        transfer,
                    )),
                    sub_invocations: std::vec![],
                }],
            },
        )]
    );
    assert_eq!(program.remaining_balance, FUNDS + 50);
}

#[test]
fn views_ask_nobody() {
    let world = World::active();
    let key = world.text("k");
    let calls: [Call; 11] = [
        ("is_payout_processed", args![world, key]),
        ("get_idempotency_record", args![world, key]),
        ("get_program", args![world]),
        ("get_remaining_balance", args![world]),
        ("max_batch_size", args![world]),
        ("get_delegate", args![world, world.stranger]),
        ("get_guardian", args![world]),
        ("get_pause_flags", args![world]),
        ("get_circuit_breaker", args![world]),
        ("get_outflow_limit", args![world]),
        ("get_owner", args![world]),
    ];
    let ledger = world.ledger();
    for (name, args) in calls {
        world.unsigned().ok::<Val>(name, args);
        assert!(world.events().is_empty(), "{name}");
    }
    assert!(world.ledger() == ledger);
}

#[test]
fn the_pending_owner_alone_accepts() {
    let cast = Cast::new(World::active());
    let world = &cast.world;
    world
        .by(&world.admin)
        .ok::<()>("transfer_ownership", args![world, world.sponsor, 2_000u32]);
    world
        .unsigned()
        .refused_by_host("accept_ownership", args![world]);
    for role in EVERYBODY {
        world
            .by(cast.who(role))
            .refused_by_host("accept_ownership", args![world]);
    }
    world
        .by(&world.sponsor)
        .ok::<()>("accept_ownership", args![world]);
    assert_eq!(world.client().get_owner(), Some(world.sponsor.clone()));
}

#[test]
fn renouncing_is_refused_to_everybody() {
    let cast = Cast::new(World::active());
    let refusal = Refusal::Typed(Error::OwnershipCannotBeRenounced as u32);
    for role in EVERYBODY {
        cast.world.by(cast.who(role)).refused_with(
            "renounce_ownership",
            args![cast.world],
            &refusal,
        );
    }
    cast.world
        .unsigned()
        .refused_with("renounce_ownership", args![cast.world], &refusal);
    assert_eq!(cast.world.client().get_owner(), Some(cast.world.admin));
}

#[test]
fn one_address_may_hold_several_roles() {
    let world = World::active();
    // The admin as delegate pays, and as guardian has nothing more than before.
    world.set_delegate(&world.admin, 10, world.now() + 1);
    let recipients = vec![&world.env, world.stranger.clone()];
    let args: Vec<Val> = (
        world.text("k"),
        world.admin.clone(),
        recipients,
        world.amounts(&[10]),
    )
        .into_val(&world.env);
    world
        .by(&world.admin)
        .ok::<ProgramData>("batch_payout_idempotent_by", args);
    assert_eq!(world.stored_delegate(&world.admin).unwrap().allowance, 0);
}
