//! Obligations: bad files, references, and payouts known by their record alone.

use payout_audit::audit::{Auditor, Beside, Questions};
use payout_audit::books::key_digest;
use payout_audit::complete::{KeyListError, read_keys};
use payout_audit::obligations::{Obligations, ObligationsError, Reading};
use payout_audit::report::Report;
use payout_engine::{Amount, Line, Payout};
use payout_keys::{Deployment, Recipient, Reference, RowId, RunName};

use crate::case::{Case, caught};
use crate::support::story::account;

fn read(text: &str) -> Result<Obligations, ObligationsError> {
    Obligations::read(text.as_bytes(), Reading::default())
}

#[test]
fn every_bad_row_is_named_and_none_is_taken() {
    let one = account(1);
    let text = format!(
        "id,key,recipient,amount\na,k,{one},5\nb,,{one},5\nc,k c,{one},5\nd,k,nobody,5\ne,k,{one},1.5\nf,k,{one},0\na,k,{one},5\n"
    );
    let Err(ObligationsError::Rows { count, lines }) = read(&text) else {
        panic!("rows with errors");
    };
    assert_eq!(count, 6);
    for (line, expected) in lines.iter().zip([
        "line 3: id b has no key",
        "line 4: ",
        "line 5: ",
        "line 6: amount \"1.5\" is not a whole number",
        "line 7: ",
        "line 8: id a stands twice",
    ]) {
        assert!(line.starts_with(expected), "{line}");
    }
}

