//! One key, one order.

use std::collections::BTreeSet;
use std::sync::Arc;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::common::{Answer, Database, R1, R2, Rig, both, order_body, payouts};

both!(a_repeated_request_gets_the_same_order);
async fn a_repeated_request_gets_the_same_order(database: Database) {
    let rig = Rig::serving(&database).await;
    let body = order_body(&[R1], &["7"]);
    let first = rig.submit("k1", &body).await;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{}", first.body);
    assert_eq!(first.text("state"), "created");
    assert_eq!(first.header("idempotent-replayed"), None);
    let location = first.header("location").expect("a place").to_owned();
    assert_eq!(location, format!("/v1/payouts/{}", first.text("id")));

    let again = rig.submit("k1", &body).await;
    assert_eq!(again.status, StatusCode::OK);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.header("location"), Some(location.as_str()));
    assert_eq!(again.body, first.body);
    assert_eq!(rig.get(&location).await.body, first.body);
    assert_eq!(database.count("orders").await, 1);
    assert_eq!(database.count("jobs").await, 1);
    let created = rig.audit_kinds(first.text("id")).await;
    assert_eq!(created, ["create"]);
}

/// A gateway, or where processes share a database, two.
async fn processes(database: &Database) -> Vec<Arc<Rig>> {
    let first = Rig::serving(database).await;
    let second = match database {
        Database::Sqlite(_) => None,
        Database::Postgres(_) => Some(first.second().await),
    };
    [Some(first), second]
        .into_iter()
        .flatten()
        .map(Arc::new)
        .collect()
}

/// A hundred requests under one key that leave at the same instant, with these bodies.
async fn a_hundred_at_once(rigs: &[Arc<Rig>], body: impl Fn(usize) -> Value) -> Vec<Answer> {
    let start = Arc::new(Barrier::new(100));
    let tasks: Vec<_> = (0..100)
        .map(|number| {
            let (rig, body) = (Arc::clone(&rigs[number % rigs.len()]), body(number));
            let start = Arc::clone(&start);
            tokio::spawn(async move {
                start.wait().await;
                rig.submit("burst", &body).await
            })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.expect("an answer"));
    }
    answers
}

both!(a_hundred_identical_requests_at_once_are_one_order);
async fn a_hundred_identical_requests_at_once_are_one_order(database: Database) {
    let rigs = processes(&database).await;
    let rig = &rigs[0];
    let body = order_body(&[R1, R2], &["50000000", "70000000"]);
    let mut accepted = 0;
    let mut orders = Vec::new();
    for answer in a_hundred_at_once(&rigs, |_| body.clone()).await {
        match answer.status {
            StatusCode::ACCEPTED => accepted += 1,
            StatusCode::OK => assert_eq!(answer.header("idempotent-replayed"), Some("true")),
            other => panic!("{other}: {}", answer.body),
        }
        orders.push(answer.text("id").to_owned());
    }
    assert_eq!((accepted, orders.len()), (1, 100));
    orders.dedup();
    assert_eq!(orders.len(), 1);
    assert_eq!(database.count("orders").await, 1);
    let audited = audit_rows(&rigs);
    assert_eq!(database.count("audit").await, audited);

    let other = rig.submit("burst", &order_body(&[R1], &["1"])).await;
    assert_eq!(other.problem(409), "idempotency-key-reused");
    assert_ne!(
        other.text("recorded_fingerprint"),
        other.text("presented_fingerprint")
    );
    assert_eq!(database.count("orders").await, 1);
    assert_eq!(database.count("audit").await, audited);
}

