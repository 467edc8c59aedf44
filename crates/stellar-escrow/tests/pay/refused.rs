//! What is wrong is named before anything is signed: no sequence number is used, and no journal has
//! an envelope.

use payout_keys::ContractId;

use crate::scene::csv;
use crate::world::{World, address, key, read, wasm};

const FILE: &str = "one.csv";

fn scene() -> World {
    let world = World::paying();
    world.open(&["cases.R1"]);
    world.file(FILE, csv(&[("cases.R1", "one", "5")]));
    world
}

/// Pays under the run `run`, which has to end with `code`, say all of `says`, and leave nothing behind.
fn refused(world: &World, code: i32, run: &str, more: &[&str], says: &[&str]) {
    let lumens = || world.xlm(key("payout").address());
    let before = (world.sequence("payout"), lumens());
    let signed = world.envelopes(&format!("payout-{run}")).len();
    let talk = world.pays(code, FILE, run, more);
    for says in says {
        assert!(talk.contains(says), "{says} is not in: {talk}");
    }
    assert_eq!((world.sequence("payout"), lumens()), before);
    assert_eq!(world.envelopes(&format!("payout-{run}")).len(), signed);
}

#[test]
fn another_network_or_contract_is_named() {
    let world = scene();
    let contract = world.fact("contract").as_str().unwrap().to_owned();
    let other = "Test SDF Network ; September 2015";
    let elsewhere = ["--network-passphrase", other, "--id", &contract];
    refused(&world, 1, "a", &elsewhere, &[other, "Standalone"]);
    let nobody = ContractId([7; 32]).to_string();
    refused(
        &world,
        1,
        "b",
        &["--id", &nobody],
        &[&nobody, "no contract"],
    );
    let token = world.fact("token_contract").as_str().unwrap().to_owned();
    refused(
        &world,
        1,
        "c",
        &["--id", &token],
        &[&token, "not a program escrow"],
    );
    let nowhere = ["--rpc-url", "http://127.0.0.1:9"];
    refused(&world, 1, "d", &nowhere, &["no answer from the node"]);
    world.proven(&["cases.R1"], "0");
}

#[test]
fn code_that_is_not_the_pinned_one_is_not_paid_from() {
    let world = scene();
    let pinned = world.fact("wasm_hash").as_str().unwrap().to_owned();
    world.pays(0, FILE, "pins", &[]);
    let next = wasm("v2");
    world.json("admin", &["upgrade", "--wasm", next.to_str().unwrap()]);
    let found = world.fact("wasm_hash").as_str().unwrap().to_owned();
    let rows = [("cases.R1", "one", "5"), ("cases.R1", "two", "6")];
    world.file(FILE, csv(&rows));
    for more in [&[][..], &["--dry-run"]] {
        refused(&world, 1, "pins", more, &["code", &pinned, &found]);
    }
    world.proven(&["cases.R1"], "5");
    // The old code again: the same run goes on.
    world.json("admin", &["upgrade", "--wasm-hash", &pinned]);
    world.pays(0, FILE, "pins", &[]);
    world.proven(&["cases.R1"], "11");
}

#[test]
fn a_journal_of_another_escrow_is_not_used() {
    let world = scene();
    world.pays(0, FILE, "ours", &[]);
    let ours = world.fact("contract").as_str().unwrap().to_owned();
    let wasm_file = wasm("program_escrow");
    let token = format!("USDC:{}", address("issuer"));
    let made = world.json(
        "admin",
        &[
            "deploy",
            "--wasm",
            wasm_file.to_str().unwrap(),
            "--program-id",
            "hackathon-2027",
            "--token",
            &token,
            "--payout-key",
            "payout",
            "--alias",
            "next",
        ],
    );
    let theirs = made["contract"].as_str().unwrap();
    refused(&world, 1, "ours", &["--id", "next"], &[&ours, theirs]);
}

#[test]
fn brakes_and_states_are_named_with_who_can_change_them() {
    let world = World::with_escrow();
    world.open(&["cases.R1"]);
    world.file(FILE, csv(&[("cases.R1", "one", "5")]));
    world.json("sponsor", &["lock", "100"]);
    refused(&world, 7, "run", &[], &["the program is Draft"]);
    world.json("admin", &["publish"]);
    world.json("admin", &["pause", "--payout"]);
    for more in [&[][..], &["--dry-run"]] {
        refused(&world, 7, "run", more, &["payouts are paused", "unpauses"]);
    }
    world.json("admin", &["unpause"]);
    world.json("admin", &["trip", "--reason", "two a minute"]);
    let says = ["circuit breaker is open", "two a minute", &address("admin")];
    refused(&world, 7, "run", &[], &says);
    world.json("admin", &["reset"]);
    world.file(FILE, csv(&[("cases.R1", "one", "101")]));
    refused(
        &world,
        7,
        "run",
        &[],
        &["has 100 left, and 101 are to be paid"],
    );
    world.json("admin", &["close"]);
    refused(&world, 7, "run", &[], &["the program is Closed"]);
    world.proven(&["cases.R1"], "0");
}

#[test]
fn who_may_not_pay_and_who_has_no_lumens_is_named() {
    let world = scene();
    // The later flag counts.
    let mut command = world.command(&["pay", FILE, "--run", "who", "--yes", "--poll", "20"]);
    command
        .args(["--source", "stranger"])
        .env("STELLAR_CONTRACT_ID", "escrow");
    let before = world.sequence("stranger");
    let ran = read(&command.output().unwrap());
    assert_eq!(ran.code, Some(7), "{}", ran.talk);
    for says in ["may not pay", &address("stranger"), &address("payout")] {
        assert!(ran.talk.contains(says), "{}", ran.talk);
    }
    assert_eq!(world.sequence("stranger"), before);
    assert!(world.envelopes("payout-who").is_empty());

    world.identity("nobody");
    let says = [&*address("nobody"), "does not exist", "fund it"];
    refused(&world, 7, "who", &["--lane", "nobody"], &says);
    // One lumen is the reserve, so nothing of it can be spent.
    world.identity("poor");
    world.put_account("poor", 15_000_000);
    let says = [&*address("poor"), "can spend 0 stroops", "send it XLM"];
    refused(&world, 7, "who", &["--lane", "poor"], &says);
    world.pays(0, FILE, "who", &[]);
    world.proven(&["cases.R1"], "5");
}

#[test]
fn without_a_yes_nothing_is_signed() {
    let world = scene();
    let mut command = world.command(&["pay", FILE, "--run", "ask", "--source", "payout"]);
    command.env("STELLAR_CONTRACT_ID", "escrow");
    let ran = read(&command.output().unwrap());
    assert_eq!(ran.code, Some(1), "{}", ran.talk);
    assert!(ran.talk.contains("--yes"), "{}", ran.talk);
    assert!(world.envelopes("payout-ask").is_empty());
    world.proven(&["cases.R1"], "0");
}
