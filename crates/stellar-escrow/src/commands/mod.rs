//! One file a subcommand.

mod audit;
mod close;
mod delegate;
mod deploy;
mod guardian;
mod import;
mod keepalive;
mod key;
mod lanes;
mod limit;
mod localnet;
mod lock;
mod migrate;
mod owner;
mod pause;
mod pay;
mod publish;
mod receipts;
mod reset;
mod rotate;
mod serve;
mod status;
mod surplus;
mod trip;
mod upgrade;
mod void;
mod withdraw;

use std::process::ExitCode;

use clap::Subcommand;

use crate::desk;
use crate::exit::Exit;
use crate::run;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Put the escrow on a network
    Deploy(deploy::Cmd),
    /// Show program, books, brakes, roles and lifetimes
    Status(status::Cmd),
    Pay(Box<pay::Cmd>),
    Receipts(Box<receipts::Cmd>),
    /// Move tokens into the escrow
    Lock(lock::Cmd),
    /// Book tokens that came by plain transfer
    Surplus(surplus::Cmd),
    /// Mark keys as paid that another system has paid
    Import(import::Cmd),
    /// Let the program pay
    Publish(publish::Cmd),
    /// Make an unused key unusable for ever
    Void(void::Cmd),
    /// Stop locking, payouts or both
    Pause(pause::Cmd),
    /// Let locking, payouts or both go on
    Unpause(pause::Unpause),
    /// Open the circuit breaker
    Trip(trip::Cmd),
    /// Close the circuit breaker again
    Reset(reset::Cmd),
    /// Limit how much may flow out
    Limit(limit::Cmd),
    /// Name who may pause and trip
    Guardian(guardian::Cmd),
    /// Let others pay, within bounds
    Delegate(delegate::Cmd),
    /// Change the payout key
    Rotate(rotate::Cmd),
    /// Show the owner, or hand the escrow on
    Owner(owner::Cmd),
    /// Change the escrow's code
    Upgrade(upgrade::Cmd),
    /// Take over an instance of the earlier layout
    Migrate(migrate::Cmd),
    /// End the program, or one run
    Close(Box<close::Cmd>),
    /// Send what is left of a closed program
    Withdraw(withdraw::Cmd),
    /// Show and extend the lifetimes of instance and code
    Keepalive(keepalive::Cmd),
    /// Create, fund, list and reclaim channel accounts
    Lanes(lanes::Cmd),
    Audit(Box<audit::Cmd>),
    /// Make and read idempotency keys, without any network
    Key(key::Cmd),
    Serve(Box<serve::Cmd>),
    /// Run a local Stellar network that real clients cannot tell from the real one
    Localnet(localnet::Cmd),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Localnet(#[from] localnet::Error),
    #[error(transparent)]
    Run(#[from] run::Error),
    #[error(transparent)]
    Close(#[from] close::Error),
    #[error(transparent)]
    Serve(#[from] serve::Error),
    #[error(transparent)]
    Desk(#[from] desk::Error),
    #[error(transparent)]
    Audit(#[from] audit::Error),
}

impl Error {
    /// The exit code.
    pub(crate) fn exit(&self) -> ExitCode {
        match self {
            Self::Localnet(_) | Self::Serve(_) => Exit::Error.into(),
            Self::Run(error) => error.exit().into(),
            Self::Close(error) => error.exit().into(),
            Self::Desk(error) => error.exit().into(),
            Self::Audit(error) => error.exit(),
        }
    }
}

impl Command {
    pub(crate) fn run(self) -> Result<ExitCode, Error> {
        match self {
            Self::Localnet(command) => {
                command.run()?;
                Ok(())
            }
            Self::Serve(command) => {
                command.run()?;
                Ok(())
            }
            Self::Pay(command) => return Ok(command.run()?.into()),
            Self::Receipts(command) => return Ok(command.run()?.into()),
            Self::Close(command) => return Ok(command.run()?.into()),
            Self::Audit(command) => return Ok(command.run()?),
            Self::Deploy(command) => command.run(),
            Self::Status(command) => command.run(),
            Self::Lock(command) => command.run(),
            Self::Surplus(command) => command.run(),
            Self::Import(command) => command.run(),
            Self::Publish(command) => command.run(),
            Self::Void(command) => command.run(),
            Self::Pause(command) => command.run(),
            Self::Unpause(command) => command.run(),
            Self::Trip(command) => command.run(),
            Self::Reset(command) => command.run(),
            Self::Limit(command) => command.run(),
            Self::Guardian(command) => command.run(),
            Self::Delegate(command) => command.run(),
            Self::Rotate(command) => command.run(),
            Self::Owner(command) => command.run(),
            Self::Upgrade(command) => command.run(),
            Self::Migrate(command) => command.run(),
            Self::Withdraw(command) => command.run(),
            Self::Keepalive(command) => command.run(),
            Self::Lanes(command) => command.run(),
            Self::Key(command) => command.run(),
        }?;
        Ok(Exit::Done.into())
    }
}
