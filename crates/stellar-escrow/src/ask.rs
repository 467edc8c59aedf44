//! A question before something that cannot be undone.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

/// Nobody said yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotConfirmed {
    /// Somebody said no.
    #[error("not confirmed; nothing was done")]
    No,
    /// Nobody is there to be asked.
    #[error("nobody is there to be asked; say --yes if it is meant. Nothing was done")]
    Nobody,
}

/// Asks on the terminal, unless `yes` was said beforehand.
///
/// # Errors
/// [`NotConfirmed`].
pub(crate) fn confirmed(question: &str, yes: bool) -> Result<(), NotConfirmed> {
    if yes {
        return Ok(());
    }
    let input = std::io::stdin();
    if !input.is_terminal() {
        return Err(NotConfirmed::Nobody);
    }
    eprint!("{question} [y/N] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    let read = input.lock().read_line(&mut answer);
    match (read, answer.trim().to_ascii_lowercase().as_str()) {
        (Ok(_), "y" | "yes") => Ok(()),
        _ => Err(NotConfirmed::No),
    }
}
