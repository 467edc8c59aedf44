//! What has to survive a crash: `SQLite`, one file, one writer.
//!
//! The protocol persists, then acts, so a write that returned must be there after a power cut. The
//! journal runs in write-ahead mode with `synchronous = FULL`: each commit is one append to the log
//! and one sync of it. (In rollback mode the same setting does not sync the folder after the
//! rollback file is removed, so a power cut could bring the file back and undo the last commit: an
//! envelope that was sent would be unknown.) Readers do not hold the writer up.
//!
//! One process writes. A lock on a file beside the journal says so; a second one gets
//! [`JournalError::Locked`]. The lock ends with the process, however it ends.
//!
//! Journals hold keys, arguments, signed envelopes, hashes and verdicts. They never hold a secret
//! key, nor a personal column of a file. On Unix a new one is its owner's alone (mode 0600), with the
//! files that `SQLite` puts beside it. Losing one costs nothing that a node still knows; the contract is
//! what prevents a second payment.

mod error;
mod glance;
mod lock;
mod read;
mod schema;
mod write;

use std::path::{Path, PathBuf};

use payout_keys::{Fingerprint, IdempotencyKey, RunName};
use rusqlite::Connection;

pub use error::JournalError;
pub use glance::Glance;
use lock::WriterLock;

use crate::protocol::{Phase, Signed, TxHash};
use crate::{Payout, make_own_file};

/// An open journal. While it lives, no other process writes.
#[derive(Debug)]
pub struct Journal {
    connection: Connection,
    path: PathBuf,
    /// Held for as long as it lives; none where it only reads.
    _lock: Option<WriterLock>,
}

/// What is stored before anything is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The key.
    pub key: IdempotencyKey,
    /// What it is to pay; `None` for a void.
    pub payout: Option<Payout>,
    /// The run and the slot, if it is one.
    pub slot: Option<(RunName, u32)>,
}

impl Intent {
    /// What tells apart several offers under one key.
    fn fingerprint(&self) -> Vec<u8> {
        self.payout
            .as_ref()
            .map(|payout| payout.fingerprint().0.to_vec())
            .unwrap_or_default()
    }
}

/// An offer as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOffer {
    /// Key, arguments, slot.
    pub intent: Intent,
    /// Every envelope that was stored, in order. Each may have been sent.
    pub envelopes: Vec<Signed>,
    /// How it ended, if it did, and the ledger as of which it holds.
    pub verdict: Option<(Phase, u32)>,
    /// The transaction that paid it and its ledger, where it was found.
    pub receipt: Option<(TxHash, u32)>,
}

impl StoredOffer {
    /// What its record would commit to.
    #[must_use]
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        self.intent.payout.as_ref().map(Payout::fingerprint)
    }
}

impl Journal {
    /// Opens the journal at `path`, or makes it.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let lock = WriterLock::take(path)?;
        make_own_file(path).map_err(|error| JournalError::io(path, error))?;
        let mut connection =
            Connection::open(path).map_err(|error| JournalError::of(path, error))?;
        schema::prepare(path, &mut connection)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            _lock: Some(lock),
        })
    }

    fn error(&self, error: rusqlite::Error) -> JournalError {
        JournalError::of(&self.path, error)
    }
}

#[cfg(test)]
mod tests;
