//! One file a subcommand.

mod localnet;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a local Stellar network that real clients cannot tell from the real one
    Localnet(localnet::Cmd),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Localnet(#[from] localnet::Error),
}

impl Command {
    pub(crate) fn run(self) -> Result<(), Error> {
        match self {
            Self::Localnet(command) => Ok(command.run()?),
        }
    }
}
