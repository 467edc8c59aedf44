//! Whatever the token does: all or nothing, the key stays unused, and what fails inside it never
//! surfaces as one of our errors.

use soroban_sdk::testutils::Address as _;
use soroban_sdk::{IntoVal, Symbol, Val, vec};

use super::faulty_token::{Fault, Faulty};
use super::setup::{FUNDS, World, args, new_env};
use crate::error::Error;
use crate::types::{PayoutKind, ProgramData};

/// Neither a batch nor a single payout goes through, and nothing is left of them.
fn refused(faulty: &Faulty) {
    let world = &faulty.world;
    let payer = world.by(&world.payout_key);
    let delegate = world.delegate(FUNDS, 60);
    payer.refused(
        "batch_payout_idempotent",
        faulty.batch("k", &[1, 2, 3]),
        Error::TokenTransferFailed,
    );
    let [(single, args), ..] = world.payouts("k", &world.stranger, 7);
    payer.refused(single, args, Error::TokenTransferFailed);
    for (name, args) in world.payouts_by(&delegate, "k", &world.stranger, 7) {
        world
            .by(&delegate)
            .refused(name, args, Error::TokenTransferFailed);
    }
    world.assert_unused("k");
    assert_eq!(world.stored_delegate(&delegate).unwrap().allowance, FUNDS);
    // Once the token is well, the same key pays.
    faulty.set(Fault::None);
    payer.ok::<ProgramData>("batch_payout_idempotent", faulty.batch("k", &[1, 2, 3]));
    assert_eq!(faulty.held(&world.id), FUNDS - 6);
}

