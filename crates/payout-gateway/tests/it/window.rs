//! Keys that expire, where that is configured.

use reqwest::StatusCode;

use crate::common::{Chain, Database, Rig, both, order_body};

both!(a_key_is_free_again_after_its_window_and_only_then);
async fn a_key_is_free_again_after_its_window_and_only_then(database: Database) {
    let chain = Chain::at_once(1).await;
    let rig = Rig::paying_with(&database, &chain, 1, |config| {
        config.keys.window_hours = Some(24);
    })
    .await;
    let name = chain.recipients[0].address();
    let first = rig.submit("daily", &order_body(&[&name], &["5"])).await;
    let first = rig.until_receipt(first.text("id")).await;
    assert_eq!(first["counter"], 0);
    let other = order_body(&[&name], &["6"]);
    assert_eq!(
        rig.submit("daily", &other).await.problem(409),
        "idempotency-key-reused"
    );

    let pool = database.past().await;
    let long_ago = "UPDATE orders SET ended_at = ended_at - 90000000";
    sqlx::query(long_ago)
        .execute(&pool)
        .await
        .expect("25 hours ago");
    pool.close().await;
    let second = rig.submit("daily", &other).await;
    assert_eq!(second.status, StatusCode::ACCEPTED, "{}", second.body);
    assert_eq!(second.body["counter"], 1);
    assert_ne!(second.body["chain_key"], first["chain_key"]);
    rig.until_receipt(second.text("id")).await;
    assert_eq!(rig.submit("daily", &other).await.status, StatusCode::OK);
    assert_eq!(rig.audit_kinds(second.text("id")).await[0], "create_again");
    assert_eq!(chain.payout_count(), 2);
    let found = rig.get("/v1/payouts?idempotency_key=daily").await;
    assert_eq!(found.body["payouts"].as_array().map(Vec::len), Some(2));
    let double = rig.get("/v1/programs/hackathon-2026/double-payments").await;
    assert_eq!(double.body["keys"], serde_json::json!([]));
}
