//! An instance of the earlier layout, upgraded to this code, becomes usable and goes on paying.

use soroban_sdk::{Address, IntoVal, Map, String, Symbol, TryFromVal, Val, Vec, contracttype, vec};
use stellar_access::ownable::OwnableStorageKey;

use super::legacy::{batch_list, write_batch_list, write_shared, write_single};
use super::setup::{FUNDS, World, args};
use super::steps::Call;
use crate::error::Error;
use crate::storage::DataKey;
use crate::types::{OutflowLimit, PauseFlags, PayoutKind, ProgramData, ProgramStatus};

/// A payout in the earlier layout's growing history.
#[contracttype]
#[derive(Clone)]
struct OldPayout {
    amount: i128,
    recipient: Address,
    timestamp: u64,
}

/// The earlier layout's program.
#[contracttype]
#[derive(Clone)]
struct OldProgram {
    authorized_payout_key: Address,
    payout_history: Vec<OldPayout>,
    program_id: String,
    remaining_balance: i128,
    token_address: Address,
    total_funds: i128,
}

/// The program as it was: half of it paid, and `world.stranger` is its admin.
fn old_program(world: &World) -> OldProgram {
    OldProgram {
        authorized_payout_key: world.payout_key.clone(),
        payout_history: vec![
            &world.env,
            OldPayout {
                amount: FUNDS,
                recipient: world.sponsor.clone(),
                timestamp: 1_700_000_000,
            },
        ],
        // An id that our constructor would not take.
        program_id: world.text("Old Program / 2024"),
        remaining_balance: FUNDS,
        token_address: world.asset.address(),
        total_funds: 2 * FUNDS,
    }
}

/// What an upgrade leaves behind: our code, and only what the earlier layout wrote.
pub(crate) fn old_instance() -> World {
    let world = World::draft();
    let env = &world.env;
    let admin: Vec<Val> = args![world, Symbol::new(env, "Admin")];
    env.as_contract(&world.id, || {
        let instance = env.storage().instance();
        instance.remove(&DataKey::EscrowProgram);
        instance.remove(&DataKey::EscrowBrakes);
        instance.remove(&OwnableStorageKey::Owner);
        instance.set(&admin, &world.stranger);
        instance.set(&Symbol::new(env, "ProgData"), &old_program(&world));
    });
    world.mint(&world.id, FUNDS);
    world
}

fn set_old(world: &World, name: &str, value: Option<Val>) {
    let env = &world.env;
    let admin: Vec<Val> = args![world, Symbol::new(env, "Admin")];
    let key: Val = if name == "Admin" {
        admin.into_val(env)
    } else {
        Symbol::new(env, name).into_val(env)
    };
    env.as_contract(&world.id, || match value {
        Some(value) => env.storage().instance().set(&key, &value),
        None => env.storage().instance().remove(&key),
    });
}

pub(crate) fn migrate(world: &World) {
    world
        .by(&world.stranger)
        .ok::<()>("migrate_legacy", args![world]);
}

#[test]
fn the_old_admin_takes_the_instance_over() {
    let world = old_instance();
    migrate(&world);

    let event = world.event("MigProg");
    assert_eq!(
        event.field(&world.env, "actor"),
        Some(world.stranger.clone())
    );
    assert_eq!(event.field(&world.env, "total_funds"), Some(2 * FUNDS));
    assert_eq!(event.field(&world.env, "remaining_balance"), Some(FUNDS));
    assert_eq!(
        world.program(),
        ProgramData {
            program_id: world.text("Old Program / 2024"),
            token: world.asset.address(),
            authorized_payout_key: world.payout_key.clone(),
            status: ProgramStatus::Active,
            total_locked: FUNDS,
            total_paid: 0,
            total_withdrawn: 0,
            remaining_balance: FUNDS,
            payout_count: 0,
        }
    );
    assert_eq!(world.client().get_owner(), Some(world.stranger.clone()));
    assert_eq!(world.client().get_guardian(), None);
    assert_eq!(world.client().get_outflow_limit(), None);
    // The old entries are gone, and with them the growing history.
    world.env.as_contract(&world.id, || {
        let instance = world.env.storage().instance();
        let admin: Vec<Val> = args![world, Symbol::new(&world.env, "Admin")];
        assert!(!instance.has(&admin));
        assert!(!instance.has(&Symbol::new(&world.env, "ProgData")));
    });
}

#[test]
fn only_the_old_admin_can() {
    let world = old_instance();
    world
        .unsigned()
        .refused_by_host("migrate_legacy", args![world]);
    for who in [&world.admin, &world.payout_key, &world.sponsor] {
        world
            .by(who)
            .refused_by_host("migrate_legacy", args![world]);
    }
}

