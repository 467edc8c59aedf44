//! What the issuer, the guardian and the administrator do to the escrow is not the rows' fault.

use payout_engine::preflight::{Fault, Obstacle, Verdict, check, diagnose};
use payout_keys::Recipient;
use stellar_xdr::ScVal;

use crate::entries::TrustlineNumbers;
use crate::transactions::Keys;
use crate::world::{ONE, World, address, ask, unused};

/// Authorisation required, revocable, clawback.
const STRICT: u32 = 1 | 2 | 8;

fn names(obstacles: &[Obstacle]) -> Vec<&'static str> {
    obstacles.iter().map(Obstacle::name).collect()
}

async fn authorise(world: &World, yes: bool) {
    let escrow = address(Recipient::Contract(world.escrow.0));
    let arguments = vec![escrow, ScVal::Bool(yes)];
    world
        .call(&world.issuer, world.token, "set_authorized", arguments)
        .await;
}

#[tokio::test]
async fn a_frozen_escrow_is_named_and_the_rows_are_not() {
    let world = World::usdc(STRICT).await;
    let payee = Keys::named("cases.R1");
    world.put_account(&payee, 100_000_000, 1, 0);
    world.put_trustline(&payee, &world.issuer, TrustlineNumbers::default());
    let asks = [ask(Recipient::Account(payee.public()), 10 * ONE)];

    // The issuer authorises holders first: before that, the escrow holds nothing and may not.
    let holding = world.facts().await.holding;
    assert!(!holding.authorised && holding.balance == 0 && holding.life.is_none());
    authorise(&world, true).await;
    let from = address(world.caller());
    world
        .run("lock_program_funds", vec![from, (100 * ONE).into()])
        .await;
    world.run("publish_program", Vec::new()).await;
    assert!(world.check(&asks).await.obstacles.is_empty());
    world.pay("k1", &asks).await;

    authorise(&world, false).await;
    let report = world.check(&asks).await;
    assert_eq!(names(&report.obstacles), ["frozen"]);
    assert!(
        report.obstacles[0]
            .to_string()
            .contains("the escrow is frozen")
    );
    assert!(matches!(report.verdicts[..], [Verdict::Pay(_)]));
    let key = unused("k2");
    let wanted = world.wanted();
    let found = diagnose(
        &world.client,
        &wanted,
        &asks,
        &world.options(),
        &world.probe(&key),
    )
    .await
    .expect("diagnosed");
    assert_eq!(found.fault, Fault::Escrow(report.obstacles));

    // Clawed back: the books say 90, and 40 are there.
    authorise(&world, true).await;
    let escrow = address(Recipient::Contract(world.escrow.0));
    world
        .call(
            &world.issuer,
            world.token,
            "clawback",
            vec![escrow, (50 * ONE).into()],
        )
        .await;
    let facts = world.facts().await;
    assert_eq!(facts.program.remaining_balance, 90 * ONE);
    assert_eq!(facts.holding.balance, 40 * ONE);
    assert_eq!(facts.payable(), 40 * ONE);
    let payee = asks[0].line.recipient;
    for (amount, expected) in [
        (60, vec!["balance_short"]),
        (40, vec![]),
        (91, vec!["books_short", "balance_short"]),
    ] {
        let report = world.check(&[ask(payee, amount * ONE)]).await;
        assert_eq!(names(&report.obstacles), expected, "{amount}");
    }
}

#[tokio::test]
async fn brakes_and_sources_are_named_before_anything_is_signed() {
    let world = World::usdc(0).await;
    let payee = Keys::named("cases.R1");
    world.put_account(&payee, 100_000_000, 1, 0);
    world.put_trustline(&payee, &world.issuer, TrustlineNumbers::default());
    let asks = [ask(Recipient::Account(payee.public()), 10 * ONE)];
    let draft = world.check(&asks).await;
    assert_eq!(names(&draft.obstacles), ["not_active", "books_short"]);
    let world = world.published().await;

    let me = address(world.caller());
    let text = |text: &str| ScVal::String(stellar_xdr::ScString(text.try_into().expect("short")));
    let trip = vec![me.clone(), text("a drill")];
    world.run("trip_circuit_breaker", trip).await;
    let report = world.check(&asks).await;
    assert_eq!(names(&report.obstacles), ["breaker_open"]);
    assert!(report.obstacles[0].to_string().contains("a drill"));
    world.run("reset_circuit_breaker", Vec::new()).await;
    assert!(world.check(&asks).await.obstacles.is_empty());

    // Somebody who may not pay, from an account that does not exist.
    let stranger = Recipient::Account(Keys::named("a stranger").public());
    let options = payout_engine::preflight::Options {
        caller: stranger,
        source: Some((stranger, 1)),
        other_issuers: &[],
    };
    let facts = world.facts().await;
    let report = check(&world.client, &facts, &asks, &options).await;
    assert_eq!(
        names(&report.expect("a report").obstacles),
        ["caller_may_not_pay", "source_missing"]
    );
    // An account with its reserve and nothing more.
    let poor = Keys::named("poor");
    world.put_account(&poor, 10_000_099, 0, 0);
    for (needed, expected) in [(100, vec!["source_short"]), (99, vec![])] {
        let options = payout_engine::preflight::Options {
            source: Some((Recipient::Account(poor.public()), needed)),
            ..world.options()
        };
        let report = check(&world.client, &facts, &asks, &options).await;
        assert_eq!(names(&report.expect("a report").obstacles), expected);
    }
}
