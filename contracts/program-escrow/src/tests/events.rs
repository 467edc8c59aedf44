//! Every event, decoded whole: name, topics, the data's fields in wire order, types and values.
//! What is None is left out. `docs/events.md` shows the same.

use soroban_sdk::xdr::{ScMap, ScMapEntry, ScVal};
use soroban_sdk::{Address, IntoVal, TryFromVal, Val, vec};

use super::fingerprints::expected;
use super::legacy::write_batch_list;
use super::migration::{migrate, old_instance};
use super::setup::{FUNDS, Seen, World, args};
use crate::types::{OutflowLimit, PauseFlags, ProgramData};

const PROGRAM: &str = "hackathon-2026";

fn wire<T: IntoVal<soroban_sdk::Env, Val>>(world: &World, value: T) -> ScVal {
    ScVal::try_from_val(&world.env, &value.into_val(&world.env)).unwrap()
}

/// The fields of an event's data, in any order.
macro_rules! data {
    ($world:expr $(, $name:ident: $value:expr)* $(,)?) => {{
        let mut entries = std::vec![$( ScMapEntry {
            key: ScVal::Symbol(stringify!($name).try_into().unwrap()),
            val: wire($world, $value),
        } ),*];
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        ScVal::Map(Some(ScMap(entries.try_into().unwrap())))
    }};
}

fn seen(name: &str, topics: &[ScVal], data: ScVal) -> Seen {
    Seen {
        name: name.into(),
        topics: topics.to_vec(),
        data,
    }
}

fn assert_seen(world: &World, name: &str, topics: &[ScVal], data: ScVal) {
    assert_eq!(world.events(), [seen(name, topics, data)]);
}

fn program(world: &World) -> soroban_sdk::String {
    world.text(PROGRAM)
}

#[test]
fn payouts_and_their_replays() {
    let world = &World::active();
    let key = [wire(world, world.text("k"))];
    let recipient = world.address();
    let one = vec![&world.env, recipient.clone()];
    let caller = world.payout_key.clone();
    let replayed = data!(world, version: 2u32, program_id: program(world), caller: caller.clone());

    world.pay("k", &one, &[7]);
    assert_seen(
        world,
        "BatchPay",
        &key,
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            caller: caller.clone(),
            recipient_count: 1u32,
            total_amount: 7i128,
            remaining_balance: FUNDS - 7,
        ),
    );
    // On the wire the key is a plain string, although the struct has an Option.
    assert!(matches!(world.events()[0].topics[0], ScVal::String(_)));
    world.pay("k", &one, &[7]);
    assert_seen(world, "BatPayRp", &key, replayed.clone());
    world.pay_one("k", &recipient, 8);
    let bytes = |amount| {
        let hash = expected(&one, &world.amounts(&[amount]), None);
        soroban_sdk::BytesN::from_array(&world.env, &hash)
    };
    let conflict = data!(
        world,
        version: 2u32,
        program_id: program(world),
        recorded: bytes(7),
        presented: bytes(8),
    );
    assert_eq!(
        world.events(),
        [
            seen("IdmReplay", &key, replayed),
            seen("IdmConfl", &key, conflict)
        ]
    );

    world.pay_one("l", &recipient, 9);
    assert_seen(
        world,
        "Payout",
        &[wire(world, world.text("l"))],
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            caller: caller,
            recipient: recipient,
            amount: 9i128,
            remaining_balance: FUNDS - 16,
        ),
    );
}

#[test]
fn a_named_caller_stands_in_the_event() {
    let world = &World::active();
    let delegate = world.delegate(FUNDS, 60);
    for who in [&delegate, &world.payout_key] {
        let key = if *who == delegate { "d" } else { "p" };
        for (suffix, call) in ["1", "2", "3"].iter().zip(0..3) {
            let key = std::format!("{key}{suffix}");
            let (name, args) = world.payouts_by(who, &key, &world.sponsor, 1)[call].clone();
            for _ in 0..2 {
                world.by(who).ok::<ProgramData>(name, args.clone());
                let event = &world.events()[0];
                assert_eq!(event.field(&world.env, "caller"), Some(who.clone()));
                assert_eq!(event.key(), key);
            }
        }
    }
}