#[test]
fn there_is_no_second_time() {
    let world = old_instance();
    migrate(&world);
    let again = || {
        for caller in [world.by(&world.stranger), world.unsigned()] {
            caller.refused("migrate_legacy", args![world], Error::NothingToMigrate);
        }
    };
    again();
    // Not even when old entries come back beside a program of ours.
    set_old(&world, "Admin", Some(world.admin.into_val(&world.env)));
    let old = old_program(&world).into_val(&world.env);
    set_old(&world, "ProgData", Some(old));
    again();
}

#[test]
fn a_program_of_ours_has_nothing_to_migrate() {
    for world in [World::draft(), World::active(), World::closed()] {
        for caller in [world.by(&world.admin), world.unsigned()] {
            caller.refused("migrate_legacy", args![world], Error::NothingToMigrate);
        }
    }
}

#[test]
fn what_is_missing_or_unreadable_is_said_before_authorisation() {
    let refused = |spoil: &dyn Fn(&World)| {
        let world = old_instance();
        spoil(&world);
        for caller in [world.unsigned(), world.by(&world.stranger)] {
            caller.refused("migrate_legacy", args![world], Error::NothingToMigrate);
        }
        assert_eq!(world.client().get_owner(), None);
    };
    refused(&|world| set_old(world, "Admin", None));
    refused(&|world| set_old(world, "Admin", Some(7u32.into())));
    refused(&|world| set_old(world, "ProgData", None));
    refused(&|world| set_old(world, "ProgData", Some(7u32.into())));
    let empty: fn(&World) -> Val = |world| Vec::<Val>::new(&world.env).into_val(&world.env);
    refused(&|world| set_old(world, "ProgData", Some(empty(world))));
    for field in [
        "program_id",
        "authorized_payout_key",
        "token_address",
        "total_funds",
        "remaining_balance",
    ] {
        for value in [None, Some(Val::VOID.to_val()), Some(true.into())] {
            refused(&|world| {
                let old: Val = old_program(world).into_val(&world.env);
                let mut map = Map::<Symbol, Val>::try_from_val(&world.env, &old).unwrap();
                let name = Symbol::new(&world.env, field);
                match value {
                    None => drop(map.remove(name)),
                    Some(value) => map.set(name, value),
                }
                set_old(world, "ProgData", Some(map.into_val(&world.env)));
            });
        }
    }
    // Books below zero would never balance.
    refused(&|world| {
        let old = OldProgram {
            remaining_balance: -1,
            ..old_program(world)
        };
        set_old(world, "ProgData", Some(old.into_val(&world.env)));
    });
}

#[test]
fn nothing_else_works_before() {
    let world = old_instance();
    let w = &world;
    let flags = PauseFlags {
        lock: true,
        payout: true,
    };
    let mut calls: std::vec::Vec<Call> = w.payouts("k", &w.sponsor, 7).to_vec();
    calls.extend::<[Call; 27]>([
        ("void_idempotency_key", args![w, w.payout_key, w.text("k")]),
        ("get_program", args![w]),
        ("get_remaining_balance", args![w]),
        ("lock_program_funds", args![w, w.stranger, 1i128]),
        ("credit_surplus", args![w]),
        ("publish_program", args![w]),
        ("close_program", args![w]),
        ("withdraw_remaining", args![w, w.stranger]),
        ("rotate_payout_key", args![w, w.stranger]),
        ("set_delegate", args![w, w.stranger, 0i128, 0u64]),
        ("revoke_delegate", args![w, w.stranger, w.stranger]),
        ("get_delegate", args![w, w.stranger]),
        ("set_guardian", args![w, None::<Address>]),
        ("get_guardian", args![w]),
        ("pause", args![w, w.stranger, flags, w.text("")]),
        ("unpause", args![w, flags]),
        ("get_pause_flags", args![w]),
        ("trip_circuit_breaker", args![w, w.stranger, w.text("")]),
        ("reset_circuit_breaker", args![w]),
        ("get_circuit_breaker", args![w]),
        ("set_outflow_limit", args![w, None::<OutflowLimit>]),
        ("get_outflow_limit", args![w]),
        ("import_consumed_keys", args![w, w.texts(&[])]),
        ("migrate_legacy_keys", args![w, 1u32]),
        ("transfer_ownership", args![w, w.stranger, 2_000u32]),
        ("accept_ownership", args![w]),
        ("renounce_ownership", args![w]),
    ]);
    calls.push(("upgrade", args![w, w.digest("wasm"), w.stranger]));
    for (name, args) in calls {
        w.unsigned().refused(name, args.clone(), Error::NoProgram);
        w.by(&w.stranger).refused(name, args, Error::NoProgram);
    }
    // The exceptions.
    assert_eq!(w.client().get_owner(), None);
    assert_eq!(w.client().max_batch_size(), 60);
    write_shared(w, &w.text("old"));
    assert!(w.processed("old"));
    assert_eq!(w.record("old").unwrap().kind, PayoutKind::Imported);
    w.assert_unused("k");
    migrate(w);
}

