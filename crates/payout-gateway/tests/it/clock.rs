//! Case 07: the machine's time is wrong. The network's clock and, where it has one of its own, the
//! database's are set against the machine's, which is the same to the gateway as the other way round.

use std::time::{SystemTime, UNIX_EPOCH};

use localnet::{Clock, Config, Fault, FaultPlan, Trigger};
use serde_json::Value;

use crate::common::ledger::Account;
use crate::common::{Chain, Database, Rig, both, order_body};

const OFF: u64 = 600;

fn here() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("after 1970").as_secs()
}

/// Sets the clock of a database that has one: so many seconds after the machine's.
async fn set_clock(database: &Database, seconds: i64) {
    if matches!(database, Database::Sqlite(_)) {
        return;
    }
    let pool = database.past().await;
    // The gateway's connections find this one before the system's.
    for text in [
        "CREATE SCHEMA IF NOT EXISTS set_clock".to_owned(),
        format!(
            "CREATE OR REPLACE FUNCTION set_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql \
             AS 'SELECT pg_catalog.clock_timestamp() + interval ''{seconds} seconds'''"
        ),
        "ALTER DATABASE postgres SET search_path = set_clock, pg_catalog, public".to_owned(),
    ] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(text))
            .execute(&pool)
            .await
            .expect("another time");
    }
    pool.close().await;
}

/// On the clock that all processes share: none of them frees a key because its own is ahead.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_keys_window_is_over_when_the_database_says_so() {
    const DAY_AND_HOUR: i64 = 25 * 3_600;
    let database = Database::postgres();
    let chain = Chain::at_once(1).await;
    set_clock(&database, -DAY_AND_HOUR).await;
    let rig = Rig::paying_with(&database, &chain, 1, |config| {
        config.keys.window_hours = Some(24);
    })
    .await;
    let name = chain.recipients[0].address();
    let first = rig.submit("daily", &order_body(&[&name], &["5"])).await;
    rig.until_receipt(first.text("id")).await;
    let other = order_body(&[&name], &["6"]);
    let refused = rig.submit("daily", &other).await;
    assert_eq!(refused.problem(409), "idempotency-key-reused");
    set_clock(&database, 0).await;
    let second = rig.submit("daily", &other).await;
    assert_eq!(second.body["counter"], 1, "{}", second.body);
}

both!(ten_minutes_either_way_change_nothing);
async fn ten_minutes_either_way_change_nothing(database: Database) {
    let off = i64::try_from(OFF).expect("small");
    let chain = Chain::on(
        Config {
            clock: Clock::Manual { now: here() - OFF },
            ..Config::default()
        },
        2,
    )
    .await;
    chain.keep_closing();
    set_clock(&database, -off).await;
    let rig = Rig::paying_with(&database, &chain, 2, |config| {
        config.worker.ledgers_on_demand = false;
        config.worker.lease_seconds = 3;
    })
    .await;
    rig.until_ready().await;
    let mut late = FaultPlan::default().with(Fault::LateInclusion, Trigger::Every { calls: 1 });
    late.magnitudes.late_ledgers = 8;
    chain.localnet().set_faults(late).expect("late");
    for round in 1..=2 {
        if round == 2 {
            let network = chain.localnet().now().expect("a time");
            let later = here() + OFF - network;
            chain.localnet().advance(later).expect("later");
            set_clock(&database, off).await;
        }
        let network = chain.localnet().now().expect("a time");
        let mut ids = Vec::new();
        for recipient in &chain.recipients {
            let key = format!("{round}-{}", recipient.address());
            let order = rig
                .submit(&key, &order_body(&[&recipient.address()], &["5"]))
                .await;
            ids.push(order.text("id").to_owned());
        }
        for id in ids {
            rig.until(&id, &["confirmed", "rejected"]).await;
            // A ledger may be some seconds older than the clock; the machine is ten minutes off.
            let network = network - 60..=chain.localnet().now().expect("a time");
            let attempts = rig.get(&format!("/v1/payouts/{id}/attempts")).await;
            let [attempt] = attempts.body.as_array().expect("attempts").as_slice() else {
                panic!("one envelope: {}", attempts.body);
            };
            let signed = attempt["max_time"].as_u64().map(|time| time - 300);
            let signed = signed.expect("a time");
            assert!(network.contains(&signed), "{signed} is not in {network:?}");
            let order = rig.get(&format!("/v1/payouts/{id}")).await.body;
            assert_eq!(
                (&order["state"], &order["reason"]),
                (&"confirmed".into(), &Value::Null)
            );
        }
        assert_eq!(chain.payout_count(), 2 * round);
        let paid = |who: &Account| chain.balance(who);
        let balances: Vec<i128> = chain.recipients.iter().map(paid).collect();
        assert_eq!(balances, [5 * i128::from(round); 2]);
        let skew = rig.metric("payout_gateway_clock_skew_seconds").await;
        let expected = if round == 1 { off } else { -off };
        assert!(skew.abs_diff(expected) < 240, "{skew}");
    }
}
