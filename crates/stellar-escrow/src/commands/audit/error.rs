//! Why an audit could not be run. A verdict is none of these.

use std::path::PathBuf;
use std::process::ExitCode;

use payout_audit::archive::ArchiveError;
use payout_audit::checks::ARCHIVE;
use payout_audit::complete::KeyListError;
use payout_audit::follow::FollowError;
use payout_audit::obligations::ObligationsError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Config(#[from] crate::config::Error),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error(transparent)]
    Follow(#[from] FollowError),
    #[error("{}: {source}", path.display())]
    Keys { path: PathBuf, source: KeyListError },
    #[error("{}: {source}", path.display())]
    Obligations {
        path: PathBuf,
        source: ObligationsError,
    },
    #[error("{} cannot be read or written: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Run(payout_keys::Error),
    #[error("{0:?} is no hash; it has 64 hexadecimal digits")]
    Hash(String),
    #[error("{0:?} is not the address of an explorer; use http:// or https://")]
    Explorer(String),
    #[error("there is no check {id:?}; there are {known}")]
    NoCheck { id: String, known: String },
    #[error("the report cannot be written as CSV: {0}")]
    Csv(String),
    #[error("the report cannot be written: {0}")]
    Print(std::io::Error),
    #[error("no network calls can be made: {0}")]
    Runtime(std::io::Error),
}

impl Error {
    /// The exit code: a broken archive has its check's.
    pub(crate) fn exit(&self) -> ExitCode {
        match self {
            Self::Archive(broken) | Self::Follow(FollowError::Archive(broken))
                if matches!(
                    broken,
                    ArchiveError::Broken { .. } | ArchiveError::HeadMissing(_)
                ) =>
            {
                ExitCode::from(ARCHIVE.code)
            }
            _ => ExitCode::FAILURE,
        }
    }
}
