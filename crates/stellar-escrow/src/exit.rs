//! What a command's end means to whoever called it. `docs/cli.md` has the same table.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All of it is done.
    Done = 0,
    /// Something is wrong that has no code of its own; the message says what.
    Error = 1,
    /// Rows are not paid: rejected, or left over.
    RowsLeft = 3,
    /// The file cannot be read.
    File = 4,
    /// It may be or become done. The same command goes on.
    OutcomeUnknown = 5,
    /// It cannot be known which rows were paid, or which are meant. Somebody has to look.
    Halted = 6,
    /// The contract or the network refuses it; nothing of it is done.
    Refused = 7,
    /// It stopped before it was done. The same command goes on.
    Stopped = 8,
    /// The run has ended with rows that are finally not paid.
    RunEnded = 9,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
