//! What can be wrong with a journal.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why the journal cannot be used. Nothing is sent that it does not have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Another process writes it.
    #[error(
        "another process is using the journal {} (process {holder}); wait for it, or stop it. Two \
         machines may pay one run, each with its own journal",
        .path.display()
    )]
    Locked {
        /// The journal.
        path: PathBuf,
        /// The process, as it wrote itself down.
        holder: String,
    },
    /// No room.
    #[error("no room to write the journal {}; make room, then go on", .path.display())]
    Full {
        /// The journal.
        path: PathBuf,
    },
    /// A file that is no journal.
    #[error("{} is not a journal of this program; give another path", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A journal of a later version.
    #[error(
        "the journal {} has version {found}, and this program knows up to {known}; use the later \
         program",
        .path.display()
    )]
    Newer {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest known.
        known: i64,
    },
    /// The file system does not let every commit be made durable.
    #[error(
        "the journal {} cannot be written durably here ({setting} is {found}); put it on a local \
         disk",
        .path.display()
    )]
    NotDurable {
        /// The journal.
        path: PathBuf,
        /// The setting that was refused.
        setting: &'static str,
        /// What it is instead.
        found: String,
    },
    /// A setting that was fixed at the first use is another now.
    #[error(
        "{name} was {pinned} when this journal was first used, and is {found} now; use another \
         journal, or the right {name}"
    )]
    PinDiffers {
        /// What was pinned.
        name: String,
        /// Its value.
        pinned: String,
        /// The value now.
        found: String,
    },
    /// One hash with other content than is stored.
    #[error("the journal has another entry for {what}; stop and look at it")]
    Differs {
        /// What it is.
        what: String,
    },
    /// A stored value that cannot be read.
    #[error("the journal has an unreadable {what} ({why}); restore it from a copy, or delete it")]
    Unreadable {
        /// What it is.
        what: &'static str,
        /// Why.
        why: String,
    },
    /// The lock or the file cannot be opened.
    #[error("the journal {} cannot be opened ({error}); check folder and rights", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Anything else that `SQLite` reports.
    #[error("the journal {} failed ({error}); nothing was sent", .path.display())]
    Sqlite {
        /// The journal.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
}

impl JournalError {
    pub(super) fn io(path: &Path, error: std::io::Error) -> Self {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let path = path.to_owned();
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::Full { path },
            _ => Self::Io { path, error },
        }
    }

    pub(super) fn of(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::NotADatabase) => Self::Foreign { path },
            _ => Self::Sqlite { path, error },
        }
    }
}
