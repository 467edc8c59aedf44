//! Answers that prove nothing, and everything at once.

use localnet::{Fault, FaultPlan, Profile, Trigger};

use crate::common::ledger::Account;
use crate::common::{Chain, Database, Rig, both, order_body};

both!(answers_that_prove_nothing_are_no_verdicts);
/// A 504 after acceptance, "try again later" and `txBAD_SEQ` for what was included, and a node that
/// lags: each order is paid once, by one envelope.
async fn answers_that_prove_nothing_are_no_verdicts(database: Database) {
    let chain = Chain::at_once(1).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    // A node that lags shall not be older than the contract.
    chain.localnet().close_ledgers(10).expect("ledgers");
    chain.keep_closing();
    rig.until_ready().await;
    let name = chain.recipients[0].address();
    let body = order_body(&[&name], &["1"]);
    let next = |calls| Trigger::Next { calls };
    let cases = [
        (Fault::GatewayTimeout, next(1)),
        (Fault::TryAgainLaterAccepted, next(3)),
        (Fault::BadSeqAccepted, next(1)),
        (Fault::DropAfter, next(1)),
        (Fault::DropBefore, next(1)),
    ];
    for (number, (fault, trigger)) in cases.into_iter().enumerate() {
        let plan = FaultPlan::default()
            .with(fault, trigger)
            .with(Fault::LaggingRead, Trigger::Every { calls: 2 });
        chain.localnet().set_faults(plan).expect("faults");
        let order = rig.submit(&format!("k{number}"), &body).await;
        let id = order.text("id").to_owned();
        rig.until(&id, &["confirmed"]).await;
        chain.localnet().clear_faults().expect("no faults");
        let attempts = rig.get(&format!("/v1/payouts/{id}/attempts")).await;
        assert_eq!(attempts.body.as_array().map(Vec::len), Some(1), "{fault}");
        let kinds = rig.audit_kinds(&id).await;
        assert!(
            kinds.contains(&"outcome_unknown".to_owned()),
            "{fault}: {kinds:?}"
        );
    }
    assert_eq!(chain.payout_count(), 5);
    assert_eq!(chain.balance(&chain.recipients[0]), 5);
}

both!(two_gateways_share_the_work_under_every_fault);
/// Two gateways on one database, every fault at once, and the first one's plug pulled in between.
async fn two_gateways_share_the_work_under_every_fault(database: Database) {
    const ORDERS: u64 = 24;
    let chain = Chain::at_once(2).await;
    let mut rig = Rig::paying(&database, &chain, 6).await;
    let other = rig.second().await;
    chain.localnet().close_ledgers(10).expect("ledgers");
    chain.keep_closing();
    other.until_ready().await;
    chain
        .localnet()
        .set_faults(FaultPlan::profile(Profile::Nasty))
        .expect("faults");
    let names: Vec<String> = chain.recipients.iter().map(Account::address).collect();
    let body = order_body(&[&names[0], &names[1]], &["1", "2"]);
    for number in 0..ORDERS {
        let key = format!("k{number}");
        let here = rig.submit(&key, &body).await;
        let there = other.submit(&key, &body).await;
        assert_eq!(here.text("id"), there.text("id"));
        if number == ORDERS / 2 {
            rig.crash_and_restart().await;
        }
    }
    for number in 0..ORDERS {
        let order = other.submit(&format!("k{number}"), &body).await;
        other.until(order.text("id"), &["confirmed"]).await;
    }
    chain.localnet().clear_faults().expect("no faults");
    other.until_idle().await;
    assert_eq!(chain.payout_count(), ORDERS);
    assert_eq!(chain.paid(), i128::from(3 * ORDERS));
    let verdict = other.running().store().verify_audit(None).await;
    verdict.expect("an intact log");
}
