//! The file: what breaks it is named, and nothing of it is overwritten.

use std::fs;
use std::path::PathBuf;

use payout_audit::archive::{Archive, ArchiveError, Page, read};
use payout_audit::audit::{Auditor, Beside, Questions};
use payout_keys::{ContractId, NetworkId};
use tempfile::TempDir;

use crate::case::Case;
use crate::support::write;

fn written() -> (TempDir, PathBuf, Case) {
    let case = Case::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    write(&path, &case.subject, &case.sheets, "node.example");
    (folder, path, case)
}

/// The number of the first bad record.
fn broken(path: &std::path::Path) -> (u64, String) {
    match read(path, |_, _, _| Ok(())) {
        Err(ArchiveError::Broken { record, why }) => (record, why),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_changed_byte_names_the_first_bad_record() {
    let (_folder, path, _) = written();
    let text = fs::read_to_string(&path).expect("the archive");
    let lines: Vec<&str> = text.lines().collect();
    for changed in [0, 3, lines.len() - 1] {
        let mut forged: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        forged[changed] = forged[changed].replacen("\"to\":", "\"to\": ", 1).replacen(
            "\"format\":",
            "\"format\": ",
            1,
        );
        fs::write(&path, forged.join("\n") + "\n").expect("written");
        let (record, why) = broken(&path);
        assert_eq!(record, u64::try_from(changed).expect("few") + 1);
        assert!(why.contains("digest"), "{why}");
    }
}

#[test]
fn a_removed_a_moved_and_a_doubled_record_are_named() {
    let (_folder, path, _) = written();
    let text = fs::read_to_string(&path).expect("the archive");
    let lines: Vec<&str> = text.lines().collect();
    let mut removed = lines.clone();
    removed.remove(2);
    let mut moved = lines.clone();
    moved.swap(4, 5);
    let mut doubled = lines.clone();
    doubled.insert(3, lines[3]);
    for (forged, bad) in [(removed, 3), (moved, 5), (doubled, 4 + 1 - 1)] {
        fs::write(&path, forged.join("\n") + "\n").expect("written");
        // The doubled record stands right behind itself, so the second one is bad.
        let expected = if forged.len() > lines.len() {
            bad + 1
        } else {
            bad
        };
        assert_eq!(broken(&path).0, expected);
    }
}

#[test]
fn what_was_not_finished_is_cut_off_when_it_goes_on_and_only_then() {
    let (_folder, path, case) = written();
    let whole = fs::read(&path).expect("the archive");
    let cut = whole.len() - 10;
    fs::write(&path, &whole[..cut]).expect("written");
    let head = read(&path, |_, _, _| Ok(())).expect("the records before it hold");
    assert!(head.unfinished > 0);
    assert_eq!(fs::read(&path).expect("the archive").len(), cut);
    let archive = Archive::open(&path, &case.subject).expect("it opens");
    assert!(archive.repaired());
    assert_eq!(archive.next(), Some(19));
    assert_eq!(
        u64::try_from(fs::read(&path).expect("the archive").len()).ok(),
        Some(head.bytes)
    );
}

#[test]
fn an_archive_of_something_else_is_refused_and_left_alone() {
    let (_folder, path, case) = written();
    let before = fs::read(&path).expect("the archive");
    for (what, change) in [("network", 0), ("contract", 1), ("token", 2)] {
        let mut subject = case.subject.clone();
        match change {
            0 => subject.network = NetworkId([0; 32]),
            1 => subject.contract = ContractId([0; 32]),
            _ => subject.token = ContractId([0; 32]),
        }
        match Archive::open(&path, &subject) {
            Err(ArchiveError::Other { what: found, .. }) => assert_eq!(found, what),
            other => panic!("{other:?}"),
        }
        let mut auditor = Auditor::new(&subject, Questions::default());
        assert!(matches!(
            auditor.archive(&path),
            Err(ArchiveError::Other { .. })
        ));
    }
    assert_eq!(fs::read(&path).expect("the archive"), before);
}

#[test]
fn two_programs_do_not_write_one_archive() {
    let (_folder, path, case) = written();
    let _first = Archive::open(&path, &case.subject).expect("it opens");
    assert!(matches!(
        Archive::open(&path, &case.subject),
        Err(ArchiveError::Busy { .. })
    ));
}

#[test]
fn a_digest_that_was_noted_tells_an_archive_that_was_made_anew() {
    let (_folder, path, case) = written();
    let noted = read(&path, |_, _, _| Ok(())).expect("it holds").digest;
    let mut later = Archive::open(&path, &case.subject).expect("it opens");
    later
        .page(Page {
            from: 21,
            to: 30,
            latest: 30,
            node: "node.example",
            ledger_hash: "",
            transactions: Vec::new(),
        })
        .expect("written");
    drop(later);
    let audit = |path: &std::path::Path| {
        Auditor::new(&case.subject, Questions::default()).archive_with(path, noted)
    };
    audit(&path).expect("it grew, and the noted record is in it");
    fs::remove_file(&path).expect("removed");
    write(&path, &case.subject, &case.sheets[..3], "node.example");
    assert!(matches!(audit(&path), Err(ArchiveError::HeadMissing(_))));
}

#[test]
fn an_empty_file_and_a_text_are_no_archives() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    let case = Case::new();
    for text in ["", "once upon a time\n", "once upon a time"] {
        fs::write(&path, text).expect("written");
        let mut auditor = Auditor::new(&case.subject, Questions::default());
        assert!(matches!(
            auditor.archive(&path),
            Err(ArchiveError::Broken { record: 1, .. })
        ));
    }
}

#[test]
fn pages_of_any_size_have_one_digest() {
    let case = Case::new();
    let digests: Vec<[u8; 32]> = [1, 2, 7, 1_000]
        .into_iter()
        .map(|size| {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("archive");
            let sheets = crate::support::sheets(&case.story.transactions, size, case.story.ledger);
            write(
                &path,
                &case.subject,
                &sheets,
                &format!("node-{size}.example"),
            );
            let mut auditor = Auditor::new(&case.subject, Questions::default());
            auditor.archive(&path).expect("it is read");
            auditor.finish(Beside::default()).digest
        })
        .collect();
    assert!(digests.windows(2).all(|pair| pair[0] == pair[1]));
}
