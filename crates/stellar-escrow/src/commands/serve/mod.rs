//! `stellar-escrow serve`.

mod audit;
mod keys;
mod run;
mod settings;

use clap::{Args, Subcommand};

use crate::config;
use settings::Settings;

/// Run the payout gateway: an HTTP service that pays each request once.
///
/// Without a verb it serves until SIGINT or SIGTERM. Everything it needs stands in a configuration
/// file, or in the flags; docs/gateway.md describes both.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    settings: Settings,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    /// Create, list and revoke the bearer keys of callers
    Keys(keys::Cmd),
    /// Verify the audit log, or move old rows of it into a file
    Audit(audit::Cmd),
    /// Say that a program's contract was upgraded to this code on purpose
    AcceptCode(keys::AcceptCode),
    /// Print the `OpenAPI` document
    Openapi,
}

/// Why the gateway did not do it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Config(#[from] config::Error),
    #[error(transparent)]
    Settings(#[from] payout_gateway::ConfigError),
    #[error("{path}: {why}; name the configuration in --config")]
    File {
        path: std::path::PathBuf,
        why: std::io::Error,
    },
    #[error("{program}: {why}")]
    Key { program: String, why: config::Error },
    #[error(transparent)]
    Start(#[from] payout_gateway::StartError),
    #[error(transparent)]
    Store(#[from] payout_gateway::StoreError),
    #[error(transparent)]
    Verify(#[from] payout_gateway::VerifyError),
    #[error(transparent)]
    Archive(#[from] payout_gateway::ArchiveError),
    #[error("{0}")]
    Asked(String),
    #[error("cannot wait for signals: {0}")]
    Signals(std::io::Error),
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        if matches!(self.verb, Some(Verb::Openapi)) {
            print!("{}", payout_gateway::openapi_json());
            return Ok(());
        }
        let runtime = tokio::runtime::Runtime::new().map_err(Error::Signals)?;
        let (settings, verb) = (self.settings, self.verb);
        runtime.block_on(async move {
            match verb {
                None => run::run(&settings).await,
                Some(Verb::Keys(command)) => command.run(&settings).await,
                Some(Verb::Audit(command)) => command.run(&settings).await,
                Some(Verb::AcceptCode(command)) => command.run(&settings).await,
                Some(Verb::Openapi) => Ok(()),
            }
        })
    }
}
