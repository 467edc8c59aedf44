//! One writer.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::JournalError;

/// Held by the one process that writes. The system takes it back when the process ends.
#[derive(Debug)]
pub(super) struct WriterLock {
    _file: File,
}

impl WriterLock {
    pub(super) fn take(journal: &Path) -> Result<Self, JournalError> {
        let path = beside(journal);
        let io = |error| JournalError::io(&path, error);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                return Err(JournalError::Locked {
                    path: journal.to_owned(),
                    holder: holder.trim().chars().take(20).collect(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        // For people alone; the lock does not depend on it.
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = writeln!(file, "{}", std::process::id());
        Ok(Self { _file: file })
    }
}

fn beside(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
