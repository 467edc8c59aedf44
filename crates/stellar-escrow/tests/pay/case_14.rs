//! Case 14: two machines with one file and one run name, and no journal in common.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::scene::csv;
use crate::world::World;

/// Each id with the transaction that paid it.
fn transactions(receipts: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let rows = receipts["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        assert_eq!(row["status"], "paid", "{row}");
        (
            text(&row["id"]).unwrap(),
            text(&row["transaction"]).unwrap(),
        )
    })
    .collect()
}

#[test]
fn a_hundred_and_twenty_ids_are_paid_once_by_two_machines() {
    let world = World::paying();
    world.fund("lane");
    let names: Vec<String> = (0..120).map(|number| format!("many.{number:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    world.open(&names);
    let rows: Vec<_> = names.iter().map(|name| (*name, *name, "5")).collect();
    world.file("many.csv", csv(&rows));
    for (round, run) in ["first", "second", "third"].into_iter().enumerate() {
        let on = |machine: &str, lane: &[&str]| {
            // Each round is meant to pay everybody once more.
            let meant = ["--again", "first", "--again", "second"];
            let more = ["--max-batch", "20", "--output", "json"];
            let more = [&more[..], &meant, lane].concat();
            let folder = format!("{machine}-{run}");
            world.start_paying(
                "many.csv",
                run,
                &[&["--folder", &folder], &more[..]].concat(),
            )
        };
        let machines = [on("one", &[]), on("two", &["--lane", "lane"])];
        let told = machines.map(|machine| {
            let ran = machine.end();
            assert_eq!(ran.code, Some(0), "{}", ran.talk);
            transactions(&serde_json::from_str(&ran.data).unwrap())
        });
        // Both tell of the same transactions, whoever sent them.
        assert_eq!(told[0].len(), 120);
        assert_eq!(told[0], told[1]);
        let paid = 5 * i64::try_from(round + 1).unwrap() * crate::entries::ONE;
        for name in &names {
            assert_eq!(world.balance(name), paid, "{name}");
        }
        assert_eq!(world.count(), 6 * (round as u64 + 1));
    }
    let contract = world.fact("total_paid");
    assert_eq!(contract, "1800");
}
