//! A network, a folder of stellar-cli's configuration, and the program: shared by the tests that run it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use localnet::{CloseMode, Config, Localnet};
use payout_engine::NodeId;
use payout_engine::envelope::SecretKey;
use payout_engine::rpc::{Client, Options};
use payout_engine::transaction::{
    Act, Keys, Patience, Verdict, account, change_trust, payment, prepare, settle,
};
use payout_keys::{NetworkId, Recipient};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use stellar_xdr::{AccountId, AlphaNum4, Asset, AssetCode4, ChangeTrustAsset, PublicKey, Uint256};

pub(crate) struct World {
    pub(crate) localnet: Localnet,
    pub(crate) folder: tempfile::TempDir,
}

/// What a run of the program left.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) data: String,
    pub(crate) talk: String,
}

/// The contract's Wasm, or another one that its tests build.
pub(crate) fn wasm(name: &str) -> PathBuf {
    let path = std::env::var_os("PROGRAM_ESCROW_WASM_DIR")
        .map_or_else(
            || Path::new(env!("CARGO_TARGET_TMPDIR")).join("../contracts"),
            PathBuf::from,
        )
        .join(format!("{name}.wasm"));
    assert!(
        path.is_file(),
        "{} is missing: build it with scripts/build-contract.sh --all, or name its folder in \
         PROGRAM_ESCROW_WASM_DIR",
        path.display()
    );
    path
}

fn seed(name: &str) -> [u8; 32] {
    Sha256::digest(name).into()
}

pub(crate) fn key(name: &str) -> SecretKey {
    SecretKey::from_seed(&seed(name))
}

pub(crate) fn address(name: &str) -> String {
    key(name).address().to_string()
}

impl World {
    /// Ledgers close at once, on a clock that only ledgers move.
    pub(crate) fn start() -> Self {
        Self::on(at_once())
    }

    fn on(config: Config) -> Self {
        let localnet = Localnet::start(config);
        Self {
            localnet: localnet.expect("the local network starts"),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// An escrow with alias `escrow`, in Draft: admin, payout key, sponsor with 1000 USDC.
    pub(crate) fn with_escrow() -> Self {
        Self::with_escrow_on(at_once())
    }

    /// The same on a network of its own kind.
    pub(crate) fn with_escrow_on(config: Config) -> Self {
        let world = Self::on(config);
        for name in [
            "admin", "payout", "sponsor", "issuer", "guardian", "stranger",
        ] {
            world.fund(name);
        }
        world.trust("sponsor");
        world.pay_out_usdc("sponsor", 1_000);
        world.deploy();
        world
    }

    pub(crate) fn deploy(&self) -> Value {
        let wasm = wasm("program_escrow");
        let token = format!("USDC:{}", address("issuer"));
        self.json(
            "admin",
            &[
                "deploy",
                "--wasm",
                wasm.to_str().unwrap(),
                "--program-id",
                "hackathon-2026",
                "--token",
                &token,
                "--payout-key",
                "payout",
                "--alias",
                "escrow",
            ],
        )
    }

    /// An account with 10,000 XLM, and stellar-cli's identity for it.
    pub(crate) fn fund(&self, name: &str) {
        let url = format!("{}/friendbot?addr={}", self.localnet.url(), address(name));
        ureq::get(url).call().unwrap();
        self.identity(name);
    }

    pub(crate) fn identity(&self, name: &str) {
        let secret = stellar_strkey::ed25519::PrivateKey(seed(name)).to_string();
        self.write(
            &format!("identity/{name}.toml"),
            &format!("secret_key = \"{secret}\"\n"),
        );
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join("config").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A command with the settings of this world and nobody's own.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("STELLAR_") {
                command.env_remove(name);
            }
        }
        command
            .args(arguments)
            .env("STELLAR_CONFIG_HOME", self.folder.path().join("config"))
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .env("STELLAR_RPC_URL", self.localnet.url())
            .env(
                "STELLAR_NETWORK_PASSPHRASE",
                self.localnet.network().passphrase(),
            )
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        read(&self.command(arguments).output().unwrap())
    }

