//! The flags that all operating commands share.

use std::path::PathBuf;

use clap::Args;

use crate::config::{NetworkArgs, SourceArgs};
use crate::output::Format;

/// For commands that read.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    /// How data is written to stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: Format,
}

/// For commands that change something.
#[derive(Debug, Clone, Args)]
pub(crate) struct ActArgs {
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Somebody else whose authorisation is needed, named as a source is; can be repeated
    #[arg(long, value_name = "WHO", help_heading = "Settings")]
    pub(crate) signer: Vec<String>,
    /// What is offered for being included, in stroops for an operation [default: what nine in ten
    /// others bid of late] [env: `STELLAR_INCLUSION_FEE`]
    #[arg(long, value_name = "STROOPS", help_heading = "Settings")]
    pub(crate) inclusion_fee: Option<u32>,
    /// Where a transaction that is under way is kept, so that no crash forgets it [default:
    /// `$XDG_STATE_HOME/stellar-escrow`, else `~/.local/state/stellar-escrow`]
    #[arg(long, value_name = "FOLDER", help_heading = "Settings")]
    pub(crate) state_dir: Option<PathBuf>,
    /// Go on without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// Runs a command's work.
pub(crate) fn block_on<T, E: From<std::io::Error>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(work)
}