#[test]
fn a_migrated_instance_goes_on_paying() {
    let world = old_instance();
    let shared = world.text("paid-shared");
    let single = world.text("paid-single");
    write_shared(&world, &shared);
    write_single(&world, &single);
    write_batch_list(&world, &world.texts(&["paid-batch"]));
    migrate(&world);

    for key in ["paid-shared", "paid-single", "paid-batch"] {
        let program = world.pay_one(key, &world.sponsor, 7);
        assert_eq!(world.event_names(), ["IdmReplay"]);
        assert_eq!(program.payout_count, 0);
    }
    let left: u32 = world
        .by(&world.stranger)
        .ok("migrate_legacy_keys", args![world, 30u32]);
    assert_eq!(left, 0);
    world.pay_one("paid-batch", &world.sponsor, 7);
    assert_eq!(world.event_names(), ["IdmReplay"]);
    assert_eq!(world.balance(&world.sponsor), 0);

    world.pay("new", &world.addresses(2), &[10, 20]);
    assert_eq!(world.event_names(), ["BatchPay"]);
    world.fund(70);
    let program = world.program();
    assert_eq!(program.payout_count, 1);
    assert_eq!(program.total_locked, FUNDS + 70);
    assert_eq!(program.remaining_balance, FUNDS + 40);
    world.assert_books();
    let owner = world.by(&world.stranger);
    owner.ok::<()>("close_program", args![world]);
    let sent: i128 = owner.ok("withdraw_remaining", args![world, world.stranger]);
    assert_eq!(sent, FUNDS + 40);
}

/// Moves keys as the admin of a program of ours; returns moved and left, as the event tells.
fn move_keys(world: &World, limit: u32) -> (u32, u32) {
    let left: u32 = world
        .by(&world.admin)
        .ok("migrate_legacy_keys", args![world, limit]);
    let event = world.event("MigKeys");
    assert_eq!(event.field(&world.env, "left"), Some(left));
    assert_eq!(event.field(&world.env, "actor"), Some(world.admin.clone()));
    (event.field(&world.env, "moved").unwrap(), left)
}

#[test]
fn one_to_thirty_keys_a_call() {
    let world = World::active();
    write_batch_list(&world, &world.texts(&["a", "b"]));
    for limit in [0, 31, u32::MAX] {
        world.by(&world.admin).refused(
            "migrate_legacy_keys",
            args![world, limit],
            Error::TooManyKeys,
        );
    }
    assert_eq!(move_keys(&world, 1), (1, 1));
    assert_eq!(move_keys(&world, 30), (1, 0));
}

#[test]
fn keys_move_until_the_list_is_gone() {
    for world in [World::draft(), World::active(), World::closed()] {
        let keys: std::vec::Vec<_> = (0..35).map(|at| std::format!("batch-{at}")).collect();
        let names: std::vec::Vec<&str> = keys.iter().map(std::string::String::as_str).collect();
        write_batch_list(&world, &world.texts(&names));
        for answer in [(30, 5), (5, 0), (0, 0)] {
            assert_eq!(move_keys(&world, 30), answer);
            // None of them is free at any time.
            assert!(names.iter().all(|key| world.processed(key)));
        }
        assert_eq!(batch_list(&world), None);
        for key in &names {
            let record = world.record(key).unwrap();
            assert_eq!(record.kind, PayoutKind::Imported);
            assert_eq!((record.payout_id, record.total_amount), (0, 0));
            assert_eq!(record.ledger, world.env.ledger().sequence());
            assert_eq!(record.fingerprint.to_array(), [0; 32]);
        }
    }
}

#[test]
fn keys_known_anyway_only_leave_the_list() {
    let world = World::active();
    world.pay_one("paid", &world.stranger, 7);
    world.void("voided");
    let records = ["paid", "voided"].map(|key| world.record(key));
    write_shared(&world, &world.text("shared"));
    write_single(&world, &world.text("single"));
    let keys = [
        "paid", "twice", "shared", "twice", "voided", "single", "odd key",
    ];
    write_batch_list(&world, &world.texts(&keys));
    let entries = world.storage().len();

    assert_eq!(move_keys(&world, 30), (2, 0));

    // Two records more, the list less.
    assert_eq!(world.storage().len(), entries + 1);
    assert_eq!(["paid", "voided"].map(|key| world.record(key)), records);
    assert_eq!(world.record("single").unwrap().ledger, 0);
    assert_eq!(world.record("shared").unwrap().ledger, 0);
    assert_eq!(world.record("twice").unwrap().ledger, 1_000);
    assert!(world.processed("odd key"));
}
