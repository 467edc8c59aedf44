//! How fast requests are accepted, beside bare inserts of the same rows in the same database.
//!
//! ```text
//! cargo run --profile dist -p payout-gateway --example accept_rate -- postgres://… [ORDERS [CLIENTS]]
//! ```
//!
//! Ends with an error if accepting is slower than 0.4 times the bare inserts, or replaying slower than
//! 2.5 times accepting. Use a database of its own: it adds tables and orders.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use payout_engine::NodeId;
use payout_engine::envelope::SecretKey;
use payout_engine::rpc::{Client, Options};
use payout_gateway::{Config, Gateway, Means, Scope};
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::{AnyPool, AssertSqlSafe, Row as _};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const RECIPIENT: &str = "GAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6MPE";
const CONTRACT: &str = "CB2LTNYYHF7NPL7MEW6BBMDTJT7PAW2EVHCRADUCT2FNU36X5JYVSW7Z";

/// Orders a second, and the slowest of a hundred.
struct Rate {
    per_second: f64,
    p99: Duration,
}

impl std::fmt::Display for Rate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let p99 = self.p99.as_secs_f64() * 1_000.0;
        write!(out, "{:8.0} a second, p99 {p99:.1} ms", self.per_second)
    }
}

/// Does `work` for the numbers below `count`, by so many at a time.
async fn measure<F, W>(count: usize, clients: usize, work: F) -> Result<Rate, Failure>
where
    F: Fn(usize) -> W + Clone + Send + 'static,
    W: Future<Output = Result<(), Failure>> + Send,
{
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    let tasks: Vec<_> = (0..clients)
        .map(|_| {
            let (next, work) = (Arc::clone(&next), work.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return Ok::<_, Failure>(times);
                    }
                    let began = Instant::now();
                    work(number).await?;
                    times.push(began.elapsed());
                }
            })
        })
        .collect();
    let mut times = Vec::with_capacity(count);
    for task in tasks {
        times.extend(task.await??);
    }
    let seconds = began.elapsed().as_secs_f64();
    times.sort();
    let at = (times.len() * 99 / 100).min(times.len().saturating_sub(1));
    #[allow(clippy::cast_precision_loss, reason = "a rate")]
    let per_second = count as f64 / seconds;
    Ok(Rate {
        per_second,
        p99: times.get(at).copied().unwrap_or_default(),
    })
}

/// The three rows of one order, in one transaction.
async fn bare(pool: &AnyPool, number: usize) -> Result<(), Failure> {
    let id = format!("{number:024x}");
    let key = format!("bare-{number}");
    let mut tx = pool.begin().await?;
    sqlx::query(
        "INSERT INTO bare_orders SELECT $1, program, $2, counter, $1, fingerprint, lines, total, \
         state, final, reason, explanation, void_requested, correlation, payout_id, paid_ledger, \
         paid_transaction, horizon, created_at, updated_at, ended_at FROM bare_order",
    )
    .bind(&id)
    .bind(&key)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "INSERT INTO bare_jobs SELECT $1, kind, $1, due_at, lease_owner, lease_until, tries \
         FROM bare_job",
    )
    .bind(&id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "INSERT INTO bare_audit SELECT $1, recorded_at, kind, actor, program, $1, $2, counter, \
         from_state, to_state, correlation, detail, NULL, NULL FROM bare_row",
    )
    .bind(&id)
    .bind(&key)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(())
}

/// Tables like the gateway's, with their indexes, and one row of each to copy.
async fn prepare(pool: &AnyPool) -> Result<(), Failure> {
    for (table, one, from) in [
        ("bare_orders", "bare_order", "orders"),
        ("bare_jobs", "bare_job", "jobs"),
        ("bare_audit", "bare_row", "audit"),
    ] {
        let condition = match from {
            "audit" => "WHERE kind = 'create'",
            _ => "",
        };
        for text in [
            format!("DROP TABLE IF EXISTS {table}"),
            format!("DROP TABLE IF EXISTS {one}"),
            format!("CREATE TABLE {table} (LIKE {from} INCLUDING ALL)"),
            format!("CREATE TABLE {one} AS SELECT * FROM {from} {condition} LIMIT 1"),
        ] {
            sqlx::query(AssertSqlSafe(text)).execute(pool).await?;
        }
    }
    Ok(())
}