both!(of_a_hundred_requests_that_differ_one_is_an_order);
async fn of_a_hundred_requests_that_differ_one_is_an_order(database: Database) {
    let rigs = processes(&database).await;
    let body = |number: usize| order_body(&[R1], &[&(number + 1).to_string()]);
    let mut orders = Vec::new();
    let mut presented = BTreeSet::new();
    for answer in a_hundred_at_once(&rigs, body).await {
        if answer.status == StatusCode::ACCEPTED {
            orders.push(answer);
            continue;
        }
        assert_eq!(answer.problem(409), "idempotency-key-reused");
        presented.insert(answer.text("presented_fingerprint").to_owned());
    }
    assert_eq!((orders.len(), presented.len()), (1, 99));
    let order = &orders[0];
    assert!(!presented.contains(order.text("fingerprint")));
    for (table, rows) in [
        ("orders", 1),
        ("jobs", 1),
        ("audit", audit_rows(&rigs)),
        ("operations", 0),
        ("envelopes", 0),
    ] {
        assert_eq!(database.count(table).await, rows, "{table}");
    }
    let stored = rigs[0]
        .get(&format!("/v1/payouts/{}", order.text("id")))
        .await;
    assert_eq!(stored.body, order.body);
}

/// What the audit log has: a bearer key of each process, and one order.
fn audit_rows(rigs: &[Arc<Rig>]) -> i64 {
    i64::try_from(rigs.len()).expect("few") + 1
}

both!(a_body_is_the_same_by_what_it_means);
async fn a_body_is_the_same_by_what_it_means(database: Database) {
    let rig = Rig::serving(&database).await;
    let first =
        format!("{{\"recipients\":[\"{R1}\",\"{R2}\"],\"amounts\":[\"50000000\",\"70000000\"]}}");
    let reordered = format!(
        "{{ \"amounts\": [\"\\u00350000000\", \"70000000\"], \"recipients\": [\"{R1}\", \"{R2}\"] }}"
    );
    let swapped =
        format!("{{\"recipients\":[\"{R2}\",\"{R1}\"],\"amounts\":[\"70000000\",\"50000000\"]}}");
    let twice = format!(
        "{{\"recipients\":[\"{R1}\",\"{R2}\"],\"amounts\":[\"1\",\"1\"],\"amounts\":[\"50000000\",\"70000000\"]}}"
    );
    let unknown = format!(
        "{{\"recipients\":[\"{R1}\",\"{R2}\"],\"amounts\":[\"50000000\",\"70000000\"],\"memo\":\"\"}}"
    );
    assert_eq!(
        rig.submit_raw("k", &first).await.status,
        StatusCode::ACCEPTED
    );
    assert_eq!(rig.submit_raw("k", &first).await.status, StatusCode::OK);
    assert_eq!(rig.submit_raw("k", &reordered).await.status, StatusCode::OK);
    assert_eq!(
        rig.submit_raw("k", &swapped).await.problem(409),
        "idempotency-key-reused"
    );
    assert_eq!(
        rig.submit_raw("k", &twice).await.problem(400),
        "body-invalid"
    );
    assert_eq!(
        rig.submit_raw("k", &unknown).await.problem(400),
        "body-invalid"
    );
    let gzip = rig
        .request(Method::POST, &payouts())
        .header("idempotency-key", "k")
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .body(first);
    assert_eq!(Rig::send(gzip).await.problem(415), "media-type");
    assert_eq!(database.count("orders").await, 1);
}

both!(keys_are_compared_byte_for_byte);
async fn keys_are_compared_byte_for_byte(database: Database) {
    let rig = Rig::serving(&database).await;
    let body = order_body(&[R1], &["7"]);
    let upper = rig.submit("Pay-1", &body).await;
    let lower = rig.submit("pay-1", &body).await;
    assert_eq!(upper.status, StatusCode::ACCEPTED);
    assert_eq!(lower.status, StatusCode::ACCEPTED);
    assert_ne!(upper.text("id"), lower.text("id"));
    assert_ne!(upper.text("chain_key"), lower.text("chain_key"));
    let quoted = rig.submit("\"Pay-1\"", &body).await;
    assert_eq!(quoted.status, StatusCode::OK);
    assert_eq!(quoted.text("id"), upper.text("id"));

    let odd = rig.submit("a+b%2Fc=&#", &body).await;
    let plain = rig
        .submit("a b%2Fc=&#".replace(' ', "-").as_str(), &body)
        .await;
    assert_ne!(odd.text("id"), plain.text("id"));
    let found = rig
        .get("/v1/payouts?idempotency_key=a%2Bb%252Fc%3D%26%23")
        .await;
    let payouts = found.body["payouts"].as_array().expect("payouts");
    assert_eq!(payouts.len(), 1);
    assert_eq!(payouts[0]["id"], odd.body["id"]);
    assert_eq!(payouts[0]["idempotency_key"], "a+b%2Fc=&#");
}

