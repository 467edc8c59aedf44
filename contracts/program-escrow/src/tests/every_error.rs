//! Every error of the registry is reached by a call, once here and in its own tests elsewhere.

use std::vec::Vec as StdVec;

use soroban_sdk::testutils::IssuerFlags;
use soroban_sdk::{Address, String, Val, Vec, vec};

use super::setup::{FUNDS, World, args};
use crate::error::Error;
use crate::life;
use crate::types::{OutflowLimit, PauseFlags};

/// Makes a program, and the call that is refused: who signs it, its name and its arguments.
type Reach = fn() -> (
    World,
    fn(&World) -> Address,
    &'static str,
    fn(&World) -> Vec<Val>,
);

fn admin(world: &World) -> Address {
    world.admin.clone()
}

fn payer(world: &World) -> Address {
    world.payout_key.clone()
}

fn stranger(world: &World) -> Address {
    world.stranger.clone()
}

/// A single payout of seven under `k` to the sponsor.
fn single(world: &World) -> Vec<Val> {
    args![world, world.text("k"), world.sponsor, 7i128]
}

fn of_amount(amount: i128) -> impl Fn(&World) -> Vec<Val> {
    move |world| args![world, world.text("k"), world.sponsor, amount]
}

/// A batch under `k` of so many recipients and amounts.
fn batch(world: &World, recipients: usize, amounts: &[i128]) -> Vec<Val> {
    args![
        world,
        world.text("k"),
        world.addresses(recipients),
        world.amounts(amounts)
    ]
}

/// The stranger was a delegate with an allowance of 5, for a second.
fn with_delegate() -> World {
    let world = World::active();
    world.set_delegate(&world.stranger, 5, world.now() + 1);
    world
}

fn by_stranger(world: &World) -> Vec<Val> {
    args![world, world.text("k"), world.stranger, world.sponsor, 7i128]
}

fn limited() -> World {
    let world = World::active();
    world.limit(10, 0, 5);
    world
}

const SINGLE: &str = "single_payout_idempotent";
const SINGLE_BY: &str = "single_payout_idempotent_by";
const BATCH: &str = "batch_payout_idempotent";

