//! A chain, a gateway in a process, and a client of it.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chain::Chain;
use crate::proxy::Proxy;

/// A running gateway. It dies with the test.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: String,
}

impl Process {
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command
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

    pub(crate) fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("dead");
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
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

fn stellar_secret(seed: [u8; 32]) -> String {
    stellar_strkey::ed25519::PrivateKey(seed)
        .to_string()
        .as_str()
        .to_owned()
}

pub(crate) struct World {
    pub(crate) chain: Chain,
    pub(crate) proxy: Proxy,
    pub(crate) database: PathBuf,
    folder: TempDir,
    token: String,
    http: reqwest::Client,
}

const SETTINGS: &str = "[worker]\nlease_seconds = 3\npoll_millis = 50\nledgers_on_demand = true\n\
                        [policy]\npoll_millis = 100\n";

impl World {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("gateway.db");
        Self::of(Chain::at_once(1).await, folder, database, SETTINGS).await
    }

    /// The same with the database elsewhere.
    pub(crate) async fn keeping(database: PathBuf, settings: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self::of(Chain::at_once(1).await, folder, database, settings).await
    }

    /// The same on another chain.
    pub(crate) async fn on(chain: Chain, settings: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("gateway.db");
        Self::of(chain, folder, database, settings).await
    }

    async fn of(chain: Chain, folder: TempDir, database: PathBuf, settings: &str) -> Self {
        let proxy = Proxy::before(chain.url()).await;
        std::fs::write(folder.path().join("gateway.toml"), settings).expect("a configuration");
        let mut world = Self {
            chain,
            proxy,
            database,
            folder,
            token: String::new(),
            http: reqwest::Client::new(),
        };
        world.token = world.create_key();
        world
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"));
        command
            .arg("serve")
            .args(arguments)
            .env(
                "GATEWAY_DATABASE",
                format!("sqlite:{}", self.database.display()),
            )
            .env("STELLAR_CONFIG_HOME", self.folder.path());
        command
    }

    fn create_key(&self) -> String {
        let scopes = ["--scope", "submit", "--scope", "read"];
        let mut command = self.program(&["keys", "create"]);
        let made = command.args(scopes).output().expect("a key");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        String::from_utf8_lossy(&made.stdout).trim().to_owned()
    }

    /// The command that serves.
    pub(crate) fn command(&self) -> Command {
        let mut command = self.program(&["--listen", "127.0.0.1:0", "--config"]);
        command
            .arg(self.folder.path().join("gateway.toml"))
            .args(["--payout-key", "env:PAYOUT_KEY", "--program"])
            .arg(format!("hackathon-2026={}", self.chain.contract()))
            .args(["--rpc-url", &self.proxy.url, "--network-passphrase"])
            .arg(self.chain.passphrase())
            .env("PAYOUT_KEY", stellar_secret(self.chain.payout_seed()))
            .env("GATEWAY_LOG", "error");
        command
    }

    pub(crate) fn start(&self) -> Process {
        Process::of(self.command())
    }

    pub(crate) fn body(&self) -> Value {
        let recipient = self.chain.recipients[0].address();
        json!({ "recipients": [recipient], "amounts": ["7"] })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    pub(crate) fn post(&self, process: &Process, key: &str) -> reqwest::RequestBuilder {
        self.http
            .post(process.url("/v1/programs/hackathon-2026/payouts"))
            .bearer_auth(&self.token)
            .header("idempotency-key", key)
            .json(&self.body())
    }

    /// The same request until the order is paid. Gives the first status.
    pub(crate) async fn until_paid(&self, process: &Process, key: &str) -> u16 {
        let mut first = None;
        for _ in 0..1_200 {
            let answer = self.post(process, key).send().await.expect("an answer");
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

    pub(crate) fn rows(&self, table: &str) -> u64 {
        let database = Connection::open(&self.database).expect("the database");
        database
            .query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .expect("a count")
    }

    pub(crate) async fn until_rows(&self, table: &str) {
        for _ in 0..1_200 {
            if self.rows(table) > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("no row in {table}");
    }

    /// So many orders, each paid once by one envelope.
    pub(crate) fn settled(&self, orders: u64) {
        assert_eq!(self.rows("orders"), orders, "orders");
        assert_eq!(self.rows("envelopes"), orders, "one envelope each");
        assert_eq!(self.chain.payout_count(), orders, "one payout each");
        let paid = self.chain.balance(&self.chain.recipients[0]);
        assert_eq!(paid, 7 * i128::from(orders));
    }
}
