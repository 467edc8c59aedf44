//! A run that was ended, and one that comes after it.

use crate::entries::ONE;
use crate::scene::{Row, csv};
use crate::world::World;

const PAYEES: [&str; 3] = ["cases.R1", "cases.R2", "cases.R3"];
const ROWS: [Row<'_>; 3] = [
    ("cases.R1", "a", "1"),
    ("cases.R2", "b", "2"),
    ("cases.R3", "c", "3"),
];

/// R3 cannot be paid yet.
fn two_paid() -> World {
    let world = World::paying();
    world.open(&PAYEES[..2]);
    world.put_account("cases.R3", 100 * ONE);
    world.file("prizes.csv", csv(&ROWS));
    world.pays(3, "prizes.csv", "may", &[]);
    world
}

#[test]
fn what_an_ended_run_did_not_pay_is_finally_not_paid_under_it() {
    let world = two_paid();
    let ran = world.close("may", &["--file", "prizes.csv", "--output", "json"]);
    assert_eq!(ran.code, Some(9), "{}", ran.talk);
    let receipts: serde_json::Value = serde_json::from_str(&ran.data).unwrap();
    let statuses: Vec<&str> = (0..3)
        .map(|row| receipts["rows"][row]["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["paid", "paid", "not_paid"]);
    assert!(ran.talk.contains("1 finally not paid"), "{}", ran.talk);

    // It could be paid now, and is not: not under this name, from whichever machine.
    world.open(&["cases.R3"]);
    let sequence = world.sequence("payout");
    for folder in ["payout-may", "elsewhere"] {
        let talk = world.pays(9, "prizes.csv", "may", &["--folder", folder]);
        assert!(talk.contains("the run has ended"), "{talk}");
    }
    // Ending it again changes nothing.
    let again = world.close("may", &["--file", "prizes.csv"]);
    assert_eq!(again.code, Some(9), "{}", again.talk);
    assert_eq!(world.sequence("payout"), sequence);
    world.proven(&PAYEES, "3");

    // Another run after it pays what is left, and nothing twice.
    world.pays(0, "prizes.csv", "june", &["--after", "may"]);
    world.proven(&PAYEES, "6");
    let receipts = world.receipts("prizes.csv", "june", &["--after", "may"]);
    assert_eq!(receipts["rows"][0]["run"], "may");
    assert_eq!(receipts["rows"][2]["run"], "june");
    // Without the journal of either, too.
    world.pays(
        0,
        "prizes.csv",
        "june",
        &["--after", "may", "--folder", "new"],
    );
    world.proven(&PAYEES, "6");
}

#[test]
fn a_run_that_goes_on_cannot_be_followed() {
    let world = two_paid();
    world.open(&["cases.R3"]);
    let sequence = world.sequence("payout");
    let talk = world.pays(6, "prizes.csv", "june", &["--after", "may"]);
    assert!(talk.contains("run may has not ended"), "{talk}");
    assert_eq!(world.sequence("payout"), sequence);
    world.proven(&PAYEES, "3");
}

#[test]
fn a_run_whose_rows_are_all_paid_ends_well() {
    let world = two_paid();
    world.open(&["cases.R3"]);
    world.pays(0, "prizes.csv", "may", &[]);
    let ran = world.close("may", &["--file", "prizes.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    world.pays(0, "prizes.csv", "may", &[]);
    // A row that comes later is not paid under an ended name.
    let more = [&ROWS[..], &[("cases.R1", "d", "4")]].concat();
    world.file("prizes.csv", csv(&more));
    world.pays(9, "prizes.csv", "may", &[]);
    world.proven(&PAYEES, "6");
}
