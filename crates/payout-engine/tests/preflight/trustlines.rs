//! Who can be paid, and one who no longer can.

use payout_engine::preflight::{Fault, Kind, Options, Reason, Verdict, check, confirm, diagnose};
use payout_keys::Recipient;
use stellar_xdr::{
    ChangeTrustAsset, ChangeTrustOp, LedgerEntryData, LedgerKey, LedgerKeyTrustLine, OperationBody,
    PaymentOp, TrustLineAsset,
};

use crate::entries::TrustlineNumbers;
use crate::transactions::Keys;
use crate::world::{ONE, World, ask, unused, usdc_of};

fn units(tokens: i64) -> i64 {
    tokens * 10_000_000
}

fn recipient(keys: &Keys) -> Recipient {
    Recipient::Account(keys.public())
}

/// R1 to R7 as the field knows them; R2 trusts the issuer it is given instead.
fn people(world: &World, other: &Keys) -> Vec<Keys> {
    let keys: Vec<Keys> = (1..=7)
        .map(|number| Keys::named(&format!("cases.R{number}")))
        .collect();
    for (index, keys) in keys.iter().enumerate() {
        // The last one has less XLM than an account with one entry must keep.
        let balance = if index == 6 { 10_000_000 } else { units(10) };
        world.put_account(keys, balance, 1, 0);
    }
    let line = TrustlineNumbers {
        limit: units(100),
        ..TrustlineNumbers::default()
    };
    world.put_account(other, units(10), 0, 0);
    world.put_trustline(&keys[1], other, line);
    for (index, balance, buying, flags) in
        [(2, 95, 0, 1), (3, 95, 0, 1), (4, 90, 6, 1), (5, 0, 0, 2)]
    {
        let line = TrustlineNumbers {
            balance: units(balance),
            buying: units(buying),
            flags,
            ..line
        };
        world.put_trustline(&keys[index], &world.issuer, line);
    }
    world.put_trustline(&keys[6], &world.issuer, line);
    keys
}

fn balance(world: &World, keys: &Keys) -> Option<i64> {
    let key = LedgerKey::Trustline(LedgerKeyTrustLine {
        account_id: keys.id(),
        asset: match usdc_of(&world.issuer) {
            stellar_xdr::Asset::CreditAlphanum4(asset) => TrustLineAsset::CreditAlphanum4(asset),
            _ => unreachable!("a code of four letters"),
        },
    });
    match world.net.entry(key).expect("it runs")?.0.data {
        LedgerEntryData::Trustline(line) => Some(line.balance),
        _ => None,
    }
}

#[tokio::test]
async fn each_payee_is_judged_as_the_host_would() {
    let world = World::usdc(0).await.published().await;
    let other = Keys::named("cases.other");
    let people = people(&world, &other);
    let asks: Vec<_> = people
        .iter()
        .zip([
            5 * ONE,
            5 * ONE,
            5 * ONE,
            50_000_001,
            5 * ONE,
            5 * ONE,
            5 * ONE,
        ])
        .map(|(keys, amount)| ask(recipient(keys), amount))
        .collect();
    let others = [other.public(), world.issuer.public()];
    let options = Options {
        other_issuers: &others,
        ..world.options()
    };
    let facts = world.facts().await;
    let report = check(&world.client, &facts, &asks, &options).await;
    let report = report.expect("a report");
    let pay = Verdict::Pay(Kind::Account);
    let reject = Verdict::Reject;
    let Verdict::Reject(Reason::OtherIssuer { trusted }) = &report.verdicts[1] else {
        panic!("{:?}", report.verdicts[1])
    };
    assert_eq!(trusted.len(), 1);
    assert_eq!(trusted[0].issuer_address(), recipient(&other));
    let room = 4 * ONE;
    assert_eq!(
        report.verdicts,
        [
            reject(Reason::TrustlineMissing),
            report.verdicts[1].clone(),
            pay.clone(),
            reject(Reason::Limit { room: 5 * ONE }),
            reject(Reason::Limit { room }),
            reject(Reason::Deauthorised { maintains: true }),
            pay,
        ]
    );
    let Verdict::Reject(limit) = &report.verdicts[4] else {
        unreachable!("rejected")
    };
    let text = limit.detail(recipient(&people[4]), &facts.token);
    assert!(text.contains("room for 4 of USDC:G"), "{text}");
    assert!(report.obstacles.is_empty(), "{:?}", report.obstacles);
    assert_eq!(report.payable, 10 * ONE);

    // The host refuses exactly those rows.
    let key = unused("judged");
    let refused = confirm(&world.client, &facts, &world.probe(&key), &asks).await;
    let refused: Vec<usize> = refused
        .expect("simulated")
        .refused
        .iter()
        .map(|row| row.0)
        .collect();
    assert_eq!(refused, [0, 1, 3, 4, 5]);
    // Where no issuer is named, none can be recognised.
    let blind = world.check(&asks).await;
    assert_eq!(blind.verdicts[1], reject(Reason::TrustlineMissing));
}

