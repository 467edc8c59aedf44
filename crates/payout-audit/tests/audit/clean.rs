//! What can be said with less: events alone, a list alone, a range that begins late.

use payout_audit::audit::{Auditor, Beside, Questions};
use payout_audit::checks::{self, About, Coverage};
use payout_audit::report::Report;
use payout_audit::{Outcome, Verdict};

use crate::case::{Case, assert_clean, caught, list};
use crate::support::write;

fn alone(case: &Case, to: Option<u32>) -> Report {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    write(&path, &case.subject, &case.sheets, "node.example");
    let questions = Questions {
        to,
        ..Questions::default()
    };
    let mut auditor = Auditor::new(&case.subject, questions);
    auditor.archive(&path).expect("it is read");
    auditor.finish(Beside::default())
}

#[test]
fn events_alone_prove_a_range_that_was_asked_for() {
    assert_clean(&alone(&Case::new(), Some(20)));
}

#[test]
fn events_alone_do_not_prove_their_own_end() {
    let report = alone(&Case::new(), None);
    assert_eq!(report.verdict, Verdict::Undetermined);
    assert_eq!(caught(&report), ["COVERAGE"]);
    let text = report.headline();
    assert!(
        text.contains("verified up to ledger 20, silent after it"),
        "{text}"
    );
}

#[test]
fn a_range_beyond_the_archive_is_not_proven() {
    let report = alone(&Case::new(), Some(21));
    assert_eq!((report.verdict, report.code()), (Verdict::Undetermined, 10));
}

#[test]
fn state_and_events_prove_without_a_list() {
    let mut case = Case::new();
    case.list = None;
    assert_clean(&case.audit(&[]));
}

#[test]
fn a_list_proves_without_any_event() {
    let case = Case::new();
    let chain = case.chain.clone().expect("a chain");
    let keys = list(&["k0", "k1", "k2", "k3", "k4", "k5", "never-used"]);
    let end = |keys| {
        Auditor::new(&case.subject, Questions::default()).finish(Beside {
            chain: Some(&chain),
            list: Some(keys),
            codes: &case.codes,
            nodes: Vec::new(),
        })
    };
    let report = end(&keys);
    assert_clean(&report);
    assert_eq!(report.outcome("TRANSFERS"), Some(Outcome::NotAsked));
    let short = list(&["k0", "k1", "k2", "k5"]);
    let report = end(&short);
    assert_eq!((report.verdict, report.code()), (Verdict::Refuted, 22));
    let text = report.table();
    assert!(text.contains("payout number 3"), "{text}");
    assert!(text.contains("between ledgers 13 and 18"), "{text}");
}

#[test]
fn events_that_begin_late_prove_nothing_without_a_list_and_all_with_one() {
    let mut case = Case::new();
    case.owed = None;
    // From ledger 13 on: import, lock and the first payout are forgotten.
    case.sheets.drain(..4);
    let with = case.audit(&[]);
    assert_clean(&with);
    case.list = None;
    let without = case.audit(&[]);
    assert_eq!(
        (without.verdict, without.code()),
        (Verdict::Undetermined, 10)
    );
    assert_eq!(caught(&without), ["COMPLETE"]);
    assert!(
        without.table().contains("not provable"),
        "{}",
        without.table()
    );
}

#[test]
fn a_gap_is_stated() {
    let mut coverage = Coverage::default();
    coverage.add(1, 10, true);
    coverage.add(11, 20, false);
    coverage.add(21, 30, true);
    coverage.add(35, 40, true);
    assert_eq!(coverage.missing, [(11, 20), (31, 34)]);
    assert_eq!(
        coverage.text(),
        "1\u{2013}10, 21\u{2013}30, 35\u{2013}40; not 11\u{2013}20, 31\u{2013}34"
    );
    assert!(!coverage.whole());
    assert!(coverage.has(10) && !coverage.has(11) && !coverage.has(33));
}

#[test]
fn an_upgrade_is_open_until_its_code_is_named() {
    let mut case = Case::new();
    case.story.upgrade([0xee; 32]);
    case.happened();
    case.codes = Vec::new();
    let open = case.audit(&[]);
    assert_eq!(caught(&open), ["CODE"]);
    assert_eq!(open.verdict, Verdict::Undetermined);
    case.codes = vec![[0xee; 32]];
    assert_clean(&case.audit(&[]));
    case.codes = vec![[0xc0; 32]];
    assert_eq!(case.audit(&[]).code(), 34);
}

#[test]
fn a_clawback_leaves_every_other_proof_standing() {
    let mut case = Case::new();
    case.story.clawback(8_090);
    case.happened();
    let report = case.audit(&[]);
    assert_eq!(caught(&report), ["BALANCE"]);
    assert_eq!(report.code(), 27);
    assert_eq!(report.outcome("PAID-ONCE"), Some(Outcome::Proven));
    let text = &report.findings[0].text;
    assert!(text.starts_with("shortfall 8090:"), "{text}");
    assert!(text.contains("clawback of 8090 in ledger 20"), "{text}");
}

#[test]
fn every_check_has_its_own_name_and_code() {
    let abouts: Vec<&About> = checks::abouts();
    for (at, about) in abouts.iter().enumerate() {
        assert!(about.code >= 20);
        for other in &abouts[at + 1..] {
            assert_ne!(about.id, other.id);
            assert_ne!(about.code, other.code, "{} and {}", about.id, other.id);
        }
    }
}