#[test]
fn voided_and_imported_keys() {
    let world = &World::draft();
    world.void("v");
    assert_seen(
        world,
        "IdmVoid",
        &[wire(world, world.text("v"))],
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            caller: world.payout_key.clone(),
        ),
    );
    world.import(&["i"]);
    assert_seen(
        world,
        "IdmImport",
        &[wire(world, world.text("i"))],
        data!(world, version: 2u32, program_id: program(world)),
    );
}

/// Data of an event by the admin that has nothing of its own.
fn by_admin(world: &World) -> ScVal {
    data!(world, version: 2u32, program_id: program(world), actor: world.admin.clone())
}

/// Data of a lock, or of surplus.
fn money_in(world: &World, actor: &Address, amount: i128, remaining_balance: i128) -> ScVal {
    data!(
        world,
        version: 2u32,
        program_id: program(world),
        actor: actor.clone(),
        amount: amount,
        remaining_balance: remaining_balance,
    )
}

#[test]
fn money_and_life() {
    let world = &World::draft();
    world.fund(30);
    assert_seen(
        world,
        "FundLock",
        &[],
        money_in(world, &world.sponsor, 30, 30),
    );
    world.mint(&world.id, 5);
    world
        .by(&world.admin)
        .ok::<i128>("credit_surplus", args![world]);
    assert_seen(world, "Surplus", &[], money_in(world, &world.admin, 5, 35));
    world.publish();
    assert_seen(world, "Publish", &[], by_admin(world));
    world.close();
    assert_seen(world, "Close", &[], by_admin(world));
    world.mint(&world.id, 1);
    world
        .by(&world.admin)
        .ok::<i128>("withdraw_remaining", args![world, world.sponsor]);
    assert_seen(
        world,
        "Withdraw",
        &[],
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            to: world.sponsor.clone(),
            amount: 36i128,
            counted: 35i128,
            remaining_balance: 0i128,
        ),
    );
}

#[test]
fn keys_and_delegates() {
    let world = &World::active();
    world
        .by(&world.admin)
        .ok::<()>("rotate_payout_key", args![world, world.sponsor]);
    assert_seen(
        world,
        "KeyRotate",
        &[],
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            old_key: world.payout_key.clone(),
            new_key: world.sponsor.clone(),
        ),
    );
    let delegate = world.address();
    let topic = [wire(world, delegate.clone())];
    let until = world.now() + 60;
    world.set_delegate(&delegate, 5, until);
    // No previous one: no field.
    assert_seen(
        world,
        "DelegSet",
        &topic,
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            allowance: 5i128,
            expires_at: until,
        ),
    );
    world.set_delegate(&delegate, 6, until + 1);
    assert_seen(
        world,
        "DelegSet",
        &topic,
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            previous: 5i128,
            allowance: 6i128,
            expires_at: until + 1,
        ),
    );
    // The returned struct of the same has no such gaps.
    world
        .by(&world.admin)
        .ok::<()>("revoke_delegate", args![world, world.admin, delegate]);
    assert_seen(
        world,
        "DelegRev",
        &topic,
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            allowance: 6i128,
        ),
    );
}

