//! A token with rules of its own: only simulations know them.

use payout_engine::escrow::{EscrowError, TokenKind};
use payout_engine::preflight::{
    Ask, Fault, Kind, Obstacle, Reason, Verdict, confirm, costs, diagnose,
};
use payout_keys::Recipient;

use crate::transactions::Keys;
use crate::world::{PASSPHRASE, World, ask, unused};

/// A published escrow of the token, with 1,000 units.
async fn world() -> World {
    let mut world = World::usdc(0).await;
    let token = world.deploy_wat(include_str!("token.wat")).await;
    world.escrow = world.deploy_escrow(token, 3).await;
    world.token = token;
    world.run("credit_surplus", Vec::new()).await;
    world.run("publish_program", Vec::new()).await;
    world
}

fn payees(amounts: &[i128]) -> Vec<Ask> {
    amounts
        .iter()
        .enumerate()
        .map(|(number, amount)| {
            // Accounts that do not exist: where they keep such a token is the token's affair.
            let keys = Keys::named(&format!("payee {number}"));
            ask(Recipient::Account(keys.public()), *amount)
        })
        .collect()
}

#[tokio::test]
async fn what_a_token_says_of_itself_is_read() {
    let world = world().await;
    let facts = world.facts().await;
    assert!(matches!(
        facts.token.kind,
        TokenKind::Other { code: Some(_) }
    ));
    assert_eq!(facts.token.decimals, 2);
    assert_eq!(facts.token.name(), world.token.to_string());
    assert_eq!((facts.holding.balance, facts.holding.life), (1_000, None));
    assert_eq!(facts.program.remaining_balance, 1_000);

    let wat = include_str!("token.wat").replace(
        "(i64.const 2) (i64.const 32)",
        "(i64.const 39) (i64.const 32)",
    );
    let token = world.deploy_wat(&wat).await;
    let escrow = world.deploy_escrow(token, 4).await;
    assert_eq!(
        world.read_for(escrow, PASSPHRASE).await,
        Err(EscrowError::TokenPrecision {
            token,
            decimals: 39,
            most: 38
        })
    );
}

#[tokio::test]
async fn rows_that_the_token_refuses_are_found_by_halving() {
    let world = world().await;
    let mut asks = payees(&[5, 13, 7, 13, 1]);
    asks.push(ask(Recipient::Contract([77; 32]), 1));
    let report = world.check(&asks).await;
    assert_eq!(report.verdicts[..5], vec![Verdict::Pay(Kind::Account); 5]);
    assert_eq!(report.verdicts[5], Verdict::Reject(Reason::NotDeployed));

    let facts = world.facts().await;
    let key = unused("other");
    let probe = world.probe(&key);
    let confirmed = confirm(&world.client, &facts, &probe, &asks[..5]).await;
    let confirmed = confirmed.expect("simulated");
    assert!(confirmed.obstacles.is_empty());
    let rows: Vec<usize> = confirmed.refused.iter().map(|row| row.0).collect();
    assert_eq!(rows, [1, 3]);
    let Reason::Refused { contract_error, .. } = confirmed.refused[0].1 else {
        panic!("{:?}", confirmed.refused)
    };
    assert_eq!(contract_error, Some(600));
    let verdicts = [Verdict::Pay(Kind::Account), Verdict::Pay(Kind::Account)];
    let both = [asks[0].clone(), asks[2].clone()];
    let found = costs(&world.client, &facts, &probe, &both, &verdicts).await;
    assert!(found.expect("measured").kinds[0].alone > 0);
}

async fn fault(world: &World, asks: &[Ask]) -> Fault {
    let key = unused("fault");
    let found = diagnose(
        &world.client,
        &world.wanted(),
        asks,
        &world.options(),
        &world.probe(&key),
    )
    .await;
    found.expect("diagnosed").fault
}

#[tokio::test]
async fn what_no_row_is_to_blame_for_is_not_put_on_rows() {
    let world = world().await;
    assert_eq!(fault(&world, &payees(&[30, 30, 30])).await, Fault::None);
    // Apart each leaves enough; together they do not.
    let Fault::Escrow(together) = fault(&world, &payees(&[60, 60])).await else {
        panic!("no row is at fault")
    };
    assert!(matches!(together[..], [Obstacle::RefusedTogether { .. }]));
    // All of them are refused: then it is the escrow that the token refuses.
    let Fault::Escrow(all) = fault(&world, &payees(&[13, 13, 13])).await else {
        panic!("no row is at fault")
    };
    let [Obstacle::Refused { contract_error, .. }] = all[..] else {
        panic!("{all:?}")
    };
    assert_eq!(contract_error, Some(600));
    // One alone is all that is known of one.
    assert!(matches!(fault(&world, &payees(&[13])).await, Fault::Rows(rows) if rows[0].0 == 0));
}
