//! Void, retry, refund and reconcile: each idempotent, each decided by the chain.

use reqwest::StatusCode;
use serde_json::json;

use crate::common::ledger::{build, token};
use crate::common::{Chain, Database, Proxy, Rig, both, order_body, until};

const VOIDED: Option<u32> = Some(3);

both!(a_void_against_a_worker_that_has_signed_has_one_outcome);
/// The worker is held between signing and sending. Void first: cancelled, and never paid. Payment
/// first: confirmed, and the void is refused.
async fn a_void_against_a_worker_that_has_signed_has_one_outcome(database: Database) {
    let chain = Chain::at_once(1).await;
    let proxy = Proxy::before(chain.url()).await;
    let rig = Rig::paying_with(&database, &chain, 3, |config| {
        if let Some(network) = &mut config.network {
            network.rpc = vec![proxy.url.clone().into()];
        }
    })
    .await;
    let name = chain.recipients[0].address();
    let mut paid = 0;
    for number in 0..6 {
        let void_first = number % 2 == 0;
        let held = proxy.held();
        proxy.hold_next();
        let order = rig
            .submit(&format!("g{number}"), &order_body(&[&name], &["1"]))
            .await;
        let id = order.text("id").to_owned();
        until("the worker is held", async || proxy.held() > held).await;
        assert_eq!(
            rig.get(&format!("/v1/payouts/{id}")).await.text("state"),
            "submitted"
        );
        if !void_first {
            proxy.release();
            rig.until(&id, &["confirmed"]).await;
        }
        let void = rig
            .post(
                &format!("/v1/payouts/{id}/void"),
                &format!("v{number}"),
                &json!({}),
            )
            .await;
        if void_first {
            assert_eq!(void.status, StatusCode::ACCEPTED, "{}", void.body);
            let ended = rig.until_ended(void.text("id")).await;
            proxy.release();
            let order = rig.until(&id, &["cancelled", "confirmed"]).await;
            assert_eq!(order["state"], "cancelled");
            assert_eq!(ended["state"], "done");
            assert_eq!(
                chain.record_kind(order["chain_key"].as_str().expect("a key")),
                VOIDED
            );
            let again = rig
                .post(
                    &format!("/v1/payouts/{id}/void"),
                    &format!("v{number}"),
                    &json!({}),
                )
                .await;
            assert_eq!(again.status, StatusCode::OK);
            assert_eq!(again.body, ended);
            let kinds = rig.audit_kinds(&id).await;
            assert!(kinds.contains(&"void_requested".to_owned()), "{kinds:?}");
        } else {
            assert_eq!(void.problem(409), "state-forbids");
            paid += 1;
        }
    }
    rig.until_idle().await;
    assert_eq!(chain.payout_count(), paid);
    assert_eq!(chain.balance(&chain.recipients[0]), i128::from(paid));
}

both!(a_void_that_loses_the_race_ends_confirmed);
/// The void's own transaction is held while the payment goes through.
async fn a_void_that_loses_the_race_ends_confirmed(database: Database) {
    let chain = Chain::at_once(1).await;
    let proxy = Proxy::before(chain.url()).await;
    let rig = Rig::paying_with(&database, &chain, 3, |config| {
        if let Some(network) = &mut config.network {
            network.rpc = vec![proxy.url.clone().into()];
        }
    })
    .await;
    let name = chain.recipients[0].address();
    proxy.hold_next();
    let order = rig.submit("g", &order_body(&[&name], &["1"])).await;
    let id = order.text("id").to_owned();
    until("the payment is held", async || proxy.held() == 1).await;
    proxy.hold_next();
    let void = rig
        .post(&format!("/v1/payouts/{id}/void"), "v", &json!({}))
        .await;
    until("the void is held", async || proxy.held() == 2).await;
    let waiting = rig.get(&format!("/v1/payouts/{id}")).await;
    assert_eq!(waiting.text("state"), "outcome_unknown");
    proxy.release();
    let ended = rig.until_ended(void.text("id")).await;
    let order = rig.until(&id, &["confirmed", "cancelled"]).await;
    let paid = chain.payout_count();
    match order["state"].as_str() {
        Some("confirmed") => {
            assert_eq!((ended["state"].as_str(), paid), (Some("refused"), 1));
            assert_eq!(ended["result"]["reason"], "KeyAlreadyConsumed");
        }
        _ => assert_eq!((ended["state"].as_str(), paid), (Some("done"), 0)),
    }
}

