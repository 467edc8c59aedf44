//! Exit codes. `docs/cli.md` has the same table; usage errors are clap's, with 2.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// It could not be done; nothing was changed, or what was is said.
    Failed = 1,
    /// The contract refuses it; nothing was changed.
    Refused = 3,
    /// It is not known whether it was done.
    Unknown = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
