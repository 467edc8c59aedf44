//! One file a subcommand.

mod audit;
mod localnet;

use std::process::ExitCode;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a local Stellar network that real clients cannot tell from the real one
    Localnet(localnet::Cmd),
    /// Prove that nobody was paid twice, refute it, or say that it cannot be told
    Audit(Box<audit::Cmd>),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Localnet(#[from] localnet::Error),
    #[error(transparent)]
    Audit(#[from] audit::Error),
}

impl Command {
    pub(crate) fn run(self) -> Result<ExitCode, Error> {
        match self {
            Self::Localnet(command) => Ok(command.run().map(|()| ExitCode::SUCCESS)?),
            Self::Audit(command) => Ok(command.run()?),
        }
    }
}

impl Error {
    /// The exit code of a command that failed.
    pub(crate) fn exit(&self) -> ExitCode {
        match self {
            Self::Audit(error) => error.exit(),
            Self::Localnet(_) => ExitCode::FAILURE,
        }
    }
}