both!(a_rejected_order_is_tried_again_under_its_key);
async fn a_rejected_order_is_tried_again_under_its_key(database: Database) {
    let chain = Chain::at_once(0).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let stranger = chain.escrow.net.account("no trustline yet");
    let body = order_body(&[&stranger.address()], &["3"]);
    let order = rig.submit("g", &body).await;
    let id = order.text("id").to_owned();
    let rejected = rig.until(&id, &["rejected"]).await;
    assert_eq!(
        (&rejected["final"], &rejected["reason"]),
        (&json!(false), &json!("refused"))
    );
    assert_eq!(rig.submit("g", &body).await.text("state"), "rejected");

    let trust = build::trust(&chain.escrow.asset, i64::MAX);
    build::run(&chain.escrow.net.client, &stranger, vec![trust]).succeeded();
    let retry = rig
        .post(&format!("/v1/payouts/{id}/retry"), "r", &json!({}))
        .await;
    assert_eq!(retry.status, StatusCode::ACCEPTED, "{}", retry.body);
    let paid = rig.until(&id, &["confirmed"]).await;
    assert_eq!(paid["chain_key"], rejected["chain_key"]);
    let again = rig
        .post(&format!("/v1/payouts/{id}/retry"), "r", &json!({}))
        .await;
    assert_eq!(again.status, StatusCode::OK);
    let other = rig
        .post(&format!("/v1/payouts/{id}/retry"), "r2", &json!({}))
        .await;
    assert_eq!(other.problem(409), "state-forbids");
    assert_eq!(chain.balance(&stranger), 3);
    let key_of_another = rig
        .post(&format!("/v1/payouts/{id}/void"), "r", &json!({}))
        .await;
    assert_eq!(key_of_another.problem(409), "idempotency-key-reused");
}

both!(reconciliation_finds_what_differs_both_ways);
async fn reconciliation_finds_what_differs_both_ways(database: Database) {
    let chain = Chain::at_once(2).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let name = chain.recipients[0].address();
    let one = rig.submit("one", &order_body(&[&name], &["1"])).await;
    let two = rig.submit("two", &order_body(&[&name], &["1"])).await;
    for order in [&one, &two] {
        rig.until_receipt(order.text("id")).await;
    }
    let reconcile = async |key: &str| {
        let path = "/v1/programs/hackathon-2026/reconciliations";
        let asked = rig.post(path, key, &json!({})).await;
        rig.until_ended(asked.text("id")).await["result"].clone()
    };
    let clean = reconcile("r1").await;
    assert_eq!(
        (&clean["orders"], &clean["paid"], &clean["findings"]),
        (&json!(2), &json!(2), &json!(0))
    );

    // Somebody pays past the gateway; and an order is confirmed that the chain does not know.
    let to = token::address(&chain.recipients[1]);
    let batch = chain.escrow.batch("past-the-gateway", &[to]);
    token::run(&chain.escrow.net.client, &chain.escrow.admin, batch).succeeded();
    let pool = database.past().await;
    let lie = "UPDATE orders SET state = 'rejected', final = 0 WHERE caller_key = 'two'";
    sqlx::query(lie).execute(&pool).await.expect("a lie");
    let unpaid = rig
        .submit("three", &order_body(&[&name], &["90000000000"]))
        .await;
    rig.until(unpaid.text("id"), &["rejected"]).await;
    let lie = "UPDATE orders SET state = 'confirmed', final = 1 WHERE caller_key = 'three'";
    sqlx::query(lie).execute(&pool).await.expect("a lie");
    pool.close().await;
    until("the event is followed", async || {
        database.count("chain_events").await >= 3
    })
    .await;

    let dirty = reconcile("r2").await;
    assert_eq!(dirty["findings"], 3);
    let findings = rig.get("/v1/programs/hackathon-2026/findings").await;
    let mut kinds: Vec<String> = findings
        .body
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| {
            format!(
                "{} {}",
                finding["kind"].as_str().unwrap_or(""),
                finding["subject"].as_str().unwrap_or("")
            )
        })
        .collect();
    kinds.sort();
    assert_eq!(
        kinds,
        [
            format!("confirmed_not_on_chain {}", unpaid.text("id")),
            format!("paid_not_confirmed {}", two.text("id")),
            "payout_without_order past-the-gateway".to_owned(),
        ]
    );
    // What can be put right by looking is.
    rig.until(two.text("id"), &["confirmed"]).await;
    assert_eq!(
        reconcile("r2").await,
        dirty,
        "the same key, the same answer"
    );
    assert_eq!(reconcile("r3").await["findings"], 2);
}
