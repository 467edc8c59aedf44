//! The gateway as a process that is killed with SIGKILL wherever it hurts.

#[path = "../../payout-gateway/tests/it/common/chain.rs"]
#[allow(dead_code, reason = "the gateway's own tests use all of it")]
mod chain;
#[path = "../../localnet/tests/it/common/mod.rs"]
#[allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "as the ledger's own tests have it"
)]
mod ledger;
#[path = "../../payout-gateway/tests/it/common/proxy.rs"]
#[allow(dead_code, reason = "the gateway's own tests use all of it")]
mod proxy;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use chain::Chain;
use proxy::Proxy;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A running gateway. It dies with the test.
struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(folder: &Path, rpc: &str, chain: &Chain) -> Self {
        let secret = stellar_secret(chain.payout_seed());
        let config = folder.join("gateway.toml");
        let text = "[worker]\nlease_seconds = 3\npoll_millis = 50\nledgers_on_demand = true\n\
                    [policy]\npoll_millis = 100\n";
        std::fs::write(&config, text).expect("a configuration");
        let mut child = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"))
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(config)
            .args(["--payout-key", "env:PAYOUT_KEY", "--program"])
            .arg(format!("hackathon-2026={}", chain.contract()))
            .args([
                "--rpc-url",
                rpc,
                "--network-passphrase",
                &chain.passphrase(),
            ])
            .env("GATEWAY_DATABASE", database(folder))
            .env("PAYOUT_KEY", secret)
            .env("STELLAR_CONFIG_HOME", folder)
            .env("GATEWAY_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the gateway runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("stdout");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).expect("an address");
        Self {
            address: address.trim().to_owned(),
            child,
        }
    }

    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("dead");
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn database(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("gateway.db").display())
}

fn stellar_secret(seed: [u8; 32]) -> String {
    stellar_strkey::ed25519::PrivateKey(seed)
        .to_string()
        .as_str()
        .to_owned()
}

fn create_key(folder: &Path) -> String {
    let made = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"))
        .args([
            "serve", "keys", "create", "--scope", "submit", "--scope", "read",
        ])
        .env("GATEWAY_DATABASE", database(folder))
        .env("STELLAR_CONFIG_HOME", folder)
        .output()
        .expect("a key");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    String::from_utf8_lossy(&made.stdout).trim().to_owned()
}

struct World {
    chain: Chain,
    proxy: Proxy,
    folder: TempDir,
    token: String,
    http: reqwest::Client,
}

impl World {
    async fn new() -> Self {
        let chain = Chain::at_once(1).await;
        let proxy = Proxy::before(chain.url()).await;
        let folder = tempfile::tempdir().expect("a folder");
        let token = create_key(folder.path());
        Self {
            chain,
            proxy,
            folder,
            token,
            http: reqwest::Client::new(),
        }
    }

    fn start(&self) -> Process {
        Process::start(self.folder.path(), &self.proxy.url, &self.chain)
    }

    fn body(&self) -> Value {
        let recipient = self.chain.recipients[0].address();
        json!({ "recipients": [recipient], "amounts": ["7"] })
    }

    fn post(&self, process: &Process) -> reqwest::RequestBuilder {
        self.http
            .post(process.url("/v1/programs/hackathon-2026/payouts"))
            .bearer_auth(&self.token)
            .header("idempotency-key", "g1")
            .json(&self.body())
    }

    /// The same request until the order is paid. Gives the first status.
    async fn until_paid(&self, process: &Process) -> u16 {
        let mut first = None;
        for _ in 0..1_200 {
            let answer = self.post(process).send().await.expect("an answer");
            let status = answer.status().as_u16();
            assert!(matches!(status, 200 | 202), "{status}");
            first.get_or_insert(status);
            let order: Value = answer.json().await.expect("an order");
            if order["state"] == "confirmed" {
                return first.unwrap_or(status);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the order is not paid");
    }

    fn rows(&self, table: &str) -> i64 {
        let path = self.folder.path().join("gateway.db");
        let database = Connection::open(path).expect("the database");
        database
            .query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .expect("a count")
    }

    async fn until_rows(&self, table: &str) {
        for _ in 0..1_200 {
            if self.rows(table) > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("no row in {table}");
    }

    fn settled(&self) {
        assert_eq!(self.rows("orders"), 1, "one order");
        assert_eq!(self.rows("envelopes"), 1, "one envelope");
        assert_eq!(self.chain.payout_count(), 1, "one payout");
        assert_eq!(self.chain.balance(&self.chain.recipients[0]), 7);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_the_commit() {
    let world = World::new().await;
    let process = world.start();
    let lock = Connection::open(world.folder.path().join("gateway.db")).expect("the database");
    lock.busy_timeout(Duration::from_secs(10))
        .expect("patience");
    lock.execute_batch("BEGIN IMMEDIATE")
        .expect("the only writer");
    let waiting = tokio::spawn(world.post(&process).send());
    tokio::time::sleep(Duration::from_millis(500)).await;
    process.kill();
    lock.execute_batch("ROLLBACK").expect("free again");
    assert!(waiting.await.expect("a task").is_err(), "no answer");
    assert_eq!(world.rows("orders"), 0);
    let process = world.start();
    assert_eq!(world.until_paid(&process).await, 202);
    world.settled();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_commit_and_answer() {
    let world = World::new().await;
    let process = world.start();
    let body = world.body().to_string();
    let mut stream = TcpStream::connect(&process.address).expect("a connection");
    write!(
        stream,
        "POST /v1/programs/hackathon-2026/payouts HTTP/1.1\r\nhost: gateway\r\n\
         authorization: Bearer {}\r\nidempotency-key: g1\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        world.token,
        body.len()
    )
    .expect("a request");
    world.until_rows("orders").await;
    process.kill();
    drop(stream);
    let process = world.start();
    assert_eq!(
        world.until_paid(&process).await,
        200,
        "the order was stored"
    );
    world.settled();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_signing() {
    let world = World::new().await;
    let process = world.start();
    world.proxy.hold_next();
    world.post(&process).send().await.expect("an answer");
    while world.proxy.held() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    process.kill();
    assert_eq!(world.rows("envelopes"), 1);
    assert_eq!(world.chain.payout_count(), 0);
    let process = world.start();
    world.until_paid(&process).await;
    world.settled();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_sending() {
    let world = World::new().await;
    let process = world.start();
    world.proxy.mute_next();
    world.post(&process).send().await.expect("an answer");
    while world.proxy.held() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    process.kill();
    assert_eq!(world.chain.payout_count(), 1, "it was paid");
    let process = world.start();
    world.until_paid(&process).await;
    world.settled();
}
