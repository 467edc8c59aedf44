//! A chain, a database, a gateway that dies, and a client that sends everything again.

use std::collections::BTreeSet;
use std::time::Duration;

use localnet::{Fault, FaultPlan, Trigger};
use payout_gateway::{Scope, Store};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::machine::{Job, Machine};
use crate::common::ledger::Account;
use crate::common::{Chain, Database, Seeds, config_text, order_body, payouts};

/// What every payout pays.
const UNITS: i128 = 7;
const VOIDED: Option<u32> = Some(3);
const IDLE: [&str; 2] = ["jobs_waiting", "jobs_held"];

pub(super) struct Scene {
    chain: Chain,
    database: Database,
    job: Job,
    machine: Machine,
    /// Somebody who cannot be paid.
    stranger: Account,
    token: String,
    http: reqwest::Client,
    /// How many stories were told.
    round: u64,
    /// How many of them were payouts.
    payouts: u64,
    deaths: usize,
    died_at: BTreeSet<String>,
    tried: usize,
}

impl Scene {
    pub(super) async fn new(test: &str, database: Database) -> Self {
        let chain = Chain::at_once(1).await;
        let net = &chain.escrow.net;
        let stranger = net.account("nobody's trustline");
        let address = database.address();
        let store = Store::open(&address, 2).await.expect("a database");
        let all = [Scope::Submit, Scope::Read, Scope::Operate];
        let key = store.create_key(None, "tests", &all).await.expect("a key");
        store.close().await;
        let config = config_text(
            &database,
            &chain.url(),
            &chain.passphrase(),
            &chain.contract(),
        );
        let seeds = Seeds::new(chain.payout_seed(), chain.lanes(1).await);
        let job = Job {
            test: test.to_owned(),
            // The sooner it looks again, the sooner the next moment comes.
            config: config
                .replace("poll_millis = 50", "poll_millis = 10")
                .replace("poll_millis = 100", "poll_millis = 10"),
            seeds,
        };
        let machine = Machine::start(&job, "");
        Self {
            chain,
            database,
            job,
            machine,
            stranger,
            token: key.token,
            http: reqwest::Client::new(),
            round: 0,
            payouts: 0,
            deaths: 0,
            died_at: BTreeSet::new(),
            tried: 0,
        }
    }

    /// The moments that a story has, in their order.
    pub(super) async fn moments(&mut self, story: impl AsyncFnOnce(&mut Self)) -> Vec<String> {
        self.alive().await;
        let before = self.machine.moments().len();
        story(self).await;
        distinct(self.machine.moments().split_off(before))
    }

    /// Those of a gateway that has just been started.
    pub(super) async fn moments_of_a_start(&mut self) -> Vec<String> {
        self.starts_armed("").await;
        self.pays().await;
        distinct(self.machine.moments())
    }

    /// From now on the gateway dies at `moment`.
    pub(super) async fn armed(&mut self, moment: &str) {
        self.alive().await;
        self.machine.arm(moment);
    }

    /// The plug is pulled, and a gateway is started that dies at `moment`.
    pub(super) async fn starts_armed(&mut self, moment: &str) {
        self.restart(moment).await;
    }

    /// Notes whether it died there, and lets it live.
    pub(super) fn lived_on(&mut self, moment: &str) {
        self.tried += 1;
        if self.deaths > 0 {
            self.died_at.insert(moment.to_owned());
        }
        self.deaths = 0;
        self.machine.arm("");
    }

    /// A payout: asked for, sent through a 504, paid, told, and sealed in the log.
    pub(super) async fn pays(&mut self) {
        self.round += 1;
        self.payouts += 1;
        let key = format!("pay-{}", self.round);
        let body = order_body(&[&self.chain.recipients[0].address()], &["7"]);
        let plan = FaultPlan::default().with(Fault::GatewayTimeout, Trigger::Next { calls: 1 });
        self.chain.localnet().set_faults(plan).expect("a fault");
        let order = self.submit(&key, &body).await;
        let id = text(&order, "id");
        let order = self
            .until(&id, |order| order["transaction"].is_string())
            .await;
        assert_eq!(order["state"], "confirmed");
        let sealed = ["jobs_waiting", "jobs_held", "audit_unsealed"];
        self.until_nought(&sealed).await;
        self.chain.localnet().clear_faults().expect("no fault");
        assert_eq!(text(&self.submit(&key, &body).await, "id"), id);
        self.one_of("orders", "caller_key", &key).await;
        self.one_of("envelopes", "order_id", &id).await;
        assert_eq!(self.chain.payout_count(), self.payouts, "{key}");
        let paid = self.chain.balance(&self.chain.recipients[0]);
        assert_eq!(paid, UNITS * i128::from(self.payouts), "{key}");
    }

