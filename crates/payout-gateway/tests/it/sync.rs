//! From the order to the chain and back.

use reqwest::StatusCode;
use serde_json::json;
use sqlx::{AssertSqlSafe, Row as _};

use crate::common::ledger::Account;
use crate::common::{Chain, Database, Rig, both, order_body, until};

both!(orders_are_paid_once);
async fn orders_are_paid_once(database: Database) {
    let chain = Chain::at_once(3).await;
    let mut rig = Rig::paying(&database, &chain, 2).await;
    let names: Vec<String> = chain.recipients.iter().map(Account::address).collect();
    let single = rig
        .submit("single", &order_body(&[&names[0]], &["5"]))
        .await;
    assert_eq!(single.status, StatusCode::ACCEPTED, "{}", single.body);
    let batch = order_body(&[&names[1], &names[2]], &["6", "7"]);
    let batch = rig.submit("batch", &batch).await;
    let single = rig.until(single.text("id"), &["confirmed"]).await;
    let batch = rig.until(batch.text("id"), &["confirmed"]).await;
    assert_eq!(single["final"], true);
    assert_ne!(single["payout_id"], batch["payout_id"]);
    assert_eq!(chain.payout_count(), 2);
    let balances: Vec<i128> = chain
        .recipients
        .iter()
        .map(|one| chain.balance(one))
        .collect();
    assert_eq!(balances, [5, 6, 7]);

    let again = rig
        .submit("single", &order_body(&[&names[0]], &["5"]))
        .await;
    assert_eq!(again.status, StatusCode::OK);
    assert_eq!(again.text("state"), "confirmed");
    let attempts = rig
        .get(&format!("/v1/payouts/{}/attempts", again.text("id")))
        .await;
    assert_eq!(attempts.body.as_array().map(Vec::len), Some(1));
    let found = rig.until_receipt(again.text("id")).await;
    let receipt = found["transaction"].as_str().map(str::to_owned);
    assert_eq!(
        attempts.body[0]["transaction"].as_str().map(str::to_owned),
        receipt
    );
    let program = rig.get("/v1/programs/hackathon-2026").await;
    assert_eq!(program.body["ready"], true);
    assert_eq!(program.body["decimals"], json!(7));
    rig.until_idle().await;
    rig.stop().await;
    assert_eq!(database.count("jobs").await, 0);
}

/// A database that refuses rows.
struct FullDisk {
    pool: sqlx::AnyPool,
    room: String,
}

impl FullDisk {
    /// For new rows of `table`, those that are `only`; nothing: all. `SQLite` undoes the whole transaction by itself then.
    async fn on(database: &Database, table: &str, only: &str) -> Self {
        let pool = database.past().await;
        let when = if only.is_empty() {
            String::new()
        } else {
            format!("WHEN ({only})")
        };
        let (fill, room) = match database {
            Database::Sqlite(_) => (
                vec![format!(
                    "CREATE TRIGGER full_disk BEFORE INSERT ON {table} {when} \
                     BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END"
                )],
                "DROP TRIGGER full_disk".to_owned(),
            ),
            Database::Postgres(_) => (
                vec![
                    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
                     'BEGIN RAISE EXCEPTION $$disk full$$; END'"
                        .to_owned(),
                    format!(
                        "CREATE TRIGGER full_disk BEFORE INSERT ON {table} FOR EACH ROW {when} \
                         EXECUTE FUNCTION full_disk()"
                    ),
                ],
                format!("DROP TRIGGER full_disk ON {table}"),
            ),
        };
        for text in fill {
            sqlx::query(AssertSqlSafe(text))
                .execute(&pool)
                .await
                .expect("a full disk");
        }
        Self { pool, room }
    }

    async fn has_room(self) {
        sqlx::query(AssertSqlSafe(self.room))
            .execute(&self.pool)
            .await
            .expect("room");
        self.pool.close().await;
    }
}

both!(what_cannot_be_stored_is_not_sent);
/// A full disk where the envelope is stored: nothing is sent, and the order waits under its key.
async fn what_cannot_be_stored_is_not_sent(database: Database) {
    let chain = Chain::at_once(1).await;
    let mut rig = Rig::paying(&database, &chain, 1).await;
    rig.until_ready().await;
    let disk = FullDisk::on(&database, "envelopes", "").await;
    let ledger = chain.localnet().latest_ledger().expect("a ledger");
    let name = chain.recipients[0].address();
    let order = rig.submit("k", &order_body(&[&name], &["1"])).await;
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let waiting = rig.get(&format!("/v1/payouts/{}", order.text("id"))).await;
    assert_eq!(waiting.text("state"), "created");
    assert_eq!(
        chain.localnet().latest_ledger().expect("a ledger"),
        ledger,
        "nothing was sent"
    );
    disk.has_room().await;
    rig.until(order.text("id"), &["confirmed"]).await;
    assert_eq!(chain.payout_count(), 1);
    rig.stop().await;
}

both!(a_verdict_that_cannot_be_stored_is_found_again);
/// The disk is full when the payment is known to have landed. The job stays until the order says so.
async fn a_verdict_that_cannot_be_stored_is_found_again(database: Database) {
    let chain = Chain::at_once(1).await;
    let mut rig = Rig::paying(&database, &chain, 1).await;
    rig.until_ready().await;
    let disk = FullDisk::on(&database, "audit", "NEW.kind = 'verdict'").await;
    let name = chain.recipients[0].address();
    let order = rig.submit("k", &order_body(&[&name], &["1"])).await;
    until("it is paid", async || chain.payout_count() == 1).await;
    let looks = "SELECT COALESCE(MAX(tries), -1) AS tries FROM jobs";
    until("the verdict is looked for again", async || {
        let row = sqlx::query(looks)
            .fetch_one(&disk.pool)
            .await
            .expect("a row");
        let tries: i64 = row.try_get("tries").expect("a number");
        assert_ne!(tries, -1, "the job is gone, and the order has no verdict");
        tries > 0
    })
    .await;
    let waiting = rig.get(&format!("/v1/payouts/{}", order.text("id"))).await;
    assert_ne!(waiting.text("state"), "confirmed");
    disk.has_room().await;
    rig.until(order.text("id"), &["confirmed"]).await;
    rig.until_idle().await;
    assert_eq!(chain.payout_count(), 1);
    rig.stop().await;
}
