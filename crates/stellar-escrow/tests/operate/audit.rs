//! `audit` as an auditor runs it, after a paid run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::world::{Ran, World, address};

const PEOPLE: [(&str, &str); 5] = [
    ("ann", "12.5"),
    ("ben", "7"),
    ("cem", "0.0000021"),
    ("dana", "100"),
    ("edo", "3"),
];

/// A run of five rows, paid two at a time; what it owes is in `owed.csv`.
fn paid() -> World {
    let world = World::with_escrow();
    world.json("sponsor", &["lock", "500"]);
    world.json("admin", &["publish"]);
    let mut file = "walletAddress,id,amount,paymentID,walletAddressMemo\n".to_owned();
    let mut owed = "id,key,recipient,amount\n".to_owned();
    for (name, amount) in PEOPLE {
        world.fund(name);
        world.trust(name);
        let wallet = address(name);
        writeln!(file, "{wallet},{name},{amount},,").unwrap();
        writeln!(owed, "{name},,{wallet},{amount}").unwrap();
    }
    fs::write(world.folder.path().join("prizes.csv"), file).unwrap();
    fs::write(world.folder.path().join("owed.csv"), owed).unwrap();
    let pay = [
        "pay",
        "prizes.csv",
        "--run",
        "may",
        "--max-batch",
        "2",
        "--poll",
        "20",
    ];
    let ran = world.act("payout", &pay);
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    world
}

fn audit(world: &World, arguments: &[&str]) -> Ran {
    let mut all = vec!["audit", "--id", "escrow"];
    all.extend(arguments);
    world.run(&all)
}

fn verdict(ran: &Ran) -> Value {
    let report: Value = serde_json::from_str(&ran.data)
        .unwrap_or_else(|error| panic!("{error}: {} {}", ran.data, ran.talk));
    json!([report["verdict"], ran.code])
}

const OWED: [&str; 6] = [
    "--obligations",
    "owed.csv",
    "--run",
    "may",
    "--decimals",
    "7",
];

#[test]
fn a_paid_run_is_clean_by_events_by_its_keys_and_by_both() {
    let world = paid();
    let keys = world.run(&[
        "receipts",
        "prizes.csv",
        "--run",
        "may",
        "--id",
        "escrow",
        "--output",
        "csv",
    ]);
    assert_eq!(keys.code, Some(0), "{}", keys.talk);
    fs::write(world.folder.path().join("keys.csv"), keys.data).unwrap();
    let json = ["--output", "json"];
    let events = [&["--archive", "events"][..], &OWED, &json].concat();
    let by_events = audit(&world, &events);
    assert_eq!(
        verdict(&by_events),
        json!(["clean", 0]),
        "{}",
        by_events.data
    );
    let by_keys = audit(&world, &[&["--keys", "keys.csv"][..], &json].concat());
    assert_eq!(verdict(&by_keys), json!(["clean", 0]), "{}", by_keys.data);
    let both = audit(&world, &[&["--keys", "keys.csv"][..], &events].concat());
    assert_eq!(verdict(&both), json!(["clean", 0]), "{}", both.data);
    let report: Value = serde_json::from_str(&both.data).unwrap();
    assert_eq!(report["scope"]["state"]["payout_count"], json!(3));
    assert_eq!(report["scope"]["state"]["total_paid"], json!("1225000021"));
    assert!(report["scope"]["code_hash"].is_string());
}

#[test]
fn every_answer_has_its_exit_code() {
    let world = paid();
    let archived = audit(
        &world,
        &[
            "--archive",
            "events",
            "--html",
            "report.html",
            "--output",
            "csv",
        ],
    );
    assert_eq!(archived.code, Some(0), "{}", archived.talk);
    assert!(
        archived.data.starts_with("kind,id,outcome"),
        "{}",
        archived.data
    );
    let page = fs::read_to_string(world.folder.path().join("report.html")).unwrap();
    assert!(page.contains("<strong>clean</strong>"));

    let silent = audit(&world, &["--archive", "events", "--offline"]);
    assert_eq!(silent.code, Some(10), "{}", silent.data);
    assert!(silent.data.contains("silent after it"), "{}", silent.data);

    let owed = world.folder.path().join("owed.csv");
    let text = fs::read_to_string(&owed).unwrap();
    for (from, to, code) in [
        (",7\n", ",8\n", 51),
        (&*format!("ben,,{},7\n", address("ben")), "", 52),
        ("dana,,", "dora,,", 52),
    ] {
        fs::write(&owed, text.replacen(from, to, 1)).unwrap();
        let ran = audit(&world, &[&["--archive", "events"][..], &OWED].concat());
        assert_eq!(ran.code, Some(code), "{from:?}: {}", ran.data);
    }
    fs::write(&owed, text + "late,,nobody,5\n").unwrap();
    let wrong = audit(&world, &[&["--archive", "events"][..], &OWED].concat());
    assert_eq!((wrong.code, &*wrong.data), (Some(1), ""));
    assert!(wrong.talk.contains("line 7"), "{}", wrong.talk);

    let other = world.folder.path().join("events");
    let whole = fs::read(&other).unwrap();
    let mut broken = whole.clone();
    broken[200] ^= 1;
    fs::write(&other, &broken).unwrap();
    let ran = audit(&world, &["--archive", "events"]);
    assert_eq!((ran.code, &*ran.data), (Some(40), ""));
    assert!(ran.talk.contains("broken at record 1"), "{}", ran.talk);
    assert_eq!(fs::read(&other).unwrap(), broken);
}

#[test]
fn a_code_that_was_not_named_is_refuted() {
    let world = paid();
    let code = world.fact("wasm_hash");
    let named = audit(
        &world,
        &["--archive", "events", "--code-hash", code.as_str().unwrap()],
    );
    assert_eq!(named.code, Some(0), "{}", named.data);
    let other = "00".repeat(32);
    let ran = audit(&world, &["--archive", "events", "--code-hash", &other]);
    assert_eq!(ran.code, Some(34), "{}", ran.data);
    let wrong = audit(&world, &["--archive", "events", "--code-hash", "beef"]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.talk);
}

#[test]
fn every_check_is_explained_without_a_network() {
    let world = World::start();
    let all = world.run(&["audit", "--explain", "all"]);
    assert_eq!(all.code, Some(0), "{}", all.talk);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/audit.md");
    let page = fs::read_to_string(page).unwrap();
    for line in all.data.lines().filter(|line| line.contains("(exit code")) {
        let (id, rest) = line.split_once(" (exit code ").unwrap();
        let code = rest.trim_end_matches(')');
        assert!(
            page.contains(&format!("| {id} | {code} |")),
            "docs/audit.md lacks {line}"
        );
    }
    let one = world.run(&["audit", "--explain", "paid-once"]);
    assert!(one.data.contains("It does not prove: "), "{}", one.data);
    let none = world.run(&["audit", "--explain", "NO-SUCH"]);
    assert_eq!(none.code, Some(1));
    assert!(none.talk.contains("PAID-ONCE"), "{}", none.talk);
}
