//! The costs of every kind of call, as a golden file. `docs/costs.md` explains it.
//!
//! With the tools that the file names, it is compared exactly; with others within 3%, and entries,
//! emitted and read bytes still exactly. `UPDATE_GOLDEN=1 cargo test costs` writes it anew.

use std::fmt::Write as _;
use std::string::{String as StdString, ToString};
use std::vec::Vec as StdVec;

use soroban_sdk::{Val, Vec};

use super::network::Cost;
use super::scene::{Kind, Plan, Scene, TYPICAL, WORST};
use crate::tests::setup::args;
use crate::tests::wasm;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/golden/costs.txt");
/// As long as the recommended format makes it.
const KEY: &str = "hackathon-2026-batch-GABC1234-60r-9b8c7d6e5f4a3b2c";

#[test]
fn costs_are_as_agreed() {
    let table = table();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, table).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    compare(&golden, &table).unwrap_or_else(|difference| {
        panic!("{difference}\n\nIf that is meant, UPDATE_GOLDEN=1 writes the file anew.\n{table}")
    });
}

#[test]
fn another_cost_does_not_pass_for_the_golden_one() {
    let row = |instructions: u32, entries: u32| {
        std::format!("call {instructions} 9 {entries} 1 1 1 1 1 1 1 2")
    };
    let with = |tool: &str, row: &str| std::format!("# rustc {tool}\n{row}\n");
    let golden = with("1", &row(1_000, 4));
    assert!(compare(&golden, &golden).is_ok());
    assert!(compare(&golden, &with("1", &row(1_001, 4))).is_err());
    assert!(compare(&golden, &with("2", &row(1_030, 4))).is_ok());
    assert!(compare(&golden, &with("2", &row(1_031, 4))).is_err());
    assert!(compare(&golden, &with("2", &row(1_000, 5))).is_err());
    assert!(compare(&golden, &with("1", "")).is_err());
}

fn table() -> StdString {
    let built = wasm::built_with("program_escrow");
    let tool = |name: &str| -> StdString {
        let (_, rest) = built.split_once(&std::format!("\"{name}\": \"")).unwrap();
        rest.split_once('"').unwrap().0.into()
    };
    let mut text = StdString::new();
    for name in ["rustc", "stellar_cli", "wasm_opt"] {
        writeln!(text, "# {name} {}", tool(name)).unwrap();
    }
    writeln!(
        text,
        "# Fees in stroops at mainnet's rates of 2026-07-10, rent at 12,000 a kilobyte (an upper bound).\n\
         # accounts: classic, with trustline; contracts: hold the asset already; new-contracts: do not.\n\
         # replay, conflict: of 60 accounts; worst: 12-letter asset, 256-byte key, 64-byte program id.\n"
    )
    .unwrap();
    let head = [
        "call",
        "instructions",
        "footprint",
        "writes",
        "disk-reads",
        "read-bytes",
        "write-bytes",
        "emitted",
        "tx-bytes",
        "rent",
        "rest",
        "fee",
    ];
    line(&mut text, &head.map(StdString::from));
    for (name, cost) in rows() {
        let numbers = numbers(&cost).map(|number| number.to_string());
        let cells: StdVec<StdString> = std::iter::once(name).chain(numbers).collect();
        line(&mut text, &cells);
    }
    text
}

fn numbers(cost: &Cost) -> [i64; 11] {
    [
        cost.instructions.into(),
        cost.footprint.into(),
        cost.write_entries.into(),
        cost.disk_read_entries.into(),
        cost.disk_read_bytes.into(),
        cost.write_bytes.into(),
        cost.emitted.into(),
        cost.transaction.into(),
        cost.rent,
        cost.rest,
        cost.rent + cost.rest,
    ]
}

fn line(text: &mut StdString, cells: &[StdString]) {
    write!(text, "{:<24}", cells[0]).unwrap();
    for cell in &cells[1..] {
        write!(text, " {cell:>12}").unwrap();
    }
    text.push('\n');
}

fn rows() -> StdVec<(StdString, Cost)> {
    let mut rows = std::vec![];
    for (kind, name) in [
        (Kind::Account, "accounts"),
        (Kind::Contract, "contracts"),
        (Kind::NewContract, "new-contracts"),
    ] {
        let scene = Scene::new(Plan { kind, ..TYPICAL });
        for count in [1, 10, 60] {
            let args = batch(&scene, KEY, count);
            let invocation = scene.invoke("batch_payout_idempotent", &args);
            rows.push((std::format!("batch-{count}-{name}"), invocation.cost));
        }
    }
    let scene = Scene::new(TYPICAL);
    let (recipients, amounts) = scene.rows(60);
    let one = args![
        scene,
        text(&scene, KEY),
        recipients.get_unchecked(0),
        237_500_000i128
    ];
    rows.push((
        "single-account".into(),
        scene.invoke("single_payout_idempotent", &one).cost,
    ));
    let void = args![scene, scene.payout_key, text(&scene, KEY)];
    rows.push((
        "void".into(),
        scene.invoke("void_idempotency_key", &void).cost,
    ));

    scene
        .client()
        .batch_payout_idempotent(&text(&scene, KEY), &recipients, &amounts);
    let replay = scene.invoke("batch_payout_idempotent", &batch(&scene, KEY, 60));
    rows.push(("replay".into(), replay.cost));
    let conflict = scene.invoke("batch_payout_idempotent", &batch(&scene, KEY, 59));
    rows.push(("conflict".into(), conflict.cost));

    let scene = Scene::new(WORST);
    let args = batch(&scene, &"k".repeat(256), 60);
    rows.push((
        "batch-60-worst".into(),
        scene.invoke("batch_payout_idempotent", &args).cost,
    ));
    rows
}

fn text(scene: &Scene, text: &str) -> soroban_sdk::String {
    soroban_sdk::String::from_str(&scene.env, text)
}

fn batch(scene: &Scene, key: &str, count: u32) -> Vec<Val> {
    let (recipients, amounts) = scene.rows(count);
    args![scene, text(scene, key), recipients, amounts]
}

/// Compares two tables; the tools they name decide how exactly.
fn compare(golden: &str, now: &str) -> Result<(), StdString> {
    let tools = |text: &str| -> StdVec<StdString> {
        let named = |line: &&str| {
            ["# rustc", "# stellar_cli", "# wasm_opt"]
                .iter()
                .any(|tool| line.starts_with(tool))
        };
        text.lines().filter(named).map(StdString::from).collect()
    };
    let body = |text: &str| -> StdVec<StdVec<StdString>> {
        text.lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .map(|line| line.split_whitespace().map(StdString::from).collect())
            .collect()
    };
    let same_tools = tools(golden) == tools(now);
    let (golden, now) = (body(golden), body(now));
    if golden.len() != now.len() {
        return Err("the table has other rows".into());
    }
    for (was, is) in golden.iter().zip(&now) {
        if was.len() != is.len() {
            return Err(std::format!("{was:?} became {is:?}"));
        }
        for (column, (before, after)) in was.iter().zip(is).enumerate() {
            // Name, footprint, writes, reads, read and emitted bytes do not depend on the compiler.
            let compiled = [1, 6, 9, 10, 11].contains(&column);
            let close = || -> Option<bool> {
                let (before, after): (i64, i64) = (before.parse().ok()?, after.parse().ok()?);
                Some((after - before).abs() * 100 <= before * 3)
            };
            if before != after && (same_tools || !compiled || close() != Some(true)) {
                return Err(std::format!("{}: {before} became {after}", was[0]));
            }
        }
    }
    Ok(())
}
