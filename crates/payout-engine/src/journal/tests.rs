//! What needs the connection itself; the rest is in the crate's tests.

use payout_keys::{IdempotencyKey, Recipient};

use super::{Intent, Journal, JournalError};
use crate::protocol::Entry;
use crate::{Amount, Line, Payout};

fn intent(n: u32) -> Intent {
    let line = Line {
        recipient: Recipient::Account([1; 32]),
        amount: Amount::new(5).expect("positive"),
        reference: None,
    };
    Intent {
        key: IdempotencyKey::new(&format!("p-{n}-{}", "x".repeat(200))).expect("legal"),
        payout: Some(Payout::new(vec![line]).expect("a payout")),
        slot: None,
    }
}

fn store(journal: &mut Journal, n: u32) -> Result<(), JournalError> {
    let intent = intent(n);
    let entry = Entry::Intent {
        key: intent.key.clone(),
        fingerprint: None,
    };
    journal.store(&intent, &entry)
}

#[test]
fn a_full_disk_is_typed_and_stores_nothing_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(&folder.path().join("j.db")).expect("opened");
    store(&mut journal, 0).expect("stored");
    let pages: i64 = journal
        .connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .expect("counted");
    journal
        .connection
        .pragma_update_and_check(None, "max_page_count", pages + 1, |_| Ok(()))
        .expect("limited");
    let mut stored = 1;
    let error = loop {
        match store(&mut journal, stored) {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, JournalError::Full { .. }), "{error:?}");
    assert_eq!(
        journal.all().expect("read").len(),
        usize::try_from(stored).expect("few")
    );
}

#[test]
fn commits_are_durable() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(&folder.path().join("j.db")).expect("opened");
    let setting = |name| {
        journal
            .connection
            .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
            .expect("read")
    };
    assert_eq!(setting("synchronous"), 2.into());
    assert_eq!(setting("journal_mode"), "wal".to_owned().into());
}
