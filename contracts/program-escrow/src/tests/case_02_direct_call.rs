//! A token sent to its own contract, or to the escrow itself, is gone: nobody can spend it there.
//! The host lets such a transfer through, so only the contract's own guard stops it.

use soroban_sdk::token::StellarAssetClient;
use soroban_sdk::{Address, vec};

use super::cases::{C0, R2};
use super::setup::{FUNDS, World, args};
use crate::error::Error;

#[test]
fn money_that_nobody_could_spend_is_not_sent() {
    let world = World::active();
    let r2 = world.account(R2, true);
    for swallows in [world.id.clone(), world.asset.address()] {
        for recipients in [
            vec![&world.env, r2.clone(), swallows.clone()],
            vec![&world.env, swallows.clone(), r2.clone()],
        ] {
            world.by(&world.payout_key).refused(
                "batch_payout_idempotent",
                args![world, world.text("k02"), recipients, world.amounts(&[5, 5])],
                Error::InvalidRecipient,
            );
        }
    }
    assert_eq!(world.balance(&r2), 0);
    world.assert_unused("k02");
    // The key is free: the corrected batch goes out under it.
    world.pay("k02", &vec![&world.env, r2.clone()], &[5]);
    assert_eq!(world.event_names(), ["BatchPay"]);
    assert_eq!(world.balance(&r2), 5);
}

#[test]
fn the_host_itself_would_let_it_through() {
    let world = World::active();
    let token = world.asset.address();
    world.mint(&world.sponsor, 5);
    // Any signature will do: this is about what the token's contract takes.
    world.env.mock_all_auths();
    world.token().transfer(&world.sponsor, &token, &5);
    assert_eq!(world.balance(&token), 5);
    assert!(StellarAssetClient::new(&world.env, &token).authorized(&token));
}

#[test]
fn contracts_may_receive_even_before_they_are_deployed() {
    // Whether that is wanted is asked where the batch is made.
    let world = World::active();
    let c0 = Address::from_str(&world.env, C0);
    world.pay_one("k", &c0, 5);
    assert_eq!(world.balance(&c0), 5);
    assert_eq!(world.balance(&world.id), FUNDS - 5);
}
