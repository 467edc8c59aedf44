//! Void, retry, refund and reconcile: each idempotent, each decided by the chain.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::common::ledger::{build, token};
use crate::common::{Chain, Database, Rig, both, order_body, until};

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

both!(a_refund_is_believed_on_evidence_alone);
async fn a_refund_is_believed_on_evidence_alone(database: Database) {
    let chain = Chain::at_once(2).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let client = &chain.escrow.net.client;
    let [paid, other] = [&chain.recipients[0], &chain.recipients[1]];
    let order = rig
        .submit("g", &order_body(&[&paid.address()], &["40"]))
        .await;
    let id = order.text("id").to_owned();
    let path = format!("/v1/payouts/{id}/refund");
    rig.until_receipt(&id).await;
    let second = rig
        .submit("h", &order_body(&[&other.address()], &["40"]))
        .await;
    rig.until_receipt(second.text("id")).await;

    let admin = &chain.escrow.admin;
    let transfer = |from: &crate::common::ledger::Account, amount: i128| {
        let arguments = vec![
            token::address(from),
            token::address(admin),
            token::amount(amount),
        ];
        let call = token::call(&chain.escrow.token, "transfer", arguments);
        hash(&token::run(client, from, call).succeeded().0)
    };
    let lock = |amount: i128| {
        let arguments = vec![token::address(admin), token::amount(amount)];
        hash(&chain.escrow.run("lock_program_funds", arguments).0)
    };
    let ask = async |key: &str, transfer: &str, lock: &str| {
        let body = json!({ "evidence": [{ "transfer": transfer, "lock": lock }] });
        rig.post(&path, key, &body).await
    };
    let (wrong, part, whole) = (transfer(other, 40), transfer(paid, 39), transfer(paid, 1));
    let (locked, rest) = (lock(39), lock(1));
    let refused = "refund-evidence-invalid";
    assert_eq!(
        ask("1", &wrong, &locked).await.problem(422),
        refused,
        "another's money"
    );
    assert_eq!(
        ask("2", &part, &locked).await.problem(422),
        refused,
        "a part of it"
    );
    assert_eq!(
        ask("3", &locked, &part).await.problem(422),
        refused,
        "the wrong way round"
    );
    assert_eq!(
        ask("4", &"0".repeat(64), &locked).await.problem(422),
        refused,
        "not there"
    );
    assert_eq!(ask("5", "xyz", &locked).await.problem(400), "body-invalid");
    let body = json!({ "evidence": [
        { "transfer": part, "lock": locked }, { "transfer": whole, "lock": rest },
    ] });
    let done = rig.post(&path, "6", &body).await;
    assert_eq!(done.status, StatusCode::ACCEPTED, "{}", done.body);
    assert_eq!(done.body["result"]["returned"], "40");
    let order = rig.get(&format!("/v1/payouts/{id}")).await;
    assert_eq!(order.text("state"), "refunded");
    assert!(order.body["payout_id"].is_string(), "it stays paid");
    assert_eq!(rig.post(&path, "6", &body).await.status, StatusCode::OK);
    assert_eq!(
        rig.post(&path, "7", &body).await.problem(409),
        "state-forbids"
    );

    // The same transactions do not refund another order.
    let second = rig
        .submit("i", &order_body(&[&paid.address()], &["40"]))
        .await;
    rig.until_receipt(second.text("id")).await;
    let path = format!("/v1/payouts/{}/refund", second.text("id"));
    assert_eq!(rig.post(&path, "8", &body).await.problem(422), refused);
}

fn hash(found: &Value) -> String {
    found["txHash"].as_str().expect("a hash").to_owned()
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
