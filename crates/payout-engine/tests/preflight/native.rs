//! XLM has rules of its own: judged as the host does.

use payout_engine::escrow::TokenKind;
use payout_engine::preflight::{Confirmed, Kind, Reason, Verdict, confirm};
use payout_keys::Recipient;

use crate::transactions::Keys;
use crate::world::{World, ask, unused};

#[tokio::test]
async fn xlm_creates_accounts_and_needs_their_reserve() {
    let world = World::xlm().await;
    let facts = world.facts().await;
    assert_eq!(facts.token.kind, TokenKind::Native);
    assert_eq!(facts.token.name(), "native");
    let (rich, poor) = (Keys::named("rich"), Keys::named("poor"));
    world.put_account(&rich, 100_000_000, 0, 0);
    // Two entries more than are paid for: 20,000,000 are to be kept.
    world.put_account(&poor, 10_000_000, 2, 0);
    let account = |keys: &Keys| Recipient::Account(keys.public());
    let missing = |name: &str| Recipient::Account(Keys::named(name).public());
    let asks = [
        ask(account(&rich), 1),
        ask(account(&poor), 9_999_999),
        ask(missing("a"), 9_999_999),
        ask(missing("b"), 10_000_000),
    ];
    let report = world.check(&asks).await;
    assert_eq!(
        report.verdicts,
        [
            Verdict::Pay(Kind::Account),
            Verdict::Reject(Reason::BelowReserve {
                missing: 10_000_000
            }),
            Verdict::Reject(Reason::AccountTooSmall {
                minimum: 10_000_000
            }),
            Verdict::Pay(Kind::NewAccount),
        ]
    );
    let key = unused("xlm");
    let refused = confirm(&world.client, &facts, &world.probe(&key), &asks).await;
    let refused: Vec<usize> = refused
        .expect("simulated")
        .refused
        .iter()
        .map(|row| row.0)
        .collect();
    assert_eq!(refused, [1, 2]);
    // One stroop more, and the poor one is at its reserve.
    let enough = [ask(account(&poor), 10_000_000)];
    let report = world.check(&enough).await;
    assert_eq!(report.verdicts, [Verdict::Pay(Kind::Account)]);
    let refused = confirm(&world.client, &facts, &world.probe(&key), &enough).await;
    assert_eq!(refused.expect("simulated"), Confirmed::default());
}