#[tokio::test]
async fn a_trustline_that_is_dropped_after_the_check_is_found_and_left_out() {
    let world = World::usdc(0).await.published().await;
    let people = people(&world, &Keys::named("cases.other"));
    let (r3, r7) = (&people[2], &people[6]);
    let asks = [ask(recipient(r3), 5 * ONE), ask(recipient(r7), 5 * ONE)];
    let report = world.check(&asks).await;
    assert!(
        report
            .verdicts
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Pay(_)))
    );

    world
        .classic(
            r3,
            OperationBody::Payment(PaymentOp {
                destination: world.issuer.muxed(),
                asset: usdc_of(&world.issuer),
                amount: units(95),
            }),
        )
        .await;
    let stellar_xdr::Asset::CreditAlphanum4(line) = usdc_of(&world.issuer) else {
        unreachable!("a code of four letters")
    };
    let line = ChangeTrustAsset::CreditAlphanum4(line);
    let drop = ChangeTrustOp { line, limit: 0 };
    world.classic(r3, OperationBody::ChangeTrust(drop)).await;

    let key = unused("k03");
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
    assert_eq!(
        found.fault,
        Fault::Rows(vec![(0, Reason::TrustlineMissing)])
    );
    // The rest goes out under the same key, once.
    world.pay("k03", &asks[1..]).await;
    assert_eq!(balance(&world, r3), None);
    assert_eq!(balance(&world, r7), Some(units(5)));
    assert_eq!(world.facts().await.program.payout_count, 1);
    // What is sound is nobody's fault.
    let key = unused("k03b");
    let sound = diagnose(
        &world.client,
        &wanted,
        &asks[1..],
        &world.options(),
        &world.probe(&key),
    )
    .await
    .expect("diagnosed");
    assert_eq!(sound.fault, Fault::None);
}

/// A node lists no trustlines. What an account began to trust is in its own transactions.
#[tokio::test]
async fn another_issuer_is_found_in_the_accounts_own_transactions() {
    let world = World::usdc(0).await.published().await;
    let other = Keys::named("cases.other");
    world.put_account(&other, units(10), 0, 0);
    let trust = |issuer: &Keys, limit: i64| {
        let stellar_xdr::Asset::CreditAlphanum4(line) = usdc_of(issuer) else {
            unreachable!("a code of four letters")
        };
        let line = ChangeTrustAsset::CreditAlphanum4(line);
        OperationBody::ChangeTrust(ChangeTrustOp { line, limit })
    };
    let asks: Vec<_> = (0..7)
        .map(|number| {
            let keys = Keys::named(&format!("payee {number}"));
            world.put_account(&keys, units(10), 0, 0);
            ask(recipient(&keys), ONE)
        })
        .collect();
    // The last one trusts it, the one before no longer.
    let (before, last) = (Keys::named("payee 5"), Keys::named("payee 6"));
    for keys in [&before, &last] {
        world.classic(keys, trust(&other, 5)).await;
    }
    world.classic(&before, trust(&other, 0)).await;
    let verdicts = world.check(&asks).await.verdicts;
    let missing = Verdict::Reject(Reason::TrustlineMissing);
    assert_eq!(verdicts[..6], vec![missing; 6]);
    let Verdict::Reject(Reason::OtherIssuer { trusted }) = &verdicts[6] else {
        panic!("{:?}", verdicts[6])
    };
    assert_eq!(trusted.len(), 1);
    assert_eq!(trusted[0].issuer_address(), recipient(&other));
}

/// One call takes 200 keys; 150 accounts have three each.
#[tokio::test]
async fn a_hundred_and_fifty_rows_are_read_in_pages() {
    let world = World::usdc(0).await.published().await;
    let asks: Vec<_> = (0..150)
        .map(|number| {
            let keys = Keys::named(&format!("row {number}"));
            world.put_account(&keys, units(10), 1, 0);
            // Every tenth has no trustline.
            if number % 10 != 3 {
                world.put_trustline(&keys, &world.issuer, TrustlineNumbers::default());
            }
            ask(recipient(&keys), ONE)
        })
        .collect();
    let report = world.check(&asks).await;
    let rejected: Vec<usize> = report
        .verdicts
        .iter()
        .enumerate()
        .filter(|(_, verdict)| **verdict == Verdict::Reject(Reason::TrustlineMissing))
        .map(|(row, _)| row)
        .collect();
    assert_eq!(
        rejected,
        (0..15).map(|ten| ten * 10 + 3).collect::<Vec<_>>()
    );
    assert_eq!(report.payable, 135 * ONE);
    // Three batches by simulation, and by halving: the same rows.
    let key = unused("pages");
    let facts = world.facts().await;
    let refused = confirm(&world.client, &facts, &world.probe(&key), &asks).await;
    let refused: Vec<usize> = refused
        .expect("simulated")
        .refused
        .iter()
        .map(|row| row.0)
        .collect();
    assert_eq!(refused, rejected);
}
