//! The tables and their version.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::JournalError;

/// Marks a file as ours: `payj`.
const APPLICATION: i64 = 0x7061_796a;

/// Each version's changes; the last one's number is the version. Never edited, only appended.
const VERSIONS: &[&str] = &["
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE offer (
        number INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        fingerprint BLOB NOT NULL,
        payout TEXT,
        run TEXT,
        slot INTEGER,
        UNIQUE (key, fingerprint)
    ) STRICT;
    CREATE INDEX offer_of_run ON offer (run, slot);
    CREATE TABLE envelope (
        number INTEGER PRIMARY KEY,
        offer INTEGER NOT NULL REFERENCES offer (number),
        hash BLOB NOT NULL UNIQUE,
        inner_hash BLOB NOT NULL,
        xdr BLOB NOT NULL,
        source TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        bid INTEGER NOT NULL,
        resource_fee INTEGER NOT NULL,
        max_time INTEGER NOT NULL,
        max_ledger INTEGER NOT NULL,
        authorised_until INTEGER
    ) STRICT;
    CREATE INDEX envelope_of_offer ON envelope (offer);
    CREATE TABLE verdict (
        offer INTEGER PRIMARY KEY REFERENCES offer (number),
        phase TEXT NOT NULL,
        ledger INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE receipt (
        offer INTEGER PRIMARY KEY REFERENCES offer (number),
        hash BLOB NOT NULL,
        ledger INTEGER NOT NULL
    ) STRICT;
"];

/// Whether the file is one of ours, of a version that can be read.
pub(super) fn known(path: &Path, connection: &Connection) -> Result<(), JournalError> {
    let number = |name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
            .map_err(|error| JournalError::of(path, error))
    };
    let path = || path.to_owned();
    if number("application_id")? != APPLICATION {
        return Err(JournalError::Foreign { path: path() });
    }
    let known = i64::try_from(VERSIONS.len()).unwrap_or(i64::MAX);
    match number("user_version")? {
        found if found > known => Err(JournalError::Newer {
            path: path(),
            found,
            known,
        }),
        _ => Ok(()),
    }
}

/// Sets the connection up and brings the tables to the newest version.
pub(super) fn prepare(path: &Path, connection: &mut Connection) -> Result<(), JournalError> {
    let of = |error| JournalError::of(path, error);
    let number = |connection: &Connection, name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
            .map_err(of)
    };
    connection
        .busy_timeout(std::time::Duration::from_secs(5))
        .map_err(of)?;
    let found = number(connection, "user_version")?;
    let application = number(connection, "application_id")?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(of)?;
    let path = || path.to_owned();
    if application != APPLICATION && (tables > 0 || found != 0) {
        return Err(JournalError::Foreign { path: path() });
    }
    let known = i64::try_from(VERSIONS.len()).unwrap_or(i64::MAX);
    if found > known {
        return Err(JournalError::Newer {
            path: path(),
            found,
            known,
        });
    }
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(of)?;
    if mode != "wal" {
        return Err(JournalError::NotDurable {
            path: path(),
            setting: "journal_mode",
            found: mode,
        });
    }
    // Pages are written once and hardly ever read again: keeping two megabytes of them helps nobody.
    for (name, value) in [
        ("synchronous", 2),
        ("fullfsync", 1),
        ("foreign_keys", 1),
        ("cache_size", -256),
    ] {
        connection.pragma_update(None, name, value).map_err(of)?;
    }
    let synchronous = number(connection, "synchronous")?;
    if synchronous != 2 {
        return Err(JournalError::NotDurable {
            path: path(),
            setting: "synchronous",
            found: synchronous.to_string(),
        });
    }
    let changes = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(of)?;
    let first = usize::try_from(found).unwrap_or_default();
    for version in VERSIONS.iter().skip(first) {
        changes.execute_batch(version).map_err(of)?;
    }
    changes
        .pragma_update(None, "application_id", APPLICATION)
        .map_err(of)?;
    changes
        .pragma_update(None, "user_version", known)
        .map_err(of)?;
    changes.commit().map_err(of)
}
