//! One file a subcommand.

mod localnet;
mod pay;

use clap::Subcommand;

use crate::exit::Exit;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a local Stellar network that real clients cannot tell from the real one
    Localnet(localnet::Cmd),
    Pay(Box<pay::Cmd>),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Localnet(#[from] localnet::Error),
    #[error(transparent)]
    Pay(#[from] pay::Error),
}

impl Command {
    pub(crate) fn run(self) -> Result<Exit, Error> {
        match self {
            Self::Localnet(command) => {
                command.run()?;
                Ok(Exit::Done)
            }
            Self::Pay(command) => Ok(command.run()?),
        }
    }
}

impl Error {
    /// The code that goes with it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Pay(error) => error.exit(),
            Self::Localnet(_) => Exit::Error,
        }
    }
}
