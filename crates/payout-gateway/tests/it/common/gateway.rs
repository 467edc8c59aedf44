//! A gateway in this process, and a client of it.

use std::time::Duration;

use payout_engine::NodeId;
use payout_engine::envelope::SecretKey;
use payout_engine::rpc::{Client, Options};
use payout_gateway::{Config, Gateway, Means, NodeConfig, Scope};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::chain::{Chain, PROGRAM};
use super::database::Database;

pub(crate) struct Rig {
    pub(crate) gateway: Option<Gateway>,
    pub(crate) config: Config,
    pub(crate) token: String,
    keys: Seeds,
    http: reqwest::Client,
}

/// The secrets of a gateway.
#[derive(Clone, Default)]
pub(crate) struct Seeds {
    payout: [u8; 32],
    lanes: Vec<[u8; 32]>,
}

impl Seeds {
    pub(crate) fn new(payout: [u8; 32], lanes: Vec<[u8; 32]>) -> Self {
        Self { payout, lanes }
    }

    /// For another process of the test.
    pub(crate) fn to_json(&self) -> Value {
        json!({ "payout": self.payout, "lanes": self.lanes })
    }

    pub(crate) fn from_json(value: &Value) -> Self {
        let read = |value: &Value| serde_json::from_value(value.clone()).expect("a seed");
        Self {
            payout: read(&value["payout"]),
            lanes: serde_json::from_value(value["lanes"].clone()).expect("seeds"),
        }
    }

    pub(crate) fn means(&self, config: &Config) -> Means {
        let network = config.network.as_ref().expect("a network");
        let node = |(node, number): (&NodeConfig, u16)| {
            Client::new(&node.url, NodeId(number), Options::default()).expect("a node")
        };
        Means {
            passphrase: network.passphrase.clone(),
            nodes: network.rpc.iter().zip(0..).map(node).collect(),
            payout: config
                .programs
                .iter()
                .map(|program| {
                    let id = program.id.as_str().to_owned();
                    (id, SecretKey::from_seed(&self.payout))
                })
                .collect(),
            lanes: self.lanes.iter().map(SecretKey::from_seed).collect(),
        }
    }
}

/// Between two looks at something that is awaited.
const LOOK: Duration = Duration::from_millis(15);
/// So many of them are three minutes.
const LOOKS: usize = 12_000;

/// A contract that no test pays from.
const ELSEWHERE: &str = super::NOWHERE;

/// The configuration of a gateway on that database and chain, as a file has it.
pub(crate) fn config_text(
    database: &Database,
    rpc: &str,
    passphrase: &str,
    contract: &str,
) -> String {
    format!(
        "listen = \"127.0.0.1:0\"\ndatabase = \"{}\"\n\
         [network]\nrpc = [\"{rpc}\", \"{rpc}\"]\npassphrase = \"{passphrase}\"\n\
         [limits]\nkey_cache_seconds = 0\nrequests_per_second = 100000\nburst = 100000\n\
         [worker]\npoll_millis = 50\nreconcile_seconds = 0\nledgers_on_demand = true\n\
         [policy]\npoll_millis = 100\n\
         [[programs]]\nid = \"{PROGRAM}\"\ncontract = \"{contract}\"\n\
         payout_key = \"env:UNUSED\"\n",
        database.address()
    )
}

fn config(database: &Database, rpc: &str, passphrase: &str, contract: &str) -> Config {
    let text = config_text(database, rpc, passphrase, contract);
    Config::from_toml(&text).expect("a configuration")
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(crate) fn text(&self, member: &str) -> &str {
        self.body[member]
            .as_str()
            .unwrap_or_else(|| panic!("no text {member} in {}", self.body))
    }

    /// The type of a problem; anything else fails.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16) -> &str {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json")
        );
        assert_eq!(self.body["status"], status);
        let code = self.text("code");
        assert_eq!(self.text("type"), format!("/problems/{code}"));
        code
    }
}

pub(crate) fn order_body(recipients: &[&str], amounts: &[&str]) -> Value {
    json!({ "recipients": recipients, "amounts": amounts })
}

impl Rig {
    /// A gateway whose nodes do not answer: it serves, and pays nothing.
    pub(crate) async fn serving(database: &Database) -> Self {
        let config = config(database, "http://127.0.0.1:9", "nowhere", ELSEWHERE);
        Self::start(config, Seeds::default()).await
    }

    /// The same with other settings.
    pub(crate) async fn serving_with(
        database: &Database,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let mut config = config(database, "http://127.0.0.1:9", "nowhere", ELSEWHERE);
        change(&mut config);
        Self::start(config, Seeds::default()).await
    }

    /// A gateway that pays from `chain`, with so many lanes.
    pub(crate) async fn paying(database: &Database, chain: &Chain, lanes: usize) -> Self {
        let config = config(
            database,
            &chain.url(),
            &chain.passphrase(),
            &chain.contract(),
        );
        Self::configured(config, chain, lanes).await
    }

    /// The same with other settings.
    pub(crate) async fn paying_with(
        database: &Database,
        chain: &Chain,
        lanes: usize,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let mut config = config(
            database,
            &chain.url(),
            &chain.passphrase(),
            &chain.contract(),
        );
        change(&mut config);
        Self::configured(config, chain, lanes).await
    }

