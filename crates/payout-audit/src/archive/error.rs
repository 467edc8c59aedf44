//! Why an archive cannot be used.

use std::path::PathBuf;

/// An archive that cannot be used. Nothing in it was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The file cannot be read or written.
    #[error("the archive {} cannot be used: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another program writes it.
    #[error("the archive {} is being written by another program; wait for it", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A record that does not follow from the one before, or cannot be read.
    #[error(
        "the archive is broken at record {record}: {why}. The records before it are intact; nothing \
         from there on counts. Take a copy from elsewhere, or begin a new archive"
    )]
    Broken {
        /// The first bad record, from 1.
        record: u64,
        /// What is wrong with it.
        why: String,
    },
    /// An archive of something else.
    #[error(
        "the archive is of {what} {found}, and the audit is of {asked}; name the archive that \
         belongs to it, or a new file"
    )]
    Other {
        /// Network, contract or token.
        what: &'static str,
        /// What the archive is of.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// A digest that was in the archive once and is not now.
    #[error(
        "the archive has no record with digest {0}: it was cut or written anew since that digest was \
         noted"
    )]
    HeadMissing(String),
    /// A record that cannot be written.
    #[error("a record cannot be written: {0}")]
    Encode(serde_json::Error),
}
