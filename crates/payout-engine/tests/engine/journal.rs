//! The journal: what comes back after a start, and who may write.

use payout_engine::journal::{Intent, Journal, JournalError};
use payout_engine::protocol::{Bid, Bounds, Entry, Phase, Signed, TxHash};
use payout_engine::{Amount, Line, Payout};
use payout_keys::{IdempotencyKey, Recipient, Reference, RunName};

fn payout(units: i128) -> Payout {
    let line = Line {
        recipient: Recipient::Contract([3; 32]),
        amount: Amount::new(units).expect("positive"),
        reference: Some(Reference([4; 16])),
    };
    Payout::new(vec![line]).expect("a payout")
}

fn intent(units: i128) -> Intent {
    Intent {
        key: IdempotencyKey::new("p-run-x").expect("legal"),
        payout: Some(payout(units)),
        slot: Some((RunName::new("prizes").expect("legal"), 7)),
    }
}

fn signed(n: u8) -> Signed {
    Signed {
        hash: TxHash([n; 32]),
        inner: TxHash([1; 32]),
        xdr: vec![n, 2, 3],
        source: "GLANE".into(),
        sequence: i64::MAX,
        bid: Bid(u32::MAX),
        resource_fee: 12,
        bounds: Bounds {
            max_time: 1_800_000_000,
            max_ledger: u32::MAX,
            authorised_until: (n > 1).then_some(9),
        },
    }
}

fn intent_entry(intent: &Intent) -> Entry {
    Entry::Intent {
        key: intent.key.clone(),
        fingerprint: intent.payout.as_ref().map(Payout::fingerprint),
    }
}

fn envelope(intent: &Intent, n: u8) -> Entry {
    Entry::Envelope {
        key: intent.key.clone(),
        signed: signed(n),
    }
}

#[test]
fn what_was_stored_comes_back_after_a_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.db");
    let (first, second) = (intent(i128::from(i64::MAX)), intent(9_007_199_254_740_993));
    {
        let mut journal = Journal::open(&path).expect("opened");
        for intent in [&first, &second] {
            journal
                .store(intent, &intent_entry(intent))
                .expect("stored");
        }
        for n in [1, 2, 2] {
            journal
                .store(&first, &envelope(&first, n))
                .expect("again is no error");
        }
        journal.note_ledger(50).expect("noted");
        journal.note_ledger(40).expect("noted");
    }
    let mut journal = Journal::open(&path).expect("opened");
    assert_eq!(journal.ledger().expect("read"), 50);
    let undecided = journal.undecided().expect("read");
    assert_eq!(undecided.len(), 2, "two offers under one key");
    assert_eq!(undecided[0].intent, first);
    assert_eq!(undecided[0].envelopes, [signed(1), signed(2)]);
    assert_eq!(undecided[1].intent, second);

    let key = first.key.clone();
    let verdict = Entry::Verdict {
        key: key.clone(),
        phase: Phase::Paid,
        record: None,
        ledger: 51,
    };
    let (hash, ledger) = (TxHash([1; 32]), 51);
    journal.store(&first, &verdict).expect("stored");
    journal
        .store(&first, &Entry::Receipt { key, hash, ledger })
        .expect("stored");
    assert_eq!(journal.undecided().expect("read").len(), 1);
    let all = journal.all().expect("read");
    assert_eq!(all[0].verdict, Some((Phase::Paid, 51)));
    assert_eq!(all[0].receipt, Some((hash, 51)));

    let run = RunName::new("prizes").expect("legal");
    assert_eq!(journal.of_run(&run).expect("read"), all);
    assert_eq!(all[0].intent.slot, Some((run, 7)));
    let other = RunName::new("other").expect("legal");
    assert!(journal.of_run(&other).expect("read").is_empty());
}