both!(amounts_are_exact_or_refused);
async fn amounts_are_exact_or_refused(database: Database) {
    let rig = Rig::serving(&database).await;
    for amount in [
        "9007199254740993",
        "\"1e3\"",
        "\"050\"",
        "\"+5\"",
        "\" 5\"",
        "\"5 \"",
        "5.0",
    ] {
        let body = format!("{{\"recipients\":[\"{R1}\"],\"amounts\":[{amount}]}}");
        let refused = rig.submit_raw("exact", &body).await;
        assert_eq!(refused.problem(400), "body-invalid", "{amount}");
    }
    assert_eq!(database.count("orders").await, 0);
    let exact = rig
        .submit("exact", &order_body(&[R1], &["9007199254740993"]))
        .await;
    assert_eq!(exact.status, StatusCode::ACCEPTED);
    assert_eq!(exact.body["amounts"], json!(["9007199254740993"]));
    assert_eq!(exact.text("total"), "9007199254740993");
    let read = rig.get(&format!("/v1/payouts/{}", exact.text("id"))).await;
    assert_eq!(read.text("total"), "9007199254740993");
}

both!(nothing_invalid_uses_up_a_key);
async fn nothing_invalid_uses_up_a_key(database: Database) {
    let rig = Rig::serving(&database).await;
    let path = payouts();
    let body = order_body(&[R1], &["7"]);
    let missing = Rig::send(rig.request(Method::POST, &path).json(&body)).await;
    assert_eq!(missing.problem(400), "idempotency-key-missing");
    let two = rig
        .request(Method::POST, &path)
        .header("idempotency-key", "k")
        .header("idempotency-key", "k")
        .json(&body);
    assert_eq!(Rig::send(two).await.problem(400), "idempotency-key-invalid");
    let blank = rig.submit("a b", &body).await;
    assert_eq!(blank.problem(400), "idempotency-key-invalid");
    for (recipients, amounts) in [
        (vec![R1, R1], vec!["1", "2"]),
        (vec![R1], vec!["1", "2"]),
        (vec![], vec![]),
        (vec!["GABC"], vec!["1"]),
        (
            vec!["MAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6AAAAAAAAAAAA6MCY"],
            vec!["1"],
        ),
        (
            vec![R1, R2],
            vec!["170141183460469231731687303715884105727", "1"],
        ),
    ] {
        let refused = rig.submit("k", &order_body(&recipients, &amounts)).await;
        assert_eq!(refused.problem(422), "payout-invalid", "{recipients:?}");
    }
    let text = rig
        .request(Method::POST, &path)
        .header("idempotency-key", "k")
        .header("content-type", "text/plain")
        .body(body.to_string());
    assert_eq!(Rig::send(text).await.problem(415), "media-type");
    let large = format!("{{\"recipients\":[\"{}\"]}}", "x".repeat(100_000));
    assert_eq!(
        rig.submit_raw("k", &large).await.problem(413),
        "body-too-large"
    );
    for raw in [
        "{".to_owned(),
        "[]".to_owned(),
        format!("[[\"{R1}\"], [\"7\"]]"),
        format!(
            "{{\"recipients\": [\"{R1}\"], \"amounts\": [\"7\"], \"unit\": {{\"token\": null}}}}"
        ),
    ] {
        let refused = rig.submit_raw("k", &raw).await;
        assert_eq!(refused.problem(400), "body-invalid", "{raw}");
    }
    let query = rig.post(&format!("{path}?dry=1"), "k", &body).await;
    assert_eq!(query.problem(400), "query-invalid");
    assert_eq!(database.count("orders").await, 0);
    assert_eq!(database.count("jobs").await, 0);
    assert_eq!(rig.submit("k", &body).await.status, StatusCode::ACCEPTED);
}