    async fn configured(config: Config, chain: &Chain, lanes: usize) -> Self {
        let seeds = Seeds {
            payout: chain.payout_seed(),
            lanes: chain.lanes(lanes).await,
        };
        Self::start(config, seeds).await
    }

    async fn start(config: Config, keys: Seeds) -> Self {
        let gateway = Gateway::start(&config, keys.means(&config))
            .await
            .expect("a gateway");
        let all = [Scope::Submit, Scope::Read, Scope::Operate];
        let key = gateway
            .store()
            .create_key(None, "tests", &all)
            .await
            .expect("a key");
        Self {
            gateway: Some(gateway),
            config,
            token: key.token,
            keys,
            http: reqwest::Client::new(),
        }
    }

    /// Starts a second process' worth of gateway on the same database.
    pub(crate) async fn second(&self) -> Self {
        Self::start(self.config.clone(), self.keys.clone()).await
    }

    /// Drops the gateway as a crash does, and starts another.
    pub(crate) async fn crash_and_restart(&mut self) {
        drop(self.gateway.take());
        let gateway = Gateway::start(&self.config, self.keys.means(&self.config))
            .await
            .expect("a gateway");
        self.gateway = Some(gateway);
    }

    /// Stops the gateway, and starts it with other lanes.
    pub(crate) async fn restart_with_lanes(&mut self, lanes: Vec<[u8; 32]>) {
        self.stop().await;
        self.keys.lanes = lanes;
        self.crash_and_restart().await;
    }

    pub(crate) async fn stop(&mut self) {
        if let Some(gateway) = self.gateway.take() {
            gateway.stop().await;
        }
    }

    pub(crate) fn running(&self) -> &Gateway {
        self.gateway.as_ref().expect("a running gateway")
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running().address())
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method, self.url(path))
            .bearer_auth(&self.token)
    }

    pub(crate) async fn send(request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.expect("an answer");
        let status = response.status();
        let headers = response.headers().clone();
        let text = response.text().await.expect("a body");
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Answer {
            status,
            headers,
            body,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Self::send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: &Value) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header("idempotency-key", key);
        Self::send(request.json(body)).await
    }

    /// Submits a payout of the program.
    pub(crate) async fn submit(&self, key: &str, body: &Value) -> Answer {
        self.post(&payouts(), key, body).await
    }

    /// Submits bytes.
    pub(crate) async fn submit_raw(&self, key: &str, body: &str) -> Answer {
        let request = self
            .request(Method::POST, &payouts())
            .header("idempotency-key", key)
            .header("content-type", "application/json");
        Self::send(request.body(body.to_owned())).await
    }

    /// Asks for an order until it is in one of these states.
    pub(crate) async fn until(&self, id: &str, states: &[&str]) -> Value {
        let mut last = Value::Null;
        for _ in 0..LOOKS {
            let answer = self.get(&format!("/v1/payouts/{id}")).await;
            if answer.status == StatusCode::OK {
                last = answer.body;
                if states.iter().any(|state| last["state"] == *state) {
                    return last;
                }
            }
            tokio::time::sleep(LOOK).await;
        }
        panic!("the order is not {states:?}: {last}");
    }

    /// Waits until the chain was read.
    pub(crate) async fn until_ready(&self) {
        for _ in 0..LOOKS {
            if self.get("/readyz").await.status == StatusCode::OK {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
        panic!(
            "it does not become ready: {}",
            self.get("/readyz").await.body
        );
    }

    /// Asks for an order until its transaction was found.
    pub(crate) async fn until_receipt(&self, id: &str) -> Value {
        for _ in 0..LOOKS {
            let order = self.get(&format!("/v1/payouts/{id}")).await.body;
            if order["transaction"].is_string() {
                return order;
            }
            tokio::time::sleep(LOOK).await;
        }
        panic!("no receipt of {id}");
    }

    /// A number of the metrics.
    pub(crate) async fn metric(&self, name: &str) -> i64 {
        let text = self.get("/metrics").await.body;
        let text = text.as_str().expect("text");
        text.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
            .unwrap_or_else(|| panic!("no {name} in {text}"))
    }

    /// Waits until nothing is left to do.
    pub(crate) async fn until_idle(&self) {
        for _ in 0..LOOKS {
            let jobs = self.metric("payout_gateway_jobs_waiting").await
                + self.metric("payout_gateway_jobs_held").await;
            if jobs == 0 {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
        panic!("jobs are left");
    }

    /// Asks for an operation until it ended.
    pub(crate) async fn until_ended(&self, id: &str) -> Value {
        let mut last = Value::Null;
        for _ in 0..LOOKS {
            last = self.get(&format!("/v1/operations/{id}")).await.body;
            if last["state"] != "open" {
                return last;
            }
            tokio::time::sleep(LOOK).await;
        }
        panic!("the operation does not end: {last}");
    }

    /// The kinds of audit rows of an order, oldest first.
    pub(crate) async fn audit_kinds(&self, order: &str) -> Vec<String> {
        let rows = self
            .get(&format!("/v1/audit?order={order}&limit=1000"))
            .await;
        rows.body["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row["kind"].as_str().expect("a kind").to_owned())
            .collect()
    }
}

pub(crate) fn payouts() -> String {
    format!("/v1/programs/{PROGRAM}/payouts")
}
