//! `--check`: the rows by themselves.

use std::path::Path;

use serde_json::Value;

use crate::world::World;

fn testdata(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    folder.join(name).to_str().unwrap().to_owned()
}

/// As csv and as people's lines: one file, one verdict a row, no network.
#[test]
fn the_difficult_file_is_judged_byte_for_byte_as_agreed() {
    let world = World::start();
    let difficult = testdata("difficult.csv");
    let ran = world.run(&["pay", "--check", &difficult, "--output", "csv"]);
    assert_eq!(ran.code, Some(3), "{}", ran.talk);
    let expected = std::fs::read_to_string(testdata("difficult.expected.csv")).unwrap();
    assert_eq!(ran.data, expected);

    let ran = world.run(&["pay", "--check", &difficult, "--output", "json"]);
    assert_eq!(ran.code, Some(3));
    let rows: Vec<Value> = serde_json::from_str(&ran.data).unwrap();
    let reasons = rows.iter().map(|row| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        format!("{},{},{}", row["row"], text("verdict"), text("reason"))
    });
    let mut reader = csv::Reader::from_reader(expected.as_bytes());
    let wanted = reader.records().map(|record| {
        let record = record.unwrap();
        format!("{},{},{}", &record[0], &record[2], &record[3])
    });
    assert!(reasons.eq(wanted), "{}", ran.data);
}

#[test]
fn what_cannot_be_read_ends_with_its_own_code() {
    let world = World::start();
    let check = |file: &str| world.run(&["pay", "--check", file, "--output", "csv"]);
    world.file("binary.csv", b"walletAddress,id,amount\n\xff\xfe,a,1\n");
    world.file("few.csv", "walletAddress,amount\n");
    world.file("almost.csv", "wallet_address,id,amount\n");
    world.file("open.csv", "walletAddress,id,amount\n\"G,a,1\n");
    for (file, says) in [
        ("nowhere.csv", "nowhere.csv cannot be read"),
        ("binary.csv", "not UTF-8"),
        ("few.csv", "column id is missing"),
        ("almost.csv", "looks like walletAddress"),
        ("open.csv", "quotation marks"),
    ] {
        let ran = check(file);
        assert_eq!(ran.code, Some(4), "{file}: {}", ran.talk);
        assert!(ran.talk.contains(says), "{file}: {}", ran.talk);
        assert_eq!(ran.data, "", "{file}");
    }
    world.file("good.csv", crate::scene::csv(&[("cases.R1", "a", "5.0")]));
    assert_eq!(check("good.csv").code, Some(0));
}