    /// Runs a command of the escrow as `who` and goes on without being asked.
    pub(crate) fn act(&self, who: &str, arguments: &[&str]) -> Ran {
        let mut all = arguments.to_vec();
        all.extend(["--source", who, "--yes", "--output", "json"]);
        let mut command = self.command(&all);
        if arguments.first() != Some(&"deploy") {
            command.env("STELLAR_CONTRACT_ID", "escrow");
        }
        read(&command.output().unwrap())
    }

    /// The same, and it must succeed.
    pub(crate) fn json(&self, who: &str, arguments: &[&str]) -> Value {
        let ran = self.act(who, arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.talk);
        serde_json::from_str(&ran.data).unwrap()
    }

    /// The same, and it must fail with this code; what it said.
    pub(crate) fn refused(&self, code: i32, who: &str, arguments: &[&str]) -> String {
        let ran = self.act(who, arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.talk);
        assert_eq!(ran.data, "", "data of a command that failed");
        ran.talk
    }

    /// A fact of `status`.
    pub(crate) fn fact(&self, name: &str) -> Value {
        let ran = self.run(&["status", "--id", "escrow", "--output", "json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.talk);
        let facts: Value = serde_json::from_str(&ran.data).unwrap();
        facts
            .get(name)
            .unwrap_or_else(|| panic!("no {name} in {facts}"))
            .clone()
    }

    pub(crate) fn usdc() -> Asset {
        let Recipient::Account(issuer) = key("issuer").address() else {
            unreachable!("a key is an account's")
        };
        Asset::CreditAlphanum4(AlphaNum4 {
            asset_code: AssetCode4(*b"USDC"),
            issuer: AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(issuer))),
        })
    }

    pub(crate) fn trust(&self, name: &str) {
        let Asset::CreditAlphanum4(asset) = Self::usdc() else {
            unreachable!("four letters")
        };
        let line = ChangeTrustAsset::CreditAlphanum4(asset);
        self.apply(name, Act::Classic(vec![change_trust(line, i64::MAX)]));
    }

    /// The issuer pays whole USDC.
    pub(crate) fn pay_out_usdc(&self, to: &str, amount: i64) {
        let operation = payment(key(to).address(), Self::usdc(), amount * 10_000_000).unwrap();
        self.apply("issuer", Act::Classic(vec![operation]));
    }

    pub(crate) fn apply(&self, source: &str, act: Act) {
        let source = key(source);
        let network = NetworkId(self.localnet.network().id());
        let verdict = block_on(async {
            let client = self.client();
            let prepared = prepare(&client, source.address(), act, None).await.unwrap();
            let keys = Keys {
                source: &source,
                others: &[],
            };
            let sealed = prepared.sign(&client, network, keys).await.unwrap();
            let pause = async |time| tokio::time::sleep(time).await;
            settle(&client, &sealed, Patience::default(), pause)
                .await
                .verdict
        });
        assert!(matches!(verdict, Verdict::Applied { .. }), "{verdict:?}");
    }

    /// An account's lumens in stroops; `None` if it does not exist.
    pub(crate) fn xlm(&self, of: Recipient) -> Option<i64> {
        let entry = block_on(async { account(&self.client(), of).await.unwrap() });
        entry.map(|entry| entry.balance)
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.localnet.url(), NodeId(0), Options::default()).unwrap()
    }
}

/// A ledger closes inside `sendTransaction`, and takes five seconds of a clock that only ledgers move.
pub(crate) fn at_once() -> Config {
    Config {
        close: CloseMode::AtOnce,
        ..Config::on_demand()
    }
}

pub(crate) fn read(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran {
        code: output.status.code(),
        data: text(&output.stdout),
        talk: text(&output.stderr),
    }
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}
