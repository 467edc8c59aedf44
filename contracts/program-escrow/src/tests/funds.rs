//! Money in, and what is left out again: the books count what arrived, and never what did not.

use soroban_sdk::testutils::IssuerFlags;

use super::setup::{FUNDS, Refusal, World, args};
use crate::error::Error;
use crate::types::{PauseFlags, ProgramData};

fn withdraw(world: &World) -> i128 {
    world
        .by(&world.admin)
        .ok("withdraw_remaining", args![world, world.sponsor])
}

/// A program whose issuer may freeze and claw back.
fn under_issuer() -> World {
    let world = World::draft();
    world.asset.issuer().set_flag(IssuerFlags::RevocableFlag);
    world
        .asset
        .issuer()
        .set_flag(IssuerFlags::ClawbackEnabledFlag);
    world.fund(FUNDS);
    world.publish();
    world
}

#[test]
fn a_lock_is_credited_and_announced() {
    let world = World::draft();
    world.mint(&world.sponsor, 100);
    let program = world.lock(&world.sponsor, 40).unwrap();
    let event = world.event("FundLock");
    assert_eq!(
        event.field(&world.env, "actor"),
        Some(world.sponsor.clone())
    );
    assert_eq!(event.field(&world.env, "amount"), Some(40i128));
    assert_eq!(event.field(&world.env, "remaining_balance"), Some(40i128));
    assert_eq!(program.total_locked, 40);
    let program = world.lock(&world.sponsor, 60).unwrap();
    assert_eq!(
        (program.total_locked, program.remaining_balance),
        (100, 100)
    );
    assert_eq!(world.balance(&world.sponsor), 0);
    assert_eq!(world.balance(&world.id), 100);
    assert_eq!(world.client().get_remaining_balance(), 100);
}

#[test]
fn a_lock_judges_life_pause_amount_and_token_in_this_order() {
    let world = World::closed();
    world.pause(true, false);
    world.lock_refused(&world.sponsor, 0, Error::AlreadyClosed);
    let world = World::active();
    world.pause(true, false);
    world.lock_refused(&world.sponsor, 0, Error::Paused);
    world.unpause(true, false);
    for amount in [0, -1, i128::MIN] {
        world.lock_refused(&world.sponsor, amount, Error::InvalidAmount);
    }
    // The sponsor has nothing: the token's own refusal never shows as one of ours.
    world.lock_refused(&world.sponsor, 1, Error::TokenTransferFailed);
}

#[test]
fn a_pause_of_payouts_does_not_stop_a_lock() {
    let world = World::active();
    world.pause(false, true);
    world.trip();
    world.fund(5);
    assert_eq!(world.program().remaining_balance, FUNDS + 5);
}

#[test]
fn surplus_is_not_in_the_books_until_credited() {
    let world = World::active();
    world.mint(&world.id, 30);
    assert_eq!(world.program().remaining_balance, FUNDS);
    let credited: i128 = world.by(&world.admin).ok("credit_surplus", args![world]);
    assert_eq!(credited, 30);
    let event = world.event("Surplus");
    assert_eq!(event.field(&world.env, "actor"), Some(world.admin.clone()));
    assert_eq!(event.field(&world.env, "amount"), Some(30i128));
    assert_eq!(
        event.field(&world.env, "remaining_balance"),
        Some(FUNDS + 30)
    );
    assert_eq!(world.program().total_locked, FUNDS + 30);
    world.assert_books();
    // Nothing there any more.
    let credited: i128 = world
        .by(&world.admin)
        .ok_unchanged("credit_surplus", args![world]);
    assert_eq!(credited, 0);
    assert!(world.events().is_empty());
}

#[test]
fn no_brake_stops_surplus_but_the_end_does() {
    let world = World::funded_draft();
    world.mint(&world.id, 1);
    world.pause(true, true);
    world.trip();
    let credited: i128 = world.by(&world.admin).ok("credit_surplus", args![world]);
    assert_eq!(credited, 1);
    world.mint(&world.id, 1);
    world.close();
    world
        .by(&world.admin)
        .refused("credit_surplus", args![world], Error::AlreadyClosed);
}

#[test]
fn a_shortfall_is_no_surplus() {
    let world = under_issuer();
    world.issuer_claws_back(&world.id, 10);
    let credited: i128 = world
        .by(&world.admin)
        .ok_unchanged("credit_surplus", args![world]);
    assert_eq!(credited, 0);
    assert!(world.events().is_empty());
    // Tokens that come by plain transfer fill the gap first.
    world.mint(&world.id, 15);
    let credited: i128 = world.by(&world.admin).ok("credit_surplus", args![world]);
    assert_eq!(credited, 5);
}