#[rustfmt::skip]
const REACHED: [(Error, Reach); 34] = [
    (Error::NotActive, || (World::funded_draft(), payer, SINGLE, single)),
    (Error::NotDraft, || (World::active(), admin, "publish_program", |w| args![w])),
    (Error::NotClosed, || {
        (World::active(), admin, "withdraw_remaining", |w| args![w, w.sponsor])
    }),
    (Error::AlreadyClosed, || (World::closed(), admin, "close_program", |w| args![w])),
    (Error::NoProgram, || (super::migration::old_instance(), admin, "get_program", |w| args![w])),
    (Error::Unauthorized, || {
        (World::active(), stranger, "trip_circuit_breaker", |w| {
            args![w, w.stranger, w.text("")]
        })
    }),
    (Error::DelegateNotFound, || (World::active(), stranger, SINGLE_BY, by_stranger)),
    (Error::DelegateExpired, || {
        let world = with_delegate();
        world.later(1);
        (world, stranger, SINGLE_BY, by_stranger)
    }),
    (Error::DelegateAllowanceExceeded, || (with_delegate(), stranger, SINGLE_BY, by_stranger)),
    (Error::InvalidExpiry, || {
        (World::active(), admin, "set_delegate", |w| args![w, w.stranger, 1i128, w.now()])
    }),
    (Error::InvalidAllowance, || {
        (World::active(), admin, "set_delegate", |w| args![w, w.stranger, 0i128, w.now()])
    }),
    (Error::OwnershipCannotBeRenounced, || {
        (World::active(), admin, "renounce_ownership", |w| args![w])
    }),
    (Error::InvalidIdempotencyKey, || {
        (World::active(), payer, SINGLE, |w| args![w, w.text("a b"), w.sponsor, 7i128])
    }),
    (Error::KeyVoided, || {
        let world = World::active();
        world.void("k");
        (world, payer, SINGLE, single)
    }),
    (Error::KeyAlreadyConsumed, || {
        let world = World::active();
        world.pay_one("k", &world.sponsor, 7);
        (world, payer, "void_idempotency_key", |w| args![w, w.payout_key, w.text("k")])
    }),
    (Error::TooManyKeys, || {
        (World::active(), admin, "migrate_legacy_keys", |w| args![w, 31u32])
    }),
    (Error::LengthMismatch, || (World::active(), payer, BATCH, |w| batch(w, 2, &[1]))),
    (Error::EmptyBatch, || (World::active(), payer, BATCH, |w| batch(w, 0, &[]))),
    (Error::BatchTooLarge, || (World::active(), payer, BATCH, |w| batch(w, 61, &[1; 61]))),
    (Error::InvalidAmount, || (World::active(), payer, SINGLE, |w| of_amount(0)(w))),
    (Error::DuplicateRecipient, || {
        (World::active(), payer, BATCH, |w| {
            let twice = vec![&w.env, w.sponsor.clone(), w.sponsor.clone()];
            args![w, w.text("k"), twice, w.amounts(&[1, 1])]
        })
    }),
    (Error::InvalidRecipient, || {
        (World::active(), payer, SINGLE, |w| args![w, w.text("k"), w.id, 7i128])
    }),
    (Error::AmountOverflow, || {
        (World::active(), payer, BATCH, |w| batch(w, 2, &[i128::MAX, 1]))
    }),
    (Error::InsufficientBalance, || {
        (World::active(), payer, SINGLE, |w| of_amount(FUNDS + 1)(w))
    }),
    (Error::Paused, || {
        let world = World::active();
        world.pause(false, true);
        (world, payer, SINGLE, single)
    }),
    (Error::CircuitOpen, || {
        let world = World::active();
        world.trip();
        (world, payer, SINGLE, single)
    }),
    (Error::OutflowLimitExceeded, || (limited(), payer, BATCH, |w| batch(w, 3, &[5, 5, 1]))),
    (Error::PayoutTooLarge, || (limited(), payer, SINGLE, single)),
    (Error::InvalidOutflowLimit, || {
        (World::active(), admin, "set_outflow_limit", |w| {
            args![w, Some(OutflowLimit { capacity: 1, refill_per_second: 0, max_payout: 2 })]
        })
    }),
    (Error::NoFlagSet, || {
        (World::active(), admin, "unpause", |w| {
            args![w, PauseFlags { lock: false, payout: false }]
        })
    }),
    (Error::ReasonTooLong, || {
        (World::active(), admin, "trip_circuit_breaker", |w| {
            args![w, w.admin, String::from_bytes(&w.env, &[b'r'; 129])]
        })
    }),
    (Error::TokenTransferFailed, || {
        let world = World::active();
        world.issuer_may(&[IssuerFlags::RevocableFlag]);
        world.issuer_sets_authorized(&world.id, false);
        (world, payer, SINGLE, single)
    }),
    (Error::NothingToMigrate, || (World::active(), admin, "migrate_legacy", |w| args![w])),
    (Error::NotDraft, || {
        (World::closed(), admin, "import_consumed_keys", |w| args![w, w.texts(&[])])
    }),
];

/// Errors that need more than one signature on one call.
fn reached_otherwise() -> [Error; 2] {
    // A deployment shows it only in a diagnostic event; this is the constructor's own code.
    let world = World::draft();
    let answer: Result<(), Result<Error, _>> = world.env.try_as_contract(&world.id, || {
        let [admin, key, token] = [(); 3].map(|()| world.address());
        life::create(&world.env, &admin, world.text("a b"), key, token);
    });
    assert_eq!(answer, Err(Ok(Error::InvalidProgramId)));
    // The transfer inside a lock needs the sponsor's signature too.
    let faulty = super::faulty_token::Faulty::active();
    faulty.set(super::faulty_token::Fault::Nothing);
    let world = &faulty.world;
    world.lock_refused(&world.sponsor, 1, Error::NothingReceived);
    [Error::InvalidProgramId, Error::NothingReceived]
}

#[test]
fn every_error_is_reached() {
    let mut reached = StdVec::from(reached_otherwise());
    for (error, reach) in REACHED {
        let (world, who, name, args) = reach();
        world.by(&who(&world)).refused(name, args(&world), error);
        reached.push(error);
    }
    reached.sort_unstable();
    reached.dedup();
    // The registry, by asking which numbers are in it.
    let registry: StdVec<Error> = (0..10_000)
        .filter_map(|code| Error::try_from(soroban_sdk::Error::from_contract_error(code)).ok())
        .collect();
    assert_eq!(registry.len(), 35);
    assert_eq!(reached, registry);
}
