//! A slot that the node has forgotten is explained by receipts of the machine that paid it, or not at
//! all.

use localnet::Config;

use crate::scene::{Row, csv};
use crate::world::{World, at_once};

const PAYEES: [&str; 3] = ["cases.R1", "cases.R2", "cases.R3"];
const ROWS: [Row<'_>; 3] = [
    ("cases.R1", "a", "1"),
    ("cases.R2", "b", "2"),
    ("cases.R3", "c", "3"),
];

#[test]
fn a_forgotten_slot_is_explained_by_receipts_or_stops_the_run() {
    let world = World::paying_on(Config {
        retention: 20,
        ..at_once()
    });
    world.open(&PAYEES);
    world.file("prizes.csv", csv(&ROWS[..2]));
    world.pays(0, "prizes.csv", "prizes", &["--folder", "one"]);
    let receipts = world.receipts("prizes.csv", "prizes", &["--folder", "one"]);
    let ledger = receipts["slots"][0]["ledger"].to_string();
    let key = receipts["slots"][0]["key"].as_str().unwrap();
    world.localnet.close_ledgers(50).unwrap();

    // Another machine with a file that has changed: nothing of it reproduces what was paid.
    world.file("edited.csv", csv(&[ROWS[0], ROWS[2]]));
    let sequence = world.sequence("payout");
    let talk = world.pays(6, "edited.csv", "prizes", &["--folder", "two"]);
    let total = "30000000";
    for says in ["slot 0", &ledger, total, key, "receipts"] {
        assert!(talk.contains(says), "{says} is not in: {talk}");
    }
    // Nor can the run be ended: it would not be known what is not paid.
    let close = ["--file", "edited.csv", "--folder", "two"];
    let ran = world.close("prizes", &close);
    assert_eq!(ran.code, Some(6), "{}", ran.talk);
    assert_eq!(world.sequence("payout"), sequence);
    world.proven(&PAYEES, "3");

    // Receipts of another run explain nothing, and a file of something else is refused.
    world.file("other.json", "{\"run\": \"prizes\"}");
    let other = ["--folder", "two", "--receipts", "other.json"];
    world.pays(4, "edited.csv", "prizes", &other);
    let text = std::fs::read_to_string(world.folder.path().join("one/receipts.json")).unwrap();
    // A list that was tampered with says nothing.
    world.file("forged.json", text.replace("\"10000000\"", "\"10000001\""));
    let forged = ["--folder", "two", "--receipts", "forged.json"];
    world.pays(6, "edited.csv", "prizes", &forged);

    let honest = ["--folder", "two", "--receipts", "one/receipts.json"];
    let talk = world.pays(0, "edited.csv", "prizes", &honest);
    assert!(talk.contains("was paid and is not in the file"), "{talk}");
    world.proven(&PAYEES, "6");
    // The machine that paid it has its journal, and the file as it was explains it, too.
    world.file("prizes.csv", csv(&ROWS));
    world.pays(0, "prizes.csv", "prizes", &["--folder", "one"]);
    world.pays(0, "prizes.csv", "prizes", &["--folder", "three"]);
    world.proven(&PAYEES, "6");
}