#[test]
fn a_payout_after_a_clawback_needs_the_tokens() {
    let world = under_issuer();
    world.issuer_claws_back(&world.id, FUNDS - 10);
    let [(name, args), ..] = world.payouts("k", &world.stranger, 11);
    world
        .by(&world.payout_key)
        .refused(name, args, Error::TokenTransferFailed);
    world.assert_unused("k");
    world.pay_one("k", &world.stranger, 10);
    assert_eq!(world.program().remaining_balance, FUNDS - 10);
}

#[test]
fn withdraw_sends_all_once() {
    let world = World::active();
    world.pay_one("k", &world.stranger, 1_000);
    world.close();
    assert_eq!(withdraw(&world), FUNDS - 1_000);
    let event = world.event("Withdraw");
    assert_eq!(event.field(&world.env, "actor"), Some(world.admin.clone()));
    assert_eq!(event.field(&world.env, "to"), Some(world.sponsor.clone()));
    assert_eq!(event.field(&world.env, "amount"), Some(FUNDS - 1_000));
    assert_eq!(event.field(&world.env, "counted"), Some(FUNDS - 1_000));
    assert_eq!(event.field(&world.env, "remaining_balance"), Some(0i128));
    let program = world.program();
    assert_eq!(program.total_withdrawn, FUNDS - 1_000);
    assert_eq!(program.remaining_balance, 0);
    world.assert_books();
    assert_eq!(world.balance(&world.sponsor), FUNDS - 1_000);
    let again: i128 = world
        .by(&world.admin)
        .ok_unchanged("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(again, 0);
    assert!(world.events().is_empty());
}

#[test]
fn surplus_leaves_uncounted() {
    let world = World::closed();
    world.mint(&world.id, 7);
    assert_eq!(withdraw(&world), FUNDS + 7);
    let event = world.event("Withdraw");
    assert_eq!(event.field(&world.env, "amount"), Some(FUNDS + 7));
    assert_eq!(event.field(&world.env, "counted"), Some(FUNDS));
    assert_eq!(world.program().total_withdrawn, FUNDS);
    // What comes after the end leaves too.
    world.mint(&world.id, 3);
    assert_eq!(withdraw(&world), 3);
    let event = world.event("Withdraw");
    assert_eq!(event.field(&world.env, "counted"), Some(0i128));
    world.assert_books();
}

#[test]
fn a_shortfall_stays_in_the_books() {
    let world = under_issuer();
    world.issuer_claws_back(&world.id, 40);
    world.close();
    assert_eq!(withdraw(&world), FUNDS - 40);
    let program: ProgramData = world.program();
    assert_eq!(program.total_withdrawn, FUNDS - 40);
    assert_eq!(program.remaining_balance, 40);
    assert_eq!(
        program.total_locked,
        program.total_paid + program.total_withdrawn + program.remaining_balance
    );
    // If it ever comes back, it is counted.
    world.mint(&world.id, 50);
    assert_eq!(withdraw(&world), 50);
    assert_eq!(world.program().total_withdrawn, FUNDS);
    assert_eq!(world.program().remaining_balance, 0);
}

#[test]
fn nothing_there_is_no_error() {
    let world = World::draft();
    world.close();
    let sent: i128 = world
        .by(&world.admin)
        .ok_unchanged("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(sent, 0);
    assert!(world.events().is_empty());
}

#[test]
fn withdraw_judges_life_then_the_receiver_then_the_token() {
    let world = under_issuer();
    let admin = world.by(&world.admin);
    let to_itself = args![world, world.id];
    let to_token = args![world, world.asset.address()];
    for args in [to_itself.clone(), to_token.clone()] {
        admin.refused("withdraw_remaining", args, Error::NotClosed);
    }
    world.close();
    world.issuer_sets_authorized(&world.id, false);
    for args in [to_itself.clone(), to_token] {
        admin.refused("withdraw_remaining", args, Error::InvalidRecipient);
    }
    admin.refused(
        "withdraw_remaining",
        args![world, world.sponsor],
        Error::TokenTransferFailed,
    );
    // Even with nothing there, it is no place to send to.
    world.issuer_sets_authorized(&world.id, true);
    withdraw(&world);
    admin.refused("withdraw_remaining", to_itself, Error::InvalidRecipient);
}

#[test]
fn no_brake_stops_the_end() {
    let world = World::active();
    world.limit(1, 0, 1);
    world.pause(true, true);
    world.trip();
    world.close();
    assert_eq!(withdraw(&world), FUNDS);
    assert_eq!(
        world.client().get_pause_flags(),
        PauseFlags {
            lock: true,
            payout: true
        }
    );
}

#[test]
fn the_escrow_is_no_sponsor() {
    // It cannot sign for itself, so its own balance is never locked twice.
    let world = World::active();
    world
        .by(&world.admin)
        .refused_by_host("lock_program_funds", args![world, world.id, 5i128]);
    let answer: Result<ProgramData, Refusal> = world
        .unsigned()
        .call("lock_program_funds", args![world, world.id, 5i128]);
    assert_eq!(answer, Err(Refusal::Host));
}
