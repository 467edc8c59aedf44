//! The transaction that is under way, on disk before it is sent: whatever happens to this process,
//! the next one finds it and brings it to its verdict before it signs anything else.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use payout_engine::transaction::Sealed;
use payout_keys::{NetworkId, Recipient};
use serde::{Deserialize, Serialize};

use super::error::Error;

/// The place of one account's transaction on one network.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    network: NetworkId,
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    what: String,
    envelope: String,
}

impl Pending {
    pub(super) fn of(
        folder: Option<&Path>,
        network: NetworkId,
        account: Recipient,
    ) -> Result<Self, Error> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => default_folder().ok_or(Error::NoStateFolder)?,
        };
        let network_part: String = network.to_string().chars().take(16).collect();
        Ok(Self {
            network,
            path: folder.join(format!("{network_part}-{account}.json")),
        })
    }

    /// What is under way, and what it was to do.
    pub(super) fn find(&self) -> Result<Option<(String, Sealed)>, Error> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.error(&error)),
        };
        let stored: Stored = serde_json::from_str(&text).map_err(|error| self.error(&error))?;
        let sealed = Sealed::from_base64(self.network, &stored.envelope)?;
        Ok(Some((stored.what, sealed)))
    }

    /// Keeps it, durably. There can be only one.
    pub(super) fn keep(&self, what: &str, sealed: &Sealed) -> Result<(), Error> {
        let stored = Stored {
            what: what.to_owned(),
            envelope: sealed.to_base64()?,
        };
        let text = serde_json::json!(stored).to_string();
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|error| self.error(&error))?;
        // Whole or not at all: what a crash leaves half written would stop every later command.
        let draft = self.path.with_extension("draft");
        let write = || {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(true).mode(0o600);
            let mut file = options.open(&draft)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|error| self.error(&error))?;
        match fs::hard_link(&draft, &self.path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(Error::Busy(self.path.clone()));
            }
            Err(error) => return Err(self.error(&error)),
        }
        let end = || {
            fs::remove_file(&draft)?;
            File::open(folder)?.sync_all()
        };
        end().map_err(|error| self.error(&error))
    }

    /// There is a verdict on `sealed`. What another command keeps here by now stays.
    pub(super) fn forget(&self, sealed: &Sealed) -> Result<(), Error> {
        if self.find()?.is_none_or(|(_, kept)| kept != *sealed) {
            return Ok(());
        }
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.error(&error)),
            _ => Ok(()),
        }
    }

    fn error(&self, why: &impl ToString) -> Error {
        Error::File {
            path: self.path.clone(),
            why: why.to_string(),
        }
    }
}

fn default_folder() -> Option<PathBuf> {
    let state = match std::env::var_os("XDG_STATE_HOME").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir()?.join(".local/state"),
    };
    Some(state.join("stellar-escrow"))
}
