//! A small disk that can be filled.
//!
//! A file system of its own in memory where mounting one is allowed; elsewhere a folder whose files the
//! programs on it cannot lengthen.

use std::cell::Cell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

const SIZE: usize = 4 << 20;

pub(crate) struct Disk {
    folder: TempDir,
    mounted: bool,
    /// How long files may become, where nothing is mounted.
    limit: Cell<Option<u64>>,
}

impl Disk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={SIZE}"), "tmpfs"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        println!("mounted: {mounted}");
        Self {
            folder,
            mounted,
            limit: Cell::new(None),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Fills it, up to so many bytes.
    pub(crate) fn leave(&self, bytes: u64) {
        if !self.mounted {
            self.limit.set(Some(longest(self.path()) + bytes));
            return;
        }
        let mut filler = std::fs::File::create(self.filler()).expect("a file");
        while filler.write_all(&[1; 4096]).is_ok() {}
        let full = filler.metadata().expect("a length").len();
        filler.set_len(full.saturating_sub(bytes)).expect("room");
    }

    /// There is room again.
    pub(crate) fn free(&self) {
        self.limit.set(None);
        let _ = std::fs::remove_file(self.filler());
    }

    /// The command, on this disk as it is now.
    pub(crate) fn command(&self, command: Command) -> Command {
        if self.mounted {
            return command;
        }
        // What is too long is to be an error, not the program's end.
        let mut limited = Command::new("sh");
        limited
            .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh", "prlimit"])
            .arg(format!("--fsize={}:", self.limit()))
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => limited.env(name, value),
                None => limited.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            limited.current_dir(folder);
        }
        limited
    }

    /// A program that is running on it learns how it is now.
    pub(crate) fn tell(&self, process: u32) {
        if !self.mounted {
            let told = Command::new("prlimit")
                .arg(format!("--pid={process}"))
                .arg(format!("--fsize={}:", self.limit()))
                .status();
            assert!(told.expect("prlimit runs").success());
        }
    }

    fn limit(&self) -> String {
        let limit = self.limit.get();
        limit.map_or_else(|| "unlimited".to_owned(), |bytes| bytes.to_string())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            let _ = Command::new("umount").arg("-l").arg(self.path()).status();
        }
    }
}

/// The length of the longest file in a folder.
fn longest(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).expect("a folder");
    let lengths = files
        .flatten()
        .filter_map(|file| Some(file.metadata().ok()?.len()));
    lengths.max().unwrap_or_default()
}