#[cfg(unix)]
#[test]
fn a_new_journal_is_its_owners_alone() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let rights = |name: &str| {
        let file = std::fs::metadata(folder.path().join(name)).expect("the file");
        file.permissions().mode() & 0o777
    };
    let path = folder.path().join("journal.db");
    let mut journal = Journal::open(&path).expect("opened");
    let intent = intent(5);
    journal
        .store(&intent, &envelope(&intent, 1))
        .expect("stored");
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        assert_eq!(rights(name), 0o600, "{name}");
    }
    drop(journal);
    // Rights that somebody gave stay.
    std::fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("given");
    drop(Journal::open(&path).expect("opened again"));
    assert_eq!(rights("journal.db"), 0o640);
}

#[test]
fn a_second_writer_is_refused_and_told_who_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.db");
    let first = Journal::open(&path).expect("opened");
    let error = Journal::open(&path).expect_err("locked");
    let own = std::process::id().to_string();
    assert!(
        matches!(&error, JournalError::Locked { holder, .. } if *holder == own),
        "{error}"
    );
    drop(first);
    Journal::open(&path).expect("free again");
}

#[test]
fn another_programs_file_and_a_later_version_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("text");
    std::fs::write(&text, "walletAddress,id,amount\n".repeat(100)).expect("written");
    assert!(matches!(
        Journal::open(&text),
        Err(JournalError::Foreign { .. })
    ));

    let foreign = folder.path().join("foreign.db");
    let connection = rusqlite::Connection::open(&foreign).expect("opened");
    connection
        .execute_batch("CREATE TABLE t (x)")
        .expect("made");
    drop(connection);
    assert!(matches!(
        Journal::open(&foreign),
        Err(JournalError::Foreign { .. })
    ));

    let newer = folder.path().join("newer.db");
    drop(Journal::open(&newer).expect("made"));
    let connection = rusqlite::Connection::open(&newer).expect("opened");
    connection
        .pragma_update(None, "user_version", 99)
        .expect("set");
    drop(connection);
    assert!(matches!(
        Journal::open(&newer),
        Err(JournalError::Newer { found: 99, .. })
    ));
}

#[test]
fn what_was_pinned_has_to_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(&folder.path().join("j.db")).expect("opened");
    journal.pin("contract", "C1").expect("pinned");
    journal.pin("contract", "C1").expect("the same");
    let error = journal.pin("contract", "C2").expect_err("another");
    assert!(matches!(error, JournalError::PinDiffers { ref pinned, .. } if pinned == "C1"));
}

#[test]
fn one_hash_with_other_bytes_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(&folder.path().join("j.db")).expect("opened");
    let intent = intent(5);
    journal
        .store(&intent, &envelope(&intent, 1))
        .expect("stored");
    let mut other = signed(1);
    other.xdr.push(9);
    let key = intent.key.clone();
    let entry = Entry::Envelope { key, signed: other };
    assert!(matches!(
        journal.store(&intent, &entry),
        Err(JournalError::Differs { .. })
    ));
}

#[test]
fn a_glance_reads_beside_the_writer_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.db");
    let intent = intent(5);
    let mut journal = Journal::open(&path).expect("a journal");
    journal.pin("network", "n").expect("pinned");
    journal
        .store(&intent, &intent_entry(&intent))
        .expect("stored");
    journal
        .store(&intent, &envelope(&intent, 1))
        .expect("stored");
    let while_written = Journal::glance(&path).expect("read");
    assert_eq!(while_written.offers, journal.all().expect("read"));
    assert_eq!(while_written.pins["network"], "n");
    drop(journal);
    assert_eq!(Journal::glance(&path).expect("read"), while_written);
    let none = folder.path().join("none.db");
    assert!(Journal::glance(&none).is_err() && !none.exists());
    let other = folder.path().join("other.db");
    std::fs::write(
        &other,
        "something else, and longer than a header ".repeat(20),
    )
    .expect("written");
    let foreign = Journal::glance(&other);
    assert!(
        matches!(foreign, Err(JournalError::Foreign { .. })),
        "{foreign:?}"
    );
}