async fn gateway(database: &str, clients: u32) -> Result<(Gateway, String), Failure> {
    let mut config = Config::from_toml(&format!(
        "listen = \"127.0.0.1:0\"\n[limits]\nrequests_per_second = 10000000\nburst = 10000000\n\
         [worker]\norders = 0\nreconcile_seconds = 0\n[[programs]]\nid = \"bench\"\n\
         contract = \"{CONTRACT}\"\npayout_key = \"env:UNUSED\"\n"
    ))?;
    database.clone_into(&mut config.database);
    config.connections = clients;
    let payout = SecretKey::from_seed(&[7; 32]);
    let means = Means {
        passphrase: "bench".to_owned(),
        nodes: vec![Client::new(
            "http://127.0.0.1:9",
            NodeId(0),
            Options::default(),
        )?],
        payout: BTreeMap::from([("bench".to_owned(), payout)]),
        lanes: Vec::new(),
    };
    let gateway = Gateway::start(&config, means).await?;
    let key = gateway
        .store()
        .create_key(None, "bench", &[Scope::Submit])
        .await?;
    Ok((gateway, key.token))
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let database = arguments.next().ok_or("name a PostgreSQL")?;
    let orders: usize = arguments.next().map_or(Ok(20_000), |text| text.parse())?;
    let clients: u32 = arguments.next().map_or(Ok(16), |text| text.parse())?;
    let at_once = usize::try_from(clients)?;

    let (gateway, token) = gateway(&database, clients).await?;
    let http = reqwest::Client::new();
    let url = format!("http://{}/v1/programs/bench/payouts", gateway.address());
    let run = std::process::id();
    let submit = move |number: usize| {
        let request = http
            .post(&url)
            .bearer_auth(&token)
            .header("idempotency-key", format!("{run}-{number}"))
            .header("content-type", "application/json")
            .body(format!(
                "{{\"recipients\":[\"{RECIPIENT}\"],\"amounts\":[\"{}\"]}}",
                number + 1
            ));
        async move {
            let answer = request.send().await?;
            let status = answer.status();
            answer.bytes().await?;
            if status.is_success() {
                Ok(())
            } else {
                Err(format!("status {status}").into())
            }
        }
    };
    submit(orders).await?;

    install_default_drivers();
    let pool = AnyPoolOptions::new()
        .max_connections(clients)
        .connect(&database)
        .await?;
    prepare(&pool).await?;
    let version = sqlx::query("SELECT version() AS version")
        .fetch_one(&pool)
        .await?;
    let version: String = version.try_get("version")?;
    let inserting = {
        let pool = pool.clone();
        move |number| {
            let pool = pool.clone();
            async move { bare(&pool, number).await }
        }
    };
    let inserts = measure(orders, at_once, inserting).await?;
    let accepts = measure(orders, at_once, submit.clone()).await?;
    let replays = measure(orders, at_once, submit).await?;
    let (accepting, replaying) = (
        accepts.per_second / inserts.per_second,
        replays.per_second / accepts.per_second,
    );
    println!(
        "{orders} orders by {clients} clients, {}",
        version.split(" on ").next().unwrap_or("")
    );
    println!("bare inserts {inserts}");
    println!("accepted     {accepts}: {accepting:.2} times the inserts (at least 0.4)");
    println!("replayed     {replays}: {replaying:.2} times the accepts (at least 2.5)");
    gateway.stop().await;
    if accepting < 0.4 || replaying < 2.5 {
        return Err("too slow".into());
    }
    Ok(())
}
