//! `stellar-escrow localnet` as a process: it starts at once, says what a client needs, ends when
//! asked, and never harms what it does not understand.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

struct Running {
    child: Child,
    /// What it printed: RPC, friendbot, passphrase, account.
    facts: Vec<String>,
}

fn command(flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"));
    command
        .arg("localnet")
        .args(flags)
        .env_remove("STELLAR_NETWORK_PASSPHRASE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Running {
    fn start(flags: &[&str]) -> Self {
        let mut child = command(flags).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let facts = out.lines().take(4).map(Result::unwrap).collect();
        Self { child, facts }
    }

    fn fact(&self, name: &str) -> &str {
        self.facts
            .iter()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_else(|| panic!("no {name} in {:?}", self.facts))
            .trim()
    }

    fn latest_ledger(&self) -> u64 {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"getHealth"}"#;
        let answer = ureq::post(self.fact("RPC"))
            .header("content-type", "application/json")
            .send(body)
            .unwrap()
            .body_mut()
            .read_to_string()
            .unwrap();
        let (_, rest) = answer.split_once("\"latestLedger\":").unwrap();
        rest.split(|c: char| !c.is_ascii_digit())
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }

    /// Sends a signal and waits for the end: exit code, and how long it took.
    fn end(mut self, signal: Signal) -> (Option<i32>, Duration) {
        let started = Instant::now();
        kill(
            Pid::from_raw(i32::try_from(self.child.id()).unwrap()),
            signal,
        )
        .unwrap();
        let status = self.child.wait().unwrap();
        (status.code(), started.elapsed())
    }
}

fn refused(flags: &[&str]) -> String {
    let mut child = command(flags).spawn().unwrap();
    let status = child.wait().unwrap();
    assert_ne!(status.code(), Some(0));
    let mut text = String::new();
    child.stderr.unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn it_is_ready_in_under_a_second_and_says_what_a_client_needs() {
    let started = Instant::now();
    let network = Running::start(&["--port", "0"]);
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    assert!(network.fact("RPC").starts_with("http://127.0.0.1:"));
    assert!(network.fact("Friendbot").ends_with("/friendbot"));
    assert_eq!(
        network.fact("Passphrase"),
        "Standalone Network ; February 2017"
    );
    // The root account of that passphrase, on every such network.
    assert_eq!(
        network.fact("Funded"),
        "GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI"
    );
    assert_eq!(network.latest_ledger(), 2);
    let (code, took) = network.end(Signal::SIGTERM);
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn an_interrupt_saves_the_state_and_the_next_start_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.json");
    let path = file.to_str().unwrap();
    let flags = ["--port", "0", "--state", path, "--close", "on-demand"];
    let network = Running::start(&flags);
    ureq::post(format!("{}/localnet/close", network.fact("RPC")))
        .header("content-type", "application/json")
        .send(r#"{"ledgers": 7}"#)
        .unwrap();
    assert_eq!(network.latest_ledger(), 9);
    assert_eq!(network.end(Signal::SIGINT).0, Some(0));
    let network = Running::start(&flags);
    assert_eq!(network.latest_ledger(), 9);
    assert_eq!(network.end(Signal::SIGINT).0, Some(0));
}

#[test]
fn a_port_in_use_and_a_foreign_state_file_are_clear_errors() {
    let network = Running::start(&["--port", "0"]);
    let port = network.fact("RPC").rsplit(':').next().unwrap().to_owned();
    let text = refused(&["--port", &port]);
    assert!(
        text.contains(&port) && text.contains("choose another port"),
        "{text}"
    );
    network.end(Signal::SIGTERM);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("letter.txt");
    std::fs::write(&file, "Dear Sir or Madam").unwrap();
    let text = refused(&["--port", "0", "--state", file.to_str().unwrap()]);
    assert!(text.contains("is not a state file"), "{text}");
    assert_eq!(std::fs::read(&file).unwrap(), b"Dear Sir or Madam");
}

#[test]
fn flags_that_make_no_sense_are_refused_with_what_would() {
    for (flags, hint) in [
        (["--close", "sometimes"], "on-demand"),
        (["--close", "0"], "seconds from 1 on"),
        (["--faults", "kind"], "calm, nasty"),
        (["--fault", "drop_after"], "NAME=WHEN"),
        (["--fault", "earthquake=5%"], "drop_before"),
        (["--fault", "drop_after=often"], "next:N"),
        (["--magnitude", "late_ledgers=some"], "late_ledgers=some"),
        (["--magnitude", "height=3"], "spike_fee"),
    ] {
        let text = refused(&flags);
        assert!(text.contains(hint), "{flags:?}: {text}");
    }
}

#[test]
fn listening_beyond_this_machine_is_warned_of() {
    for (host, warned) in [("127.0.0.1", false), ("0.0.0.0", true)] {
        let mut network = Running::start(&["--port", "0", "--host", host]);
        let mut said = network.child.stderr.take().unwrap();
        assert_eq!(network.end(Signal::SIGTERM).0, Some(0));
        let mut text = String::new();
        said.read_to_string(&mut text).unwrap();
        assert_eq!(text.contains("warning: this listens"), warned, "{text}");
    }
}
