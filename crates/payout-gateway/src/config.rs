//! The configuration file. Every setting that is not there has its default; a name that is not known
//! is refused.

mod network;

use std::fmt;
use std::net::SocketAddr;

use payout_keys::{ContractId, ProgramId};
use serde::Deserialize;

pub use network::{HeadersRef, NetworkConfig, NodeConfig};

/// The configuration.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where it listens.
    #[serde(default = "listen")]
    pub listen: SocketAddr,
    /// The database: `sqlite:FILE` or `postgres://…`.
    #[serde(default = "database")]
    pub database: String,
    /// Connections to `PostgreSQL`.
    #[serde(default = "connections")]
    pub connections: u32,
    /// The network. Without it, whoever starts the gateway names nodes and passphrase.
    #[serde(default)]
    pub network: Option<NetworkConfig>,
    /// The programs, each with its contract.
    #[serde(default)]
    pub programs: Vec<ProgramConfig>,
    /// Channel accounts. Without any, the payout keys' own accounts carry their transactions.
    #[serde(default)]
    pub lanes: Option<LaneConfig>,
    /// Idempotency keys.
    #[serde(default)]
    pub keys: KeyConfig,
    /// Limits of requests.
    #[serde(default)]
    pub limits: LimitConfig,
    /// The workers.
    #[serde(default)]
    pub worker: WorkerConfig,
    /// Fees and patience.
    #[serde(default)]
    pub policy: PolicyConfig,
}

/// A program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramConfig {
    /// Its id, as the contract has it.
    #[serde(deserialize_with = "program_id")]
    pub id: ProgramId,
    /// Its contract (C…).
    #[serde(deserialize_with = "contract")]
    pub contract: ContractId,
    /// The payout key, or a delegate's.
    pub payout_key: SecretRef,
}

/// Channel accounts, whose keys follow from the secret of one account (`stellar escrow lanes`).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneConfig {
    /// The account that they were created from.
    pub source: SecretRef,
    /// How many.
    pub count: u32,
}

/// Where a secret key is: `env:NAME`, `file:PATH`, or an identity of stellar-cli. It is read at the
/// start and stays in the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretRef(String);

impl SecretRef {
    /// The text, which is no secret itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Checks that `text` is not a secret by mistake.
    ///
    /// # Errors
    /// [`ConfigError::Secret`].
    pub fn new(text: &str) -> Result<Self, ConfigError> {
        let strkey = text.len() >= 50 && text.starts_with('S') && !text.contains(':');
        if strkey || text.split_whitespace().count() > 1 || text == "-" {
            return Err(ConfigError::Secret);
        }
        Ok(Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for SecretRef {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

/// Idempotency keys.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeyConfig {
    /// Hours after an order's end when its key may be used for another one. Without it, never.
    pub window_hours: Option<u32>,
}

/// Limits of requests.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitConfig {
    /// Requests a second, of one bearer key in one process.
    pub requests_per_second: u32,
    /// How many may come at once.
    pub burst: u32,
    /// The largest body, in bytes.
    pub body_bytes: usize,
    /// How long a bearer key that was found good is not looked up again. A revoked key works for as
    /// long.
    pub key_cache_seconds: u32,
}

impl Default for LimitConfig {
    fn default() -> Self {
        Self {
            requests_per_second: 200,
            burst: 400,
            body_bytes: 64 * 1024,
            key_cache_seconds: 2,
        }
    }
}

/// The workers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkerConfig {
    /// Orders that one process drives at a time. 0: it only serves.
    pub orders: u32,
    /// How long a process that does not answer keeps its orders.
    pub lease_seconds: u32,
    /// Milliseconds between two looks for work, events and rows to seal.
    pub poll_millis: u32,
    /// Seconds between two reconciliations. 0: only when asked for.
    pub reconcile_seconds: u32,
    /// Whether restores of archived entries may be paid for.
    pub restores: bool,
    /// Ledgers close only when there is something to close, as on a local network that closes them
    /// at once. Elsewhere a node has to move before it is believed.
    pub ledgers_on_demand: bool,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self {
            orders: 16,
            lease_seconds: 60,
            poll_millis: 500,
            reconcile_seconds: 3_600,
            restores: true,
            ledgers_on_demand: false,
        }
    }
}

