//! The same run again: as it was, without its folder, and with an edited file.

use crate::entries::ONE;
use crate::scene::{Row, csv};
use crate::world::World;

const PAYEES: [&str; 4] = ["cases.R1", "cases.R2", "cases.R3", "cases.R4"];
const ROWS: [Row<'_>; 3] = [
    ("cases.R1", "a", "1"),
    ("cases.R2", "b", "2"),
    ("cases.R3", "c", "3"),
];

/// Three rows are paid, in two slots.
fn paid() -> World {
    let world = World::paying();
    world.open(&PAYEES);
    world.file("prizes.csv", csv(&ROWS));
    world.pays(0, "prizes.csv", "prizes", &["--max-batch", "2"]);
    assert_eq!(world.count(), 2);
    world
}

#[test]
fn the_same_command_again_pays_nothing_also_without_its_folder() {
    let world = paid();
    let first = world.receipts("prizes.csv", "prizes", &[]);
    let sequence = world.sequence("payout");
    world.pays(0, "prizes.csv", "prizes", &[]);
    std::fs::remove_dir_all(world.folder.path().join("payout-prizes")).unwrap();
    let talk = world.pays(0, "prizes.csv", "prizes", &[]);
    assert!(talk.contains("3 paid already, 0 to pay"), "{talk}");
    assert_eq!(world.sequence("payout"), sequence);
    assert_eq!(world.receipts("prizes.csv", "prizes", &[]), first);
    // In another order, from another place, without a journal: nothing either.
    let mut rows = ROWS;
    rows.reverse();
    world.file("other.csv", csv(&rows));
    world.pays(0, "other.csv", "prizes", &["--folder", "elsewhere"]);
    assert_eq!(world.sequence("payout"), sequence);
    world.proven(&PAYEES, "6");
    // Under another name they are other obligations, if that is meant.
    let meant = ["--again", "prizes"];
    world.pays(0, "prizes.csv", "more-prizes", &meant);
    world.proven(&PAYEES, "12");
}

#[test]
fn a_renamed_id_stops_the_run_with_the_pair() {
    let world = paid();
    let renamed = [ROWS[0], ("cases.R2", "b-corrected", "2"), ROWS[2]];
    world.file("prizes.csv", csv(&renamed));
    let sequence = world.sequence("payout");
    for more in [&[][..], &["--dry-run"]] {
        let talk = world.pays(6, "prizes.csv", "prizes", more);
        let address = crate::world::address("cases.R2");
        for says in ["--also", "row 3 (b-corrected)", &address, "slot 0"] {
            assert!(talk.contains(says), "{says} is not in: {talk}");
        }
    }
    assert_eq!(world.sequence("payout"), sequence);
    world.proven(&PAYEES, "6");
    // Another id's yes does not do; its own does.
    world.pays(6, "prizes.csv", "prizes", &["--also", "c"]);
    world.pays(0, "prizes.csv", "prizes", &["--also", "b-corrected"]);
    assert_eq!(world.balance("cases.R2"), 4 * ONE);
    world.proven(&PAYEES, "8");
}

#[test]
fn removed_and_altered_rows_are_told_and_new_ones_are_paid() {
    let world = paid();
    let edited = [("cases.R1", "a", "100"), ROWS[2], ("cases.R4", "d", "4")];
    world.file("prizes.csv", csv(&edited));
    // Not 0: the file asks for something that was not paid.
    let talk = world.pays(3, "prizes.csv", "prizes", &[]);
    for says in [
        "was edited after it was paid: a: 1 USDC",
        "and the file says 100 USDC",
        "was paid and is not in the file: reference",
        "2 USDC",
    ] {
        assert!(talk.contains(says), "{says} is not in: {talk}");
    }
    assert_eq!(world.balance("cases.R1"), ONE);
    assert_eq!(world.balance("cases.R4"), 4 * ONE);
    world.proven(&PAYEES, "10");
    // What was paid is in the receipts as it was paid.
    let receipts = world.receipts("prizes.csv", "prizes", &[]);
    assert_eq!(receipts["rows"][0]["amount"], "1");
    assert_eq!(receipts["rows"][3]["reason"], "its id is not in the file");
}

/// Ids that are row numbers, and a row put in at the top: every paid id says something else now, and the
/// last one is new, with wallet and amount of one that was paid.
#[test]
fn rows_numbered_anew_are_not_paid_again() {
    let world = World::paying();
    world.open(&PAYEES);
    world.file(
        "prizes.csv",
        csv(&[
            ("cases.R1", "1", "1"),
            ("cases.R2", "2", "2"),
            ("cases.R3", "3", "3"),
        ]),
    );
    world.pays(0, "prizes.csv", "prizes", &[]);
    world.file(
        "prizes.csv",
        csv(&[
            ("cases.R4", "1", "4"),
            ("cases.R1", "2", "1"),
            ("cases.R2", "3", "2"),
            ("cases.R3", "4", "3"),
        ]),
    );
    world.pays(6, "prizes.csv", "prizes", &[]);
    world.proven(&PAYEES, "6");
}

/// Rows that could not be paid go to a file that is run again under the same name.
#[test]
fn the_left_out_file_pays_exactly_the_rest() {
    let world = World::paying();
    world.open(&PAYEES[..2]);
    world.put_account("cases.R3", 100 * ONE);
    let mut text = csv(&ROWS);
    text += &csv(&[("cases.R4", "=d", "4,0")]).replace("walletAddress,id,amount\n", "");
    world.file("prizes.csv", text.replace("4,0", "\"4,0\""));
    world.pays(3, "prizes.csv", "prizes", &[]);
    world.proven(&PAYEES, "3");
    let path = world.folder.path().join("payout-prizes/left-out.csv");
    let left = std::fs::read_to_string(&path).unwrap();
    let mut reader = csv::Reader::from_reader(left.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cells = |row: &csv::StringRecord| (row[1].to_owned(), row[2].to_owned());
    assert_eq!(cells(&rows[0]), ("c".into(), "3".into()));
    assert!(rows[0][5].contains("has no trustline"), "{left}");
    // As it was in the file, or it would be another obligation.
    assert_eq!(cells(&rows[1]), ("=d".into(), "4,0".into()));
    assert_eq!(&rows[1][5], "amount_not_decimal");

    // Both are put right, the second in the file.
    world.open(&PAYEES[2..]);
    std::fs::write(&path, left.replace("\"4,0\"", "4.0")).unwrap();
    let talk = world.pays(0, "payout-prizes/left-out.csv", "prizes", &[]);
    world.proven(&PAYEES, "10");
    // Its papers are the run's, with what was paid before it, and it is gone itself.
    assert!(
        !path.exists() && talk.contains("so it was removed"),
        "{talk}"
    );
    assert!(!path.with_file_name("payout-prizes").exists());
    let receipts = std::fs::read(path.with_file_name("receipts.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(receipts.as_slice());
    let mut paid: Vec<(String, String)> = reader
        .records()
        .map(Result::unwrap)
        .map(|row| (row[1].to_owned(), row[2].to_owned()))
        .collect();
    paid.sort();
    let all = ["'=d", "a", "b", "c"].map(|id| (id.to_owned(), "paid".to_owned()));
    assert_eq!(paid, all);
    // And the whole file finds everything paid but the row that is still wrong in it.
    world.pays(3, "prizes.csv", "prizes", &[]);
    world.proven(&PAYEES, "10");
}
