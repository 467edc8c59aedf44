//! Addresses that swallow the money.

use payout_engine::preflight::{Ask, Kind, Reason, Verdict, confirm};
use payout_keys::Recipient;

use crate::entries::TrustlineNumbers;
use crate::transactions::Keys;
use crate::world::{ONE, World, ask, unused};

/// The id of a contract that nobody deployed.
const C0: &str = "CB2LTNYYHF7NPL7MEW6BBMDTJT7PAW2EVHCRADUCT2FNU36X5JYVSW7Z";

#[tokio::test]
async fn a_well_formed_address_is_not_a_payable_one() {
    let world = World::usdc(0).await.published().await;
    let (r1, r2) = (Keys::named("cases.R1"), Keys::named("cases.R2"));
    for keys in [&r1, &r2] {
        world.put_account(keys, 100_000_000, 2, 0);
        world.put_trustline(keys, &world.issuer, TrustlineNumbers::default());
    }
    world.put_data(&r1, "config.memo_required", b"1");
    // Another value asks for nothing.
    world.put_data(&r2, "config.memo_required", b"0");
    let recipients = [
        Recipient::Contract(world.token.0),
        Recipient::Contract(world.escrow.0),
        Recipient::new(C0).expect("an address"),
        Recipient::Account(r1.public()),
        Recipient::Account(r2.public()),
        Recipient::Account(world.issuer.public()),
    ];
    let asks: Vec<Ask> = recipients
        .iter()
        .map(|recipient| ask(*recipient, 5 * ONE))
        .collect();
    let report = world.check(&asks).await;
    let reject = Verdict::Reject;
    assert_eq!(
        report.verdicts,
        [
            reject(Reason::TokenContract),
            reject(Reason::EscrowItself),
            reject(Reason::NotDeployed),
            reject(Reason::MemoRequired),
            Verdict::Pay(Kind::Account),
            reject(Reason::Issuer),
        ]
    );
    assert_eq!(report.payable, 5 * ONE);

    // With a yes for the rows that can have one, these pass; the host takes them.
    let agreed: Vec<Ask> = asks
        .iter()
        .cloned()
        .map(|mut ask| {
            ask.consents.issuer = true;
            ask.consents.not_deployed = true;
            ask
        })
        .collect();
    let report = world.check(&agreed).await;
    assert_eq!(report.verdicts[2], Verdict::Pay(Kind::NewContract));
    assert_eq!(report.verdicts[5], Verdict::Pay(Kind::Issuer));
    assert_eq!(report.verdicts[0], reject(Reason::TokenContract));
    let key = unused("swallow");
    let facts = world.facts().await;
    let refused = confirm(&world.client, &facts, &world.probe(&key), &agreed).await;
    let refused = refused.expect("simulated").refused;
    // The contract guards its own address and the token's; a memo it knows nothing of.
    let rows: Vec<usize> = refused.iter().map(|row| row.0).collect();
    assert_eq!(rows, [0, 1]);
    for (_, reason) in refused {
        let Reason::Refused { contract_error, .. } = reason else {
            panic!("{reason:?}")
        };
        assert_eq!(contract_error, Some(405));
    }
}