#[test]
fn brakes() {
    let world = &World::active();
    world.appoint_guardian();
    assert_seen(
        world,
        "Guardian",
        &[],
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            guardian: world.guardian.clone(),
        ),
    );
    world
        .by(&world.admin)
        .ok::<()>("set_guardian", args![world, None::<Address>]);
    assert_seen(world, "Guardian", &[], by_admin(world));
    let pause = |before: PauseFlags, after: PauseFlags, reason: &str| {
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            lock_before: before.lock,
            payout_before: before.payout,
            lock_after: after.lock,
            payout_after: after.payout,
            reason: world.text(reason),
        )
    };
    let flags = |lock, payout| PauseFlags { lock, payout };
    world.pause(true, true);
    let data = pause(flags(false, false), flags(true, true), "why");
    assert_seen(world, "Pause", &[], data);
    world.unpause(true, false);
    let data = pause(flags(true, true), flags(false, true), "");
    assert_seen(world, "Pause", &[], data);
    world.trip();
    assert_seen(
        world,
        "Trip",
        &[],
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            reason: world.text("why"),
        ),
    );
    world.reset();
    assert_seen(world, "Reset", &[], by_admin(world));
    world.limit(3, 2, 1);
    let limit = OutflowLimit {
        capacity: 3,
        refill_per_second: 2,
        max_payout: 1,
    };
    assert_seen(
        world,
        "OutLimit",
        &[],
        data!(
            world,
            version: 2u32,
            program_id: program(world),
            actor: world.admin.clone(),
            limit: limit,
        ),
    );
    world
        .by(&world.admin)
        .ok::<()>("set_outflow_limit", args![world, None::<OutflowLimit>]);
    assert_seen(world, "OutLimit", &[], by_admin(world));
}

#[test]
fn migrations() {
    let world = &old_instance();
    migrate(world);
    let id = world.text("Old Program / 2024");
    assert_seen(
        world,
        "MigProg",
        &[],
        data!(
            world,
            version: 2u32,
            program_id: id.clone(),
            actor: world.stranger.clone(),
            total_funds: 2 * FUNDS,
            remaining_balance: FUNDS,
        ),
    );
    write_batch_list(world, &world.texts(&["a", "a", "b", "c"]));
    world
        .by(&world.stranger)
        .ok::<u32>("migrate_legacy_keys", args![world, 2u32]);
    assert_seen(
        world,
        "MigKeys",
        &[],
        data!(
            world,
            version: 2u32,
            program_id: id,
            actor: world.stranger.clone(),
            moved: 2u32,
            left: 2u32,
        ),
    );
}

#[test]
fn openzeppelins_come_as_they_are() {
    let world = &World::active();
    world
        .by(&world.admin)
        .ok::<()>("transfer_ownership", args![world, world.sponsor, 1_100u32]);
    assert_seen(
        world,
        "ownership_transfer",
        &[],
        data!(
            world,
            old_owner: world.admin.clone(),
            new_owner: world.sponsor.clone(),
            live_until_ledger: 1_100u32,
        ),
    );
    world
        .by(&world.sponsor)
        .ok::<()>("accept_ownership", args![world]);
    assert_seen(
        world,
        "ownership_transfer_completed",
        &[],
        data!(world, new_owner: world.sponsor.clone()),
    );
}

#[test]
fn returned_structs_write_void_where_events_leave_out() {
    let world = &World::active();
    let breaker = wire(world, world.client().get_circuit_breaker());
    let ScVal::Map(Some(map)) = breaker else {
        panic!("not a map: {breaker:?}")
    };
    let void = |name: &str| {
        let key = ScVal::Symbol(name.try_into().unwrap());
        map.iter()
            .any(|entry| entry.key == key && entry.val == ScVal::Void)
    };
    assert!(void("actor") && void("available"));
}

#[test]
fn ours_comes_directly_after_the_tokens_own() {
    use soroban_sdk::testutils::Events as _;
    let world = World::active();
    let recipients = world.addresses(3);
    world.pay("k", &recipients, &[1, 2, 3]);
    let all = world.env.events().all();
    assert_eq!(all.events().len(), 4);
    let transfers = world.events_of(&world.asset.address());
    assert_eq!(transfers.len(), 3);
    for ((transfer, recipient), amount) in transfers.iter().zip(recipients).zip(1i128..) {
        assert_eq!(transfer.name, "transfer");
        assert_eq!(transfer.topics[0], wire(&world, world.id.clone()));
        assert_eq!(transfer.topics[1], wire(&world, recipient));
        assert_eq!(transfer.data, wire(&world, amount));
    }
    let ours = world.event("BatchPay");
    let last = all.events().last().unwrap();
    let soroban_sdk::xdr::ContractEventBody::V0(body) = &last.body;
    assert_eq!(body.data, ours.data);
}