/// Fees and patience; see the engine's policy.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "as the engine's policy")]
pub struct PolicyConfig {
    pub max_bid: u32,
    pub max_resource_fee: i64,
    pub window_seconds: u64,
    pub window_ledgers: u32,
    pub poll_millis: u64,
    pub max_tries: u16,
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self {
            max_bid: 1_000_000,
            max_resource_fee: 100_000_000,
            window_seconds: 300,
            window_ledgers: 90,
            poll_millis: 1_000,
            max_tries: 12,
        }
    }
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// It cannot be read.
    #[error("the configuration cannot be read: {0}")]
    Toml(String),
    /// A secret stands in it.
    #[error(
        "this looks like a secret key; write env:NAME, file:PATH or the name of an identity, and \
         treat the key as known to whoever could read it here"
    )]
    Secret,
    /// Headers stand in it.
    #[error(
        "a node's headers are not written here but as env:NAME or file:PATH, where they are one a \
         line as NAME:VALUE; if an API key stood here, treat it as known to whoever could read it"
    )]
    Headers,
    /// A program is there twice.
    #[error("program {0} is there twice; give each one contract")]
    Twice(ProgramId),
    /// A window that ends when the order does.
    #[error(
        "window_hours = 0 would pay every repeated request again; leave window_hours out, and keys \
         never expire"
    )]
    NoWindow,
}

impl Config {
    /// Reads the text of a configuration file.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| {
            // The message alone: a quoted line may hold the database's password.
            ConfigError::Toml(error.message().to_owned())
        })?;
        config.check()?;
        Ok(config)
    }

    /// Checks what single values do not show.
    ///
    /// # Errors
    /// [`ConfigError::Twice`], [`ConfigError::NoWindow`].
    pub fn check(&self) -> Result<(), ConfigError> {
        for (number, program) in self.programs.iter().enumerate() {
            let before = self.programs.iter().take(number);
            if before.into_iter().any(|other| other.id == program.id) {
                return Err(ConfigError::Twice(program.id.clone()));
            }
        }
        if self.keys.window_hours == Some(0) {
            return Err(ConfigError::NoWindow);
        }
        Ok(())
    }
}

impl fmt::Debug for Config {
    /// Without the database's address, which may have a password in it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Config")
            .field("listen", &self.listen)
            .field("network", &self.network)
            .field("programs", &self.programs)
            .field("lanes", &self.lanes)
            .field("keys", &self.keys)
            .field("limits", &self.limits)
            .field("worker", &self.worker)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: listen(),
            database: database(),
            connections: connections(),
            network: None,
            programs: Vec::new(),
            lanes: None,
            keys: KeyConfig::default(),
            limits: LimitConfig::default(),
            worker: WorkerConfig::default(),
            policy: PolicyConfig::default(),
        }
    }
}

fn listen() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 8080))
}

fn database() -> String {
    "sqlite:payout-gateway.db".to_owned()
}

fn connections() -> u32 {
    16
}

fn program_id<'de, D: serde::Deserializer<'de>>(from: D) -> Result<ProgramId, D::Error> {
    let text = String::deserialize(from)?;
    ProgramId::new(&text).map_err(serde::de::Error::custom)
}

fn contract<'de, D: serde::Deserializer<'de>>(from: D) -> Result<ContractId, D::Error> {
    let text = String::deserialize(from)?;
    ContractId::new(&text).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        database = "postgres://gateway:secret@db/gateway"
        [network]
        rpc = ["https://one.example", "https://two.example"]
        passphrase = "Test SDF Network ; September 2015"
        [[programs]]
        id = "hackathon-2026"
        contract = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE"
        payout_key = "env:PAYOUT_KEY"
    "#;

    #[test]
    fn a_file_is_read() {
        let config = Config::from_toml(FILE).expect("a configuration");
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.programs.len(), 1);
        assert_eq!(
            config.programs.first().map(|program| &program.payout_key),
            Some(&SecretRef("env:PAYOUT_KEY".to_owned()))
        );
        assert_eq!(config.keys.window_hours, None);
        let shown = format!("{config:?}");
        assert!(!shown.contains("secret@"), "{shown}");
    }

    #[test]
    fn a_window_of_no_hours_is_refused() {
        let config = |hours| Config::from_toml(&format!("[keys]\nwindow_hours = {hours}\n"));
        assert!(matches!(config(0), Err(ConfigError::NoWindow)));
        assert!(config(24).is_ok());
    }

    #[test]
    fn unknown_names_are_refused_without_repeating_the_line() {
        let error = Config::from_toml(&format!("databse = \"postgres://a:pass@b\"{FILE}"))
            .expect_err("a slip of the hand");
        let text = error.to_string();
        assert!(text.contains("unknown field `databse`"), "{text}");
        assert!(!text.contains("pass@"), "{text}");
    }

    #[test]
    fn a_secret_is_refused_and_not_repeated() {
        let secret = "SAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIUV";
        let error = Config::from_toml(&FILE.replace("env:PAYOUT_KEY", secret))
            .expect_err("a secret in the file");
        assert!(error.to_string().contains("looks like a secret"), "{error}");
        assert!(!error.to_string().contains(secret));
    }

    #[test]
    fn a_program_has_one_contract() {
        let program = FILE.split_once("[[programs]]").expect("a program").1;
        let twice = format!("{FILE}[[programs]]{program}");
        assert!(matches!(
            Config::from_toml(&twice),
            Err(ConfigError::Twice(_))
        ));
    }
}