#[test]
fn the_faulty_token_works_without_a_fault() {
    let faulty = Faulty::active();
    let world = &faulty.world;
    world.pay_one("k", &world.stranger, 7);
    assert_eq!(world.event_names(), ["Payout"]);
    assert_eq!(world.events_of(&faulty.token).len(), 1);
    assert_eq!(faulty.held(&world.stranger), 7);
    world.close();
    let sent: i128 = world
        .by(&world.admin)
        .ok("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(sent, FUNDS - 7);
}

#[test]
fn a_refusal_of_any_transfer_refuses_all() {
    for nth in 1..=5 {
        let faulty = Faulty::active();
        let world = &faulty.world;
        world.limit(1_000, 0, 1_000);
        for fault in [Fault::RefuseNth(nth, 10), Fault::PanicNth(nth)] {
            faulty.set(fault);
            world.by(&world.payout_key).refused(
                "batch_payout_idempotent",
                faulty.batch("k", &[1, 2, 3, 4, 5]),
                Error::TokenTransferFailed,
            );
            world.assert_unused("k");
            assert_eq!(faulty.held(&world.id), FUNDS);
            assert_eq!(world.program().payout_count, 0);
            assert_eq!(world.available(), Some(1_000));
        }
        // The one after the last is another payout's.
        faulty.set(Fault::RefuseNth(6, 10));
        world.by(&world.payout_key).ok::<ProgramData>(
            "batch_payout_idempotent",
            faulty.batch("k", &[1, 2, 3, 4, 5]),
        );
        assert_eq!(world.record("k").unwrap().kind, PayoutKind::Batch);
    }
}

#[test]
fn the_tokens_error_numbers_are_not_ours() {
    let faulty = Faulty::active();
    // All of ours, the asset contract's, and OpenZeppelin's.
    let ours = (100..=105)
        .chain(200..=206)
        .chain(300..=303)
        .chain(400..=408)
        .chain(500..=506)
        .chain([600, 700]);
    for code in ours
        .chain([1, 8, 9, 10, 11, 13])
        .chain([0, 2_100, u32::MAX])
    {
        let world = &faulty.world;
        for fault in [Fault::RefuseNth(1, code), Fault::BalanceFails(code)] {
            faulty.set(fault);
            let [(name, args), ..] = world.payouts("k", &world.stranger, 7);
            world
                .by(&world.payout_key)
                .refused(name, args, Error::TokenTransferFailed);
            world.lock_refused(&world.sponsor, 7, Error::TokenTransferFailed);
        }
        world
            .by(&world.admin)
            .refused("credit_surplus", args![world], Error::TokenTransferFailed);
        faulty.set(Fault::None);
    }
    let world = &faulty.world;
    world.close();
    for code in [404, 407, 700] {
        for fault in [Fault::RefuseNth(1, code), Fault::BalanceFails(code)] {
            faulty.set(fault);
            world.by(&world.admin).refused(
                "withdraw_remaining",
                args![world, world.sponsor],
                Error::TokenTransferFailed,
            );
        }
    }
}

/// Answers that are not what the token's interface promises.
fn rubbish(world: &World) -> [Val; 6] {
    let env = &world.env;
    [
        true.into(),
        7u32.into(),
        Symbol::new(env, "ok").into_val(env),
        world.text("ok").into_val(env),
        vec![env, 1u32].into_val(env),
        world.stranger.into_val(env),
    ]
}

#[test]
fn rubbish_from_a_transfer_is_a_refusal() {
    for row in 0..7 {
        let faulty = Faulty::active();
        let world = &faulty.world;
        // The last: an amount, which some tokens answer.
        let answer = rubbish(world).get(row).copied();
        let answer = answer.unwrap_or(7i128.into_val(&world.env));
        faulty.set(Fault::Answer(args![world, answer]));
        world.lock_refused(&world.sponsor, 7, Error::TokenTransferFailed);
        refused(&faulty);
    }
}

#[test]
fn rubbish_for_a_balance_is_a_refusal() {
    let faulty = Faulty::active();
    let world = &faulty.world;
    for answer in rubbish(world).into_iter().chain([Val::VOID.into()]) {
        faulty.set(Fault::Balance(args![world, answer]));
        world.lock_refused(&world.sponsor, 7, Error::TokenTransferFailed);
        let [(name, args), ..] = world.payouts("k", &world.stranger, 7);
        world
            .by(&world.payout_key)
            .refused(name, args, Error::TokenTransferFailed);
        world
            .by(&world.admin)
            .refused("credit_surplus", args![world], Error::TokenTransferFailed);
    }
    faulty.set(Fault::Balance(args![world, true]));
    refused(&faulty);
}

#[test]
fn a_balance_that_does_not_fall_by_the_total_is_a_refusal() {
    // More or less leaves us than was sent, or nothing at all, or the answer is not even possible.
    for fault in [
        Fault::SenderFee(1),
        Fault::SenderFee(-1),
        Fault::SenderFee(FUNDS / 2),
        Fault::Nothing,
    ] {
        let faulty = Faulty::active();
        faulty.set(fault);
        refused(&faulty);
    }
    for answer in [0, 1, i128::MAX, i128::MIN, -1] {
        let faulty = Faulty::active();
        faulty.set(Fault::LaterBalance(1, args![faulty.world, answer]));
        // Counts from there: every second answer is a lie.
        let [(name, args), ..] = faulty.world.payouts("k", &faulty.world.stranger, 7);
        faulty
            .world
            .by(&faulty.world.payout_key)
            .refused(name, args, Error::TokenTransferFailed);
        let faulty = Faulty::active();
        faulty.set(Fault::Balance(args![faulty.world, answer]));
        refused(&faulty);
    }
}

#[test]
fn a_fee_on_the_recipients_side_cannot_be_seen() {
    // The escrow lost exactly the total; what the recipient got is between it and the token.
    let faulty = Faulty::active();
    let world = &faulty.world;
    faulty.set(Fault::ReceiverFee(2));
    world.pay_one("k", &world.stranger, 7);
    assert_eq!(world.event_names(), ["Payout"]);
    assert_eq!(faulty.held(&world.stranger), 5);
    assert_eq!(faulty.held(&world.id), FUNDS - 7);
}

#[test]
fn a_lock_credits_what_arrived() {
    let faulty = Faulty::active();
    let world = &faulty.world;
    for (fee, arrived) in [(3, 7), (-2, 12)] {
        faulty.set(Fault::ReceiverFee(fee));
        let before = world.program();
        let after = world.lock(&world.sponsor, 10).unwrap();
        let event = world.event("FundLock");
        assert_eq!(event.field(&world.env, "amount"), Some(arrived));
        assert_eq!(after.total_locked, before.total_locked + arrived);
        assert_eq!(after.remaining_balance, faulty.held(&world.id));
    }
    // Nothing arrives, or something leaves.
    for fault in [
        Fault::Nothing,
        Fault::ReceiverFee(10),
        Fault::ReceiverFee(11),
    ] {
        faulty.set(fault);
        world.lock_refused(&world.sponsor, 10, Error::NothingReceived);
    }
}

#[test]
fn a_withdrawal_that_leaves_something_is_refused() {
    let faulty = Faulty::active();
    let world = &faulty.world;
    world.close();
    for fault in [
        Fault::Nothing,
        Fault::SenderFee(-1),
        Fault::SenderFee(1),
        Fault::Answer(args![world, true]),
        Fault::RefuseNth(1, 10),
    ] {
        faulty.set(fault);
        world.by(&world.admin).refused(
            "withdraw_remaining",
            args![world, world.sponsor],
            Error::TokenTransferFailed,
        );
    }
    faulty.set(Fault::None);
    let sent: i128 = world
        .by(&world.admin)
        .ok("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(sent, FUNDS);
}

/// Calls of the escrow that a token could want to make in the middle of a transfer.
fn calls_back(world: &World) -> [(&'static str, soroban_sdk::Vec<Val>); 7] {
    let [single, batch, ..] = world.payouts("k", &world.stranger, 7);
    let [replay, ..] = world.payouts("paid", &world.stranger, 7);
    [
        single,
        batch,
        replay,
        ("withdraw_remaining", args![world, world.stranger]),
        ("lock_program_funds", args![world, world.sponsor, 7i128]),
        ("credit_surplus", args![world]),
        ("get_program", args![world]),
    ]
}

#[test]
fn the_token_cannot_call_back() {
    for row in 0..7 {
        let faulty = Faulty::active();
        let world = &faulty.world;
        world.pay_one("paid", &world.stranger, 7);
        let (name, args) = calls_back(world)[row].clone();
        let name = Symbol::new(&world.env, name);
        faulty.set(Fault::CallBack(
            world.id.clone(),
            name.clone(),
            args.clone(),
        ));
        // Everybody signed everything, so that the call back does not fail for want of it.
        world.env.mock_all_auths_allowing_non_root_auth();
        let program =
            world
                .client()
                .single_payout_idempotent(&world.text("k"), &world.stranger, &7);
        // The token carried on, so it was paid: once.
        assert_eq!(world.event_names(), ["Payout"]);
        assert_eq!(faulty.client().called_back(), Some(false));
        assert_eq!(program.payout_count, 2);
        assert_eq!(faulty.held(&world.stranger), 14);
        assert_eq!(faulty.held(&world.id), FUNDS - 14);

        // A token that fails with its call back refuses the payout.
        let faulty = Faulty::active();
        let (name, args) = calls_back(&faulty.world)[row].clone();
        let name = Symbol::new(&faulty.world.env, name);
        let fault = Fault::CallBackAndFail(faulty.world.id.clone(), name, args);
        faulty.set(fault);
        refused(&faulty);
    }
}

#[test]
fn no_call_back_while_locking_and_withdrawing() {
    for row in 0..7 {
        let faulty = Faulty::active();
        let world = &faulty.world;
        let (name, args) = calls_back(world)[row].clone();
        let name = Symbol::new(&world.env, name);
        faulty.set(Fault::CallBack(world.id.clone(), name, args));
        // As above: no signature is missing.
        world.env.mock_all_auths_allowing_non_root_auth();
        let program = world.client().lock_program_funds(&world.sponsor, &10);
        assert_eq!(program.remaining_balance, FUNDS + 10);
        assert_eq!(faulty.client().called_back(), Some(false));
        world.client().close_program();
        let sent = world.client().withdraw_remaining(&world.sponsor);
        assert_eq!(sent, FUNDS + 10);
        assert_eq!(faulty.client().called_back(), Some(false));
        assert_eq!(faulty.held(&world.id), 0);
        assert_eq!(world.program().total_withdrawn, FUNDS + 10);
    }
}

#[test]
fn a_replay_does_not_ask_the_token() {
    let faulty = Faulty::active();
    let world = &faulty.world;
    world.pay_one("k", &world.stranger, 7);
    for fault in [
        Fault::RefuseNth(1, 10),
        Fault::BalanceFails(10),
        Fault::Balance(args![world, true]),
        Fault::SenderFee(1),
    ] {
        faulty.set(fault);
        let [single, ..] = world.payouts("k", &world.stranger, 7);
        world
            .by(&world.payout_key)
            .ok_unchanged::<ProgramData>(single.0, single.1);
        assert_eq!(world.event_names(), ["IdmReplay"]);
    }
}

#[test]
fn a_token_that_is_not_there() {
    let env = new_env();
    let asset = env.register_stellar_asset_contract_v2(soroban_sdk::Address::generate(&env));
    let nowhere = soroban_sdk::Address::generate(&env);
    let world = World::with_token(env, asset, &nowhere);
    world.lock_refused(&world.sponsor, 7, Error::TokenTransferFailed);
    world
        .by(&world.admin)
        .refused("credit_surplus", args![world], Error::TokenTransferFailed);
    world.close();
    world.by(&world.admin).refused(
        "withdraw_remaining",
        args![world, world.sponsor],
        Error::TokenTransferFailed,
    );
}