    /// An order that is refused; then, with the gateway armed, a retry that is refused again, and a void.
    pub(super) async fn voids(&mut self, moment: &str) {
        self.round += 1;
        let number = self.round;
        let body = order_body(&[&self.stranger.address()], &["7"]);
        let order = self.submit(&format!("void-{number}"), &body).await;
        let id = text(&order, "id");
        self.until(&id, |order| order["state"] == "rejected").await;
        self.until_nought(&IDLE).await;
        self.armed(moment).await;
        let retry = self.operate(&id, "retry", number).await;
        assert_eq!(retry["state"], "done");
        self.until_nought(&IDLE).await;
        let void = self.operate(&id, "void", number).await;
        let path = format!("/v1/operations/{}", text(&void, "id"));
        let ended = self
            .until_at(&path, |operation| operation["state"] != "open")
            .await;
        assert_eq!(ended["state"], "done");
        self.until_nought(&IDLE).await;
        let order = self.until(&id, |_| true).await;
        assert_eq!(
            (order["state"].as_str(), order["final"].as_bool()),
            (Some("rejected"), Some(true))
        );
        assert_eq!(self.chain.record_kind(&text(&order, "chain_key")), VOIDED);
        assert_eq!(
            text(&self.operate(&id, "void", number).await, "id"),
            text(&void, "id")
        );
        self.one_of("operations", "operation_key", &format!("void-{number}"))
            .await;
        self.one_of("operations", "operation_key", &format!("retry-{number}"))
            .await;
        self.one_of("envelopes", "order_id", &id).await;
        assert_eq!(self.chain.payout_count(), 0);
    }

    /// The log is whole, and it was about what it had to be about.
    pub(super) async fn ends(mut self, wanted: &[&str]) {
        for part in wanted {
            let met = self.died_at.iter().any(|moment| moment.contains(part));
            assert!(met, "nothing died at {part}: {:?}", self.died_at);
        }
        let died = self.died_at.len();
        println!("{died} of {} moments: {:#?}", self.tried, self.died_at);
        // Which of two is first, an event or an answer, is not the same each time; so a few are missed.
        assert!(4 * died >= 3 * self.tried, "{died} of {}", self.tried);
        self.alive().await;
        drop(self.machine);
        let store = Store::open(&self.database.address(), 2)
            .await
            .expect("a database");
        store.verify_audit(None).await.expect("an intact log");
        store.close().await;
    }

    async fn submit(&mut self, key: &str, body: &Value) -> Value {
        let (status, order) = self.ask(Method::POST, &payouts(), Some((key, body))).await;
        assert!(matches!(status, 200 | 202), "{status}: {order}");
        order
    }

    async fn operate(&mut self, id: &str, what: &str, number: u64) -> Value {
        let path = format!("/v1/payouts/{id}/{what}");
        let key = format!("{what}-{number}");
        let (status, operation) = self
            .ask(Method::POST, &path, Some((&key, &json!({}))))
            .await;
        assert!(matches!(status, 200 | 202), "{status}: {operation}");
        operation
    }

    async fn until(&mut self, id: &str, right: impl Fn(&Value) -> bool) -> Value {
        self.until_at(&format!("/v1/payouts/{id}"), right).await
    }

    async fn until_at(&mut self, path: &str, right: impl Fn(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        for _ in 0..3_000 {
            last = self.ask(Method::GET, path, None).await.1;
            if right(&last) {
                return last;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{path} stays {last}");
    }

    /// Waits until each of these metrics is nought.
    async fn until_nought(&mut self, names: &[&str]) {
        let nought = |metrics: &Value| {
            let text = metrics.as_str().expect("text");
            let line = |name: &&str| text.contains(&format!("payout_gateway_{name} 0\n"));
            names.iter().all(line)
        };
        self.until_at("/metrics", nought).await;
    }

    /// Asks until there is an answer. A gateway that has died is started again.
    async fn ask(
        &mut self,
        method: Method,
        path: &str,
        send: Option<(&str, &Value)>,
    ) -> (u16, Value) {
        loop {
            let address = self.alive().await;
            let mut request = self
                .http
                .request(method.clone(), format!("http://{address}{path}"))
                .bearer_auth(&self.token);
            if let Some((key, body)) = send {
                request = request.header("idempotency-key", key).json(body);
            }
            let Ok(answer) = request.send().await else {
                continue;
            };
            let status = answer.status().as_u16();
            let Ok(text) = answer.text().await else {
                continue;
            };
            return (
                status,
                serde_json::from_str(&text).unwrap_or(Value::String(text)),
            );
        }
    }

    /// Where the gateway listens. One that has died is started again.
    async fn alive(&mut self) -> String {
        loop {
            if !self.machine.died()
                && let Some(address) = self.machine.address().await
            {
                return address;
            }
            self.deaths += 1;
            self.restart("").await;
        }
    }

    /// Starts a gateway after the leases of the one before have run out.
    async fn restart(&mut self, moment: &str) {
        self.machine.kill();
        let pool = self.database.past().await;
        for table in ["jobs", "duties"] {
            let text = format!("UPDATE {table} SET lease_until = 0");
            let over = sqlx::query(AssertSqlSafe(text)).execute(&pool).await;
            over.expect("time goes by");
        }
        pool.close().await;
        self.machine = Machine::start(&self.job, moment);
    }

    async fn one_of(&self, table: &str, column: &str, value: &str) {
        let pool = self.database.past().await;
        let text = format!("SELECT COUNT(*) FROM {table} WHERE {column} = $1");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(text))
            .bind(value)
            .fetch_one(&pool)
            .await
            .expect("a count");
        pool.close().await;
        assert_eq!(count, 1, "{table} of {value}");
    }
}

fn text(value: &Value, member: &str) -> String {
    let text = value[member].as_str();
    text.unwrap_or_else(|| panic!("no text {member} in {value}"))
        .to_owned()
}

fn distinct(moments: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    moments
        .into_iter()
        .filter(|moment| seen.insert(moment.clone()))
        .collect()
}
