//! A database from yesterday, and none at all: the chain remembers.

use std::time::Duration;

use reqwest::StatusCode;

use crate::common::{Chain, Database, Rig, both, order_body, until};

both!(a_restored_database_pays_nothing_again);
async fn a_restored_database_pays_nothing_again(database: Database) {
    let chain = Chain::at_once(1).await;
    let mut rig = Rig::paying(&database, &chain, 2).await;
    let name = chain.recipients[0].address();
    let body = order_body(&[&name], &["10"]);
    let folder = tempfile::tempdir().expect("a folder");
    let backup = folder.path().join("backup");
    let mut before = Vec::new();
    for number in 1..=5 {
        let order = rig.submit(&format!("g{number}"), &body).await;
        before.push(rig.until_receipt(order.text("id")).await);
        if number == 2 {
            rig.until_idle().await;
            database.back_up(&backup).await;
        }
    }
    rig.stop().await;
    database.restore(&backup);
    assert_eq!(database.count("orders").await, 2);

    // The node stands still: nothing is sent, and that is said.
    rig.config.worker.ledgers_on_demand = false;
    let ledger = chain.localnet().latest_ledger().expect("a ledger");
    rig.crash_and_restart().await;
    for number in 3..=5 {
        let order = rig.submit(&format!("g{number}"), &body).await;
        assert_eq!(order.status, StatusCode::ACCEPTED, "{}", order.body);
        assert_eq!(order.text("state"), "created");
        assert!(!order.text("explanation").is_empty());
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let ready = rig.get("/readyz").await;
    assert_eq!(
        ready.status,
        StatusCode::SERVICE_UNAVAILABLE,
        "{}",
        ready.body
    );
    assert_eq!(
        chain.localnet().latest_ledger().expect("a ledger"),
        ledger,
        "nothing was sent"
    );

    chain.localnet().close_ledgers(1).expect("a ledger");
    for (number, earlier) in (1..=5).zip(&before) {
        let again = rig.submit(&format!("g{number}"), &body).await;
        let order = rig.until_receipt(again.text("id")).await;
        assert_eq!(order["state"], "confirmed");
        assert_eq!(
            order["transaction"], earlier["transaction"],
            "the original one"
        );
        assert_eq!(order["chain_key"], earlier["chain_key"]);
        let id = |order: &serde_json::Value| order["id"].as_str().map(|id| id[8..].to_owned());
        assert_eq!(id(&order), id(earlier));
        let kinds = rig.audit_kinds(again.text("id")).await;
        assert_eq!(
            kinds.contains(&"found_on_chain".to_owned()),
            number > 2,
            "{kinds:?}"
        );
    }
    assert_eq!(chain.payout_count(), 5);
    assert_eq!(chain.balance(&chain.recipients[0]), 50);
    rig.until_idle().await;
    let rows = rig.get("/v1/audit?program=hackathon-2026&limit=1000").await;
    let seen: Vec<&serde_json::Value> = rows.body["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .filter(|row| row["kind"] == "restore_detected")
        .collect();
    assert_eq!(seen.len(), 1, "the restore is visible");
    assert_eq!(
        seen[0]["detail"]["chain_keys"].as_array().map(Vec::len),
        Some(3)
    );
    assert_eq!(
        database.count("envelopes").await,
        2,
        "nothing was signed again"
    );
}

both!(an_empty_database_pays_nothing_again);
async fn an_empty_database_pays_nothing_again(database: Database) {
    let chain = Chain::at_once(1).await;
    let name = chain.recipients[0].address();
    let body = order_body(&[&name], &["10"]);
    let lost = Database::sqlite();
    let mut rig = Rig::paying(&lost, &chain, 1).await;
    let mut before = Vec::new();
    for number in 1..=5 {
        let order = rig.submit(&format!("g{number}"), &body).await;
        before.push(rig.until_receipt(order.text("id")).await);
    }
    rig.stop().await;

    // The node stands still: nothing is sent, and that is said. What the database has forgotten is seen
    // all the same.
    let rig = Rig::paying_with(&database, &chain, 1, |config| {
        config.worker.ledgers_on_demand = false;
    })
    .await;
    let ledger = chain.localnet().latest_ledger().expect("a ledger");
    let seen = async || {
        let path = "/v1/audit?program=hackathon-2026&limit=1000";
        let rows = rig.get(path).await.body["rows"].clone();
        let rows = rows.as_array().expect("rows").clone();
        rows.into_iter()
            .find(|row| row["kind"] == "restore_detected")
    };
    until("the loss is seen", async || seen().await.is_some()).await;
    let keys = seen().await.expect("a row")["detail"]["chain_keys"].clone();
    for (number, earlier) in (1..=5).zip(&before) {
        let again = rig.submit(&format!("g{number}"), &body).await;
        assert_eq!(again.status, StatusCode::ACCEPTED, "{}", again.body);
        assert_eq!(again.text("state"), "created");
        assert!(!again.text("explanation").is_empty());
        assert_eq!(keys[number - 1], earlier["chain_key"]);
    }
    let ready = rig.get("/readyz").await.status;
    assert_eq!(ready, StatusCode::SERVICE_UNAVAILABLE);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let now = chain.localnet().latest_ledger().expect("a ledger");
    assert_eq!(now, ledger, "nothing was sent");

    chain.localnet().close_ledgers(1).expect("a ledger");
    for (number, earlier) in (1..=5).zip(&before) {
        let again = rig.submit(&format!("g{number}"), &body).await;
        assert_eq!(again.status, StatusCode::OK, "{}", again.body);
        let order = rig.until_receipt(again.text("id")).await;
        assert_eq!(order["state"], "confirmed");
        assert_eq!(order["transaction"], earlier["transaction"]);
        assert_eq!(order["chain_key"], earlier["chain_key"]);
        // Its first eight digits are the second it was created in.
        let id = |order: &serde_json::Value| order["id"].as_str().map(|id| id[8..].to_owned());
        assert_eq!(id(&order), id(earlier));
        let kinds = rig.audit_kinds(again.text("id")).await;
        assert!(kinds.contains(&"found_on_chain".to_owned()), "{kinds:?}");
    }
    rig.until_idle().await;
    assert_eq!(chain.payout_count(), 5);
    assert_eq!(chain.balance(&chain.recipients[0]), 50);
    assert_eq!(database.count("envelopes").await, 0, "nothing was signed");
}

both!(another_request_under_a_forgotten_key_is_a_conflict);
async fn another_request_under_a_forgotten_key_is_a_conflict(database: Database) {
    let chain = Chain::at_once(1).await;
    let name = chain.recipients[0].address();
    let lost = Database::sqlite();
    let mut rig = Rig::paying(&lost, &chain, 1).await;
    let order = rig.submit("g", &order_body(&[&name], &["10"])).await;
    rig.until_receipt(order.text("id")).await;
    rig.stop().await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let other = rig.submit("g", &order_body(&[&name], &["11"])).await;
    let order = rig
        .until(other.text("id"), &["rejected", "confirmed"])
        .await;
    assert_eq!(
        (order["state"].as_str(), order["reason"].as_str()),
        (Some("rejected"), Some("conflict"))
    );
    assert_eq!(order["final"], true);
    assert_eq!(chain.payout_count(), 1);
}