#[test]
fn bad_columns_are_named() {
    for (text, expected) in [
        ("id,key,recipient\n", "amount is missing"),
        ("id,key,key,recipient,amount\n", "key is there twice"),
        ("id;key;recipient;amount\n", "id is missing"),
    ] {
        let error = read(text).expect_err("columns").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn decimals_are_exact() {
    let one = account(1);
    let how = Reading {
        decimals: Some(7),
        runs: None,
    };
    let text = format!("id,key,recipient,amount\na,k,{one},90071992547.4099301\n");
    let owed = Obligations::read(text.as_bytes(), how).expect("obligations");
    assert_eq!(owed.rows[0].amount.units(), 900_719_925_474_099_301);
    let text = format!("id,key,recipient,amount\na,k,{one},0.00000001\n");
    assert!(Obligations::read(text.as_bytes(), how).is_err());
}

#[test]
fn formulas_come_back_as_the_ids_they_are() {
    let one = account(1);
    let text = format!("id,key,recipient,amount\n'=1+1,'=k,{one},5\n");
    let owed = read(&text).expect("obligations");
    assert_eq!(owed.rows[0].id.as_str(), "=1+1");
    assert_eq!(
        owed.rows[0]
            .key
            .as_ref()
            .map(payout_keys::IdempotencyKey::as_str),
        Some("=k")
    );
}

#[test]
fn lists_of_keys_are_lines_or_a_column() {
    let two = [key_digest("k1"), key_digest("k2")];
    for text in [
        "k1\nk2\n",
        "key\nk1\nk2\nk1\n",
        "id,key\n1,k1\n2,k2\n3,\n",
        "\u{feff}k1\r\nk2\r\n",
    ] {
        let list = read_keys(text.as_bytes()).expect("a list");
        let mut keys: Vec<_> = list.keys.keys().copied().collect();
        keys.sort_unstable();
        let mut expected = two.to_vec();
        expected.sort_unstable();
        assert_eq!(keys, expected, "{text:?}");
    }
    let Err(KeyListError::Lines { count, lines }) = read_keys("k1\nk 2\n".as_bytes()) else {
        panic!("a line that is no key");
    };
    assert_eq!(count, 1);
    assert!(lines[0].starts_with("line 2"), "{}", lines[0]);
    assert!(matches!(
        read_keys(b"a,b\n1,2\n"),
        Err(KeyListError::File(_))
    ));
}

/// Audits obligations by records alone.
fn by_records(case: &Case, owed: &Obligations) -> Report {
    let chain = case.chain.clone().expect("a chain");
    let questions = Questions {
        obligations: Some(owed),
        ..Questions::default()
    };
    Auditor::new(&case.subject, questions).finish(Beside {
        chain: Some(&chain),
        list: Some(&owed.keys()),
        codes: &case.codes,
        nodes: Vec::new(),
    })
}

#[test]
fn records_alone_prove_what_reproduces_them() {
    let mut case = Case::new();
    // k2 carries references that are no run's.
    let text = case.owed.take().expect("obligations");
    let owed = read(&text).expect("obligations");
    let report = by_records(&case, &owed);
    assert_eq!(caught(&report), ["OWED-MISSING"]);
    assert!(
        report.table().contains("give --run, or the events"),
        "{}",
        report.table()
    );
    let changed = text.replace(",600\n", ",601\n");
    let report = by_records(&case, &read(&changed).expect("obligations"));
    assert!(caught(&report).contains(&"OWED-DIFFERENT"));
    let redirected = text.replace(
        &format!("k5,{}", account(6)),
        &format!("k5,{}", account(60)),
    );
    let report = by_records(&case, &read(&redirected).expect("obligations"));
    assert!(caught(&report).contains(&"OWED-DIFFERENT"));
}

/// A record does not say who got what: without keys in the rows, and without events, nothing of them is
/// known. "Missing" would have them paid again.
#[test]
fn rows_without_keys_are_not_called_missing_by_records_alone() {
    let mut case = Case::new();
    let run = RunName::new("may").expect("a name");
    let at = Deployment {
        network: case.subject.network,
        contract: case.subject.contract,
    };
    let text = format!("id,key,recipient,amount\nr1,,{},5\n", account(1));
    let with = Reading {
        decimals: None,
        runs: Some((at, std::slice::from_ref(&run))),
    };
    let owed = Obligations::read(text.as_bytes(), with).expect("obligations");
    let report = by_records(&case, &owed);
    let all = ["OWED-DIFFERENT", "OWED-EXTRA", "OWED-MISSING", "OWED-TWICE"];
    for id in all {
        assert!(caught(&report).contains(&id), "{id}: {}", report.table());
    }
    let missing = "no payout of it was found";
    assert!(!report.table().contains(missing), "{}", report.table());
    // No payout at all: then it is known to be missing.
    case.chain().records.clear();
    let report = by_records(&case, &owed);
    assert!(caught(&report).contains(&"OWED-MISSING"));
    assert!(report.table().contains(missing), "{}", report.table());
}

#[test]
fn the_ids_of_a_run_make_its_references() {
    let mut case = Case::new();
    let run = RunName::new("may").expect("a name");
    let at = Deployment {
        network: case.subject.network,
        contract: case.subject.contract,
    };
    let lines: Vec<(Recipient, i128, &str)> = vec![(account(21), 5, "r1"), (account(22), 5, "r2")];
    let payout = Payout::new(
        lines
            .iter()
            .map(|(recipient, amount, id)| Line {
                recipient: *recipient,
                amount: Amount::new(*amount).expect("an amount"),
                reference: Some(Reference::of(&at, &run, &RowId::new(id).expect("an id"))),
            })
            .collect(),
    )
    .expect("a payout");
    let record = case
        .chain()
        .records
        .get_mut(&key_digest("k5"))
        .expect("a record");
    record.fingerprint = payout.fingerprint();
    record.kind = payout_engine::RecordKind::Batch;
    record.total = 10;
    let digest = key_digest("k5");
    case.chain().records.retain(|key, _| *key == digest);
    // The file's order is not that of the ids.
    let text = format!(
        "id,key,recipient,amount\nr2,k5,{},5\nr1,k5,{},5\n",
        account(22),
        account(21)
    );
    let with = Reading {
        decimals: None,
        runs: Some((at, std::slice::from_ref(&run))),
    };
    let owed = Obligations::read(text.as_bytes(), with).expect("obligations");
    let report = by_records(&case, &owed);
    assert!(
        caught(&report).iter().all(|id| !id.starts_with("OWED")),
        "{}",
        report.table()
    );
    // Two ids with equal amounts that change their wallets are not the same obligations.
    let swapped = text
        .replace("r2,k5", "rx,k5")
        .replace("r1,k5", "r2,k5")
        .replace("rx,k5", "r1,k5");
    let owed = Obligations::read(swapped.as_bytes(), with).expect("obligations");
    assert!(caught(&by_records(&case, &owed)).contains(&"OWED-MISSING"));
}

/// A list whose ids were paid under several run names: each id has a reference under each of them, and one
/// that was paid under two is paid twice.
#[test]
fn ids_of_several_runs_are_told_by_any_of_their_references() {
    let mut case = Case::new();
    let runs = ["may", "june"].map(|name| RunName::new(name).expect("a name"));
    let at = Deployment {
        network: case.subject.network,
        contract: case.subject.contract,
    };
    let line = |run: &RunName, number: u32, id: &str| Line {
        recipient: account(number),
        amount: Amount::new(5).expect("an amount"),
        reference: Some(Reference::of(&at, run, &RowId::new(id).expect("an id"))),
    };
    let [may, june] = &runs;
    case.story.pay_lines("m", vec![line(may, 21, "r1")]);
    case.happened();
    case.story.pay_lines("j", vec![line(june, 22, "r2")]);
    case.happened();
    let mut text = case.owed.take().expect("obligations");
    let rows = format!("r1,,{},5\nr2,,{},5\n", account(21), account(22));
    text.push_str(&rows);
    let audit = |case: &Case, runs: &[RunName]| {
        let with = Reading {
            decimals: None,
            runs: Some((at, runs)),
        };
        let owed = Obligations::read(text.as_bytes(), with).expect("obligations");
        case.audit_with(Some(&owed), &[])
    };
    let owed_checks = |report: &Report| {
        let caught = caught(report).into_iter();
        caught
            .filter(|id| id.starts_with("OWED"))
            .collect::<Vec<_>>()
    };
    // k2 carries references that are of neither run.
    assert_eq!(owed_checks(&audit(&case, &runs)), ["OWED-DIFFERENT"]);
    assert!(owed_checks(&audit(&case, &runs[..1])).contains(&"OWED-MISSING"));
    case.story.pay_lines("n", vec![line(june, 21, "r1")]);
    case.happened();
    assert!(owed_checks(&audit(&case, &runs)).contains(&"OWED-TWICE"));
}
