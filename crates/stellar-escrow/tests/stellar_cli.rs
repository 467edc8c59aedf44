//! The real `stellar` command's working day on the local network. It is the judge of the protocol:
//! nothing here knows how the network is made.
//!
//! The command is looked for on `PATH`, or in `STELLAR_CLI`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A network and a folder of its own for the command's configuration.
struct Day {
    network: Child,
    url: String,
    folder: tempfile::TempDir,
}

/// What a command printed.
struct Said {
    data: String,
    talk: String,
}

impl Day {
    fn new() -> Self {
        let mut network = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"))
            .args(["localnet", "--port", "0"])
            .env_remove("STELLAR_NETWORK_PASSPHRASE")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(network.stdout.take().unwrap());
        let first = out.lines().next().unwrap().unwrap();
        Self {
            network,
            url: first.strip_prefix("RPC").unwrap().trim().to_owned(),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn run(&self, line: &str, more: &[&str]) -> (bool, Said) {
        let program = std::env::var_os("STELLAR_CLI").unwrap_or_else(|| "stellar".into());
        let output = Command::new(&program)
            .args(line.split_whitespace())
            .args(more)
            .env("STELLAR_CONFIG_HOME", self.folder.path())
            .env("XDG_CONFIG_HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.folder.path())
            .env("STELLAR_RPC_URL", format!("{}/rpc", self.url))
            .env(
                "STELLAR_NETWORK_PASSPHRASE",
                "Standalone Network ; February 2017",
            )
            .env("STELLAR_NO_UPDATE_CHECK", "true")
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| {
                panic!(
                    "cannot run {}: {error}; install stellar-cli 28.1.0, or name it in STELLAR_CLI",
                    Path::new(&program).display()
                )
            });
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let said = Said {
            data: text(output.stdout).trim().to_owned(),
            talk: text(output.stderr),
        };
        (output.status.success(), said)
    }

    /// Runs a command that must succeed and returns its data.
    fn ok(&self, line: &str) -> String {
        self.ok_with(line, &[])
    }

    fn ok_with(&self, line: &str, more: &[&str]) -> String {
        let (success, said) = self.run(line, more);
        assert!(
            success,
            "stellar {line} {more:?}\n{}\n{}",
            said.data, said.talk
        );
        said.data
    }

    fn fails(&self, line: &str) -> String {
        let (success, said) = self.run(line, &[]);
        assert!(!success, "stellar {line} succeeded:\n{}", said.data);
        said.talk
    }

    /// Drives the network.
    fn drive(&self, path: &str, body: &str) {
        ureq::post(format!("{}/localnet/{path}", self.url))
            .header("content-type", "application/json")
            .send(body)
            .unwrap();
    }
}

impl Drop for Day {
    fn drop(&mut self) {
        let _ = self.network.kill();
        let _ = self.network.wait();
    }
}

/// The contract's Wasm, looked for as the tests of the local network do.
fn wasm() -> PathBuf {
    let path = std::env::var_os("PROGRAM_ESCROW_WASM_DIR")
        .map_or_else(
            || Path::new(env!("CARGO_TARGET_TMPDIR")).join("../contracts"),
            PathBuf::from,
        )
        .join("program_escrow.wasm");
    assert!(
        path.is_file(),
        "{} is missing: build it with scripts/build-contract.sh, or name its folder in \
         PROGRAM_ESCROW_WASM_DIR",
        path.display()
    );
    path
}

#[test]
fn the_network_is_known_by_its_health_settings_and_fees() {
    let day = Day::new();
    assert!(day.run("network health", &[]).1.talk.contains("Healthy"));
    let (_, info) = day.run("network info", &[]);
    assert!(info.talk.contains("Protocol Version: 28"), "{}", info.talk);
    let settings = day.ok("network settings");
    for setting in [
        "state_archival",
        "contract_cost_params_cpu_instructions",
        "scp_timing",
    ] {
        assert!(
            settings.contains(setting),
            "no {setting} in {settings:.300}"
        );
    }
    let fees = day.ok("fees stats --output json");
    assert!(fees.contains("sorobanInclusionFee") || fees.contains("soroban_inclusion_fee"));
    assert!(day.ok("ledger latest").contains("Protocol Version: 28"));
    assert!(day.ok("ledger fetch 2").contains("\"ledger_seq\": 2"));
}

#[test]
fn keys_are_funded_and_classic_transactions_go_through() {
    let day = Day::new();
    for name in ["alice", "bob", "issuer"] {
        day.ok_with("keys generate --fund", &[name]);
    }
    let (bob, issuer) = (day.ok("keys address bob"), day.ok("keys address issuer"));
    // An account that is rich already is no error.
    day.ok("keys fund alice");
    day.ok_with(
        "tx new payment --source alice --amount 100 --destination",
        &[&bob],
    );
    let asset = format!("USDC:{issuer}");
    day.ok_with("tx new change-trust --source bob --line", &[&asset]);
    day.ok_with(
        "tx new payment --source issuer --amount 50 --destination",
        &[&bob, "--asset", &asset],
    );
    let account = day.ok_with("ledger entry fetch account --account", &[&bob]);
    assert!(account.contains(&bob), "{account}");
    let stranger = "GA7QE4QIV5H4IYCCRKBTUJ27FM3VV4UOHDN2VWVWDDIVGOBMYLWE5HCU";
    let line = format!("tx new payment --source alice --amount 1 --destination {stranger}");
    assert!(day.fails(&line).contains("NoDestination"));
}

#[test]
fn an_asset_contract_lives_is_extended_dies_and_is_restored() {
    let day = Day::new();
    for name in ["alice", "bob"] {
        day.ok_with("keys generate --fund", &[name]);
    }
    let (alice, bob) = (day.ok("keys address alice"), day.ok("keys address bob"));
    let id = day.ok("contract asset deploy --asset native --source alice");
    let transfer = format!(
        "contract invoke --id {id} --source alice -- transfer --from {alice} --to {bob} --amount 123"
    );
    let (success, said) = day.run(&transfer, &[]);
    assert!(
        success && said.talk.contains("Event: Transfer"),
        "{}",
        said.talk
    );
    let events = day.ok(&format!("events --start-ledger 2 --id {id} --output json"));
    assert!(events.contains("transfer"), "{events}");
    let balance = format!("contract invoke --id {id} --source alice -- balance --id {bob}");
    assert_eq!(day.ok(&balance), "\"100000000123\"");
    let extend = format!(
        "contract extend --id {id} --source alice --durability persistent --ledgers-to-extend"
    );
    let until = day.ok_with(&extend, &["3000000"]);
    assert!(until.contains("30000"), "{until}");
    day.drive("close", "{\"ledgers\": 3100000}");
    let restored = day.ok(&format!(
        "contract restore --id {id} --source alice --durability persistent"
    ));
    assert!(!restored.is_empty());
    assert_eq!(day.ok(&balance), "\"100000000123\"");
    day.ok(&transfer);
}

#[test]
fn the_escrow_pays_once_and_pays_nothing_when_asked_again() {
    let day = Day::new();
    for name in ["admin", "payee", "issuer"] {
        day.ok_with("keys generate --fund", &[name]);
    }
    let address = |name: &str| day.ok(&format!("keys address {name}"));
    let (admin, payee, issuer) = (address("admin"), address("payee"), address("issuer"));
    let asset = format!("USDC:{issuer}");
    for name in ["admin", "payee"] {
        day.ok(&format!(
            "tx new change-trust --source {name} --line {asset}"
        ));
    }
    day.ok(&format!(
        "tx new payment --source issuer --amount 100000 --destination {admin} --asset {asset}"
    ));
    let token = day.ok(&format!(
        "contract asset deploy --source issuer --asset {asset}"
    ));
    let wasm = wasm();
    let wasm = wasm.to_str().unwrap();
    day.ok_with("contract upload --source admin --wasm", &[wasm]);
    let constructor = format!(
        "--admin {admin} --program_id demo --authorized_payout_key {admin} --token {token}"
    );
    let mut arguments = vec![wasm, "--"];
    arguments.extend(constructor.split(' '));
    let escrow = day.ok_with("contract deploy --source admin --wasm", &arguments);
    let invoke = |call: &str| {
        day.ok(&format!(
            "contract invoke --id {escrow} --source admin -- {call}"
        ))
    };
    invoke(&format!("lock_program_funds --from {admin} --amount 5000"));
    invoke("publish_program");
    let pay = format!(
        "batch_payout_idempotent --idempotency_key demo-1 --recipients [\"{payee}\"] --amounts [\"500\"]"
    );
    for _ in 0..2 {
        assert!(invoke(&pay).contains("\"total_paid\":\"500\""));
    }
    let key = "AAAADgAAAAZkZW1vLTEAAA==";
    let events = day.ok(&format!(
        "events --start-ledger 2 --id {escrow} --type contract --topic *,{key} --output raw"
    ));
    let named = |name: &str| events.matches(name).count();
    assert_eq!((named("BatchPay"), named("BatPayRp")), (1, 1), "{events}");
    let record = invoke("get_idempotency_record --idempotency_key demo-1");
    assert!(record.contains("\"payout_id\":1"), "{record}");
    let balance = format!("token balance --id {token} --account {payee}");
    assert_eq!(day.ok(&balance), "500");
    // Ten years on it is archived; the command restores what it must and the key still pays nothing.
    day.drive("advance", "{\"seconds\": 315360000}");
    assert!(invoke(&pay).contains("\"total_paid\":\"500\""));
    assert_eq!(day.ok(&balance), "500");
}
