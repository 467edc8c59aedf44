//! Files that are their owner's alone: journals and databases hold signed envelopes, and who is paid what.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Makes an empty file at `path` that its owner alone reads and writes, on systems where files have owners. One that is
/// there stays as it is, with the rights that somebody gave it.
///
/// `SQLite` gives the files that it puts beside a database the database's own rights.
///
/// # Errors
/// The system's, if there is none and none can be made.
pub fn make_own_file(path: &Path) -> io::Result<()> {
    match new_own_file(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Makes a new file that only its owner may read and write, where the system knows such rights, and opens it.
///
/// # Errors
/// The system's; `AlreadyExists` where there is one.
pub fn new_own_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
