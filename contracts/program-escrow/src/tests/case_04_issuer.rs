//! The issuer freezes the escrow, and claws back from it: the books stay true, no key burns, and
//! the program can still be closed.

use soroban_sdk::testutils::IssuerFlags::{ClawbackEnabledFlag, RequiredFlag, RevocableFlag};
use soroban_sdk::token::StellarAssetClient;

use super::cases::R2;
use super::setup::{World, args};
use crate::error::Error;
use crate::types::ProgramData;

// What the asset's contract says itself.
const BALANCE_ERROR: u32 = 10;
const DEAUTHORIZED: u32 = 11;

/// What the host's own transfer out of the escrow would answer.
fn host_code(world: &World, amount: i128) -> Option<u32> {
    // The escrow's own authorisation is what a payout has; here the token alone is asked.
    world.env.mock_all_auths();
    let token = world.asset.address();
    let answer = world
        .env
        .try_invoke_contract::<(), soroban_sdk::InvokeError>(
            &token,
            &soroban_sdk::Symbol::new(&world.env, "transfer"),
            args![world, world.id, world.sponsor, amount],
        );
    match answer {
        Ok(_) => None,
        Err(Ok(soroban_sdk::InvokeError::Contract(code))) => Some(code),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn an_escrow_under_its_issuers_power() {
    let world = World::draft();
    world.issuer_may(&[RequiredFlag, RevocableFlag, ClawbackEnabledFlag]);
    world.publish();
    let r2 = world.account(R2, true);
    world.issuer_sets_authorized(&world.sponsor, true);
    world.mint(&world.sponsor, 100);

    // Before the issuer has let the escrow hold the asset: nothing moves.
    world.lock_refused(&world.sponsor, 100, Error::TokenTransferFailed);
    assert_eq!(world.balance(&world.sponsor), 100);

    world.issuer_sets_authorized(&world.id, true);
    world.lock(&world.sponsor, 100).unwrap();
    world.pay_one("k1", &r2, 10);
    assert_eq!(world.balance(&r2), 10);

    // Frozen: payouts fail, their keys stay free, replays are answered.
    world.issuer_sets_authorized(&world.id, false);
    assert_eq!(host_code(&world, 10), Some(DEAUTHORIZED));
    for (name, args) in world.payouts("k2", &r2, 10) {
        world
            .by(&world.payout_key)
            .refused(name, args, Error::TokenTransferFailed);
    }
    world.assert_unused("k2");
    let [replay, ..] = world.payouts("k1", &r2, 10);
    world
        .by(&world.payout_key)
        .ok_unchanged::<ProgramData>(replay.0, replay.1);
    assert_eq!(world.event_names(), ["IdmReplay"]);

    // Clawed back: the books still say 90, the tokens are 40.
    world.issuer_sets_authorized(&world.id, true);
    world.issuer_claws_back(&world.id, 50);
    assert_eq!(host_code(&world, 60), Some(BALANCE_ERROR));
    let [(name, args), ..] = world.payouts("k3", &r2, 60);
    world
        .by(&world.payout_key)
        .refused(name, args, Error::TokenTransferFailed);
    world.assert_unused("k3");
    world.pay_one("k3", &r2, 40);
    assert_eq!(world.event_names(), ["Payout"]);
    assert_eq!(world.program().remaining_balance, 50);
    assert_eq!(world.balance(&world.id), 0);

    // The end: a shortfall is no error, and stays in the books.
    world.close();
    let sent: i128 = world
        .by(&world.admin)
        .ok_unchanged("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(sent, 0);
    assert!(world.events().is_empty());
    let program = world.program();
    assert_eq!(
        (
            program.total_locked,
            program.total_paid,
            program.total_withdrawn,
            program.remaining_balance
        ),
        (100, 50, 0, 50)
    );
    assert_eq!(program.payout_count, 2);
    assert_eq!(world.balance(&r2), 50);
}

#[test]
fn a_frozen_escrow_can_still_be_clawed_back() {
    let world = World::draft();
    world.issuer_may(&[RevocableFlag, ClawbackEnabledFlag]);
    world.fund(100);
    world.issuer_sets_authorized(&world.id, false);
    world.issuer_claws_back(&world.id, 30);
    assert_eq!(world.balance(&world.id), 70);
    assert_eq!(world.program().remaining_balance, 100);
    // And a frozen one gives nothing back at the end, until it is let.
    world.close();
    world.by(&world.admin).refused(
        "withdraw_remaining",
        args![world, world.sponsor],
        Error::TokenTransferFailed,
    );
    world.issuer_sets_authorized(&world.id, true);
    let sent: i128 = world
        .by(&world.admin)
        .ok("withdraw_remaining", args![world, world.sponsor]);
    assert_eq!(sent, 70);
    assert_eq!(world.program().remaining_balance, 30);
}

#[test]
fn one_frozen_recipient_stops_its_batch_and_nothing_else() {
    let world = World::active();
    world.issuer_may(&[RevocableFlag]);
    let recipients = world.addresses(3);
    let frozen = recipients.get_unchecked(1);
    world.mint(&frozen, 1);
    world.issuer_sets_authorized(&frozen, false);
    assert!(!StellarAssetClient::new(&world.env, &world.asset.address()).authorized(&frozen));
    world.by(&world.payout_key).refused(
        "batch_payout_idempotent",
        args![
            world,
            world.text("k"),
            recipients,
            world.amounts(&[1, 2, 3])
        ],
        Error::TokenTransferFailed,
    );
    world.assert_unused("k");
    let mut others = recipients.clone();
    others.remove(1);
    world.pay("k", &others, &[1, 3]);
    assert_eq!(world.balance(&others.get_unchecked(1)), 3);
}

#[test]
fn burning_to_the_issuer_counts_as_paid() {
    // The asset's issuer holds none of it: what it receives is burnt, and the escrow's balance
    // falls all the same.
    let world = World::active();
    let issuer = world.asset.issuer().address();
    world.pay_one("k", &issuer, 5);
    assert_eq!(world.events_of(&world.asset.address())[0].name, "burn");
    assert_eq!(world.program().total_paid, 5);
    world.assert_books();
}
