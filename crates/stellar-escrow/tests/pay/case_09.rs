//! Case 09: amounts that a float or a narrow column would change.

use crate::scene::csv;
use crate::world::World;

/// What the file says, and the units that it means.
const AMOUNTS: [(&str, &str, i64); 3] = [
    ("cases.R1", "0.0000021", 21),
    ("cases.R2", "900719925.4740993", 9_007_199_254_740_993),
    ("cases.R3", "90071992547.4099301", 900_719_925_474_099_301),
];

#[test]
fn every_unit_is_on_chain_and_in_every_output() {
    let world = World::paying();
    world.lock(100_000_000_000);
    world.open(&["cases.R1", "cases.R2", "cases.R3"]);
    let rows = AMOUNTS.map(|(name, text, _)| (name, name, text));
    world.file("numbers.csv", csv(&rows));
    let ran = world.pay("numbers.csv", "numbers", &["--output", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    let printed: serde_json::Value = serde_json::from_str(&ran.data).unwrap();
    let again = world.receipts("numbers.csv", "numbers", &[]);
    let folder = world.folder.path().join("payout-numbers");
    let kept = std::fs::read(folder.join("receipts.json")).unwrap();
    let kept: serde_json::Value = serde_json::from_slice(&kept).unwrap();
    let mut reader = csv::Reader::from_path(folder.join("receipts.csv")).unwrap();
    let table: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();

    let mut sum = 0_i128;
    for (at, (name, text, units)) in AMOUNTS.into_iter().enumerate() {
        assert_eq!(world.balance(name), units);
        for receipts in [&printed, &again, &kept] {
            // Texts, because a reader's number may be a float.
            assert_eq!(receipts["rows"][at]["units"], units.to_string());
            assert_eq!(receipts["rows"][at]["amount"], text);
            assert_eq!(
                receipts["slots"][0]["lines"][at]["units"],
                units.to_string()
            );
        }
        assert_eq!((&table[at][4], &table[at][5]), (text, &*units.to_string()));
        sum += i128::from(units);
    }
    assert_eq!(again["slots"][0]["total"], sum.to_string());
    assert!(ran.talk.contains("90972712472.8840315"), "{}", ran.talk);
    world.proven(&["cases.R1", "cases.R2", "cases.R3"], "90972712472.8840315");
}

#[test]
fn places_that_the_token_does_not_have_are_refused_and_zeros_are_not() {
    let world = World::paying();
    world.open(&["cases.R1", "cases.R2"]);
    let rows = [
        ("cases.R1", "fine", "1.20000000000"),
        ("cases.R2", "finer", "1.20000001"),
    ];
    world.file("places.csv", csv(&rows));
    let talk = world.pays(3, "places.csv", "places", &[]);
    assert!(talk.contains("row 3 (finer): amount_precision"), "{talk}");
    world.proven(&["cases.R1", "cases.R2"], "1.2");
}
