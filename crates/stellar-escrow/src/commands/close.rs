//! `close`: ends the program, or one run.

use std::path::PathBuf;

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{self, ActArgs, Desk, block_on, done};
use crate::exit::Exit;
use crate::run::{self, Act, MAX_FEE, MAX_RESOURCE_FEE, Offering, POLL, Reading, Signing};

/// Ends the program: nothing is paid or locked any more, what is left is withdrawn. Final. The admin's.
///
/// With --run it ends that run instead: what it has not paid is never paid under its name. The payout
/// key's.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
    /// The run to end
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// The run's file: its rows are told apart into paid and finally not paid
    #[arg(long, value_name = "FILE", requires = "run")]
    file: Option<PathBuf>,
    /// An ended run before this one; can be repeated
    #[arg(long, value_name = "RUN", requires = "run")]
    after: Vec<String>,
    /// Where the run's journal and receipts are kept [default: payout-NAME beside the file]
    #[arg(long, value_name = "FOLDER", requires = "run")]
    folder: Option<PathBuf>,
    /// Receipts of another machine, to explain what it paid; can be repeated
    #[arg(long, value_name = "FILE", requires = "run")]
    receipts: Vec<PathBuf>,
    /// Milliseconds between two looks at the network
    #[arg(long, value_name = "MS", requires = "run", default_value_t = POLL, value_parser = clap::value_parser!(u64).range(10..=60_000))]
    poll: u64,
    /// Another account that sends and pays the fees: an identity, `env:NAME` or `file:PATH`
    #[arg(long, value_name = "WHO", requires = "run")]
    lane: Option<String>,
    /// Most that is bid for inclusion, in stroops for each operation (a fee bump counts as two)
    #[arg(long, value_name = "STROOPS", requires = "run", default_value_t = MAX_FEE, value_parser = clap::value_parser!(u32).range(100..))]
    max_fee: u32,
    /// Most that one transaction's resources may cost, in stroops
    #[arg(long, value_name = "STROOPS", requires = "run", default_value_t = MAX_RESOURCE_FEE)]
    max_resource_fee: i64,
}

/// Why it was not closed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Desk(#[from] desk::Error),
    #[error(transparent)]
    Run(#[from] run::Error),
}

impl Error {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Desk(error) => error.exit(),
            Self::Run(error) => error.exit(),
        }
    }
}

impl Cmd {
    pub(crate) fn run(self) -> Result<Exit, Error> {
        if self.run.is_some() {
            return Ok(self.end_run()?);
        }
        self.end_program()?;
        Ok(Exit::Done)
    }

    fn end_program(self) -> Result<(), desk::Error> {
        block_on(async {
            let desk = Desk::open(&self.act).await?;
            let facts = desk.facts(&self.contract).await?;
            let will = "close the program for good".to_owned();
            let applied = desk.call(&facts, will, &OperatorCall::Close).await?;
            done(&applied, desk.format)
        })
    }

    fn end_run(self) -> Result<Exit, run::Error> {
        let name = self.run.unwrap_or_default();
        let (yes, output) = (self.act.yes, self.act.read.output);
        let reading = Reading {
            after: self.after,
            folder: self.folder,
            receipts: self.receipts,
            poll: self.poll,
            network: self.act.read.network,
            contract: self.contract,
        };
        let signing = Signing {
            lane: self.lane,
            max_fee: self.max_fee,
            max_resource_fee: self.max_resource_fee,
            restore: false,
            source: self.act.source,
        };
        block_on(run::act(
            Act::Close,
            (self.file.as_deref(), &name),
            &reading,
            &signing,
            &Offering::default(),
            yes,
            output,
        ))
    }
}
