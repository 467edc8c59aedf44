//! `pay FILE.csv --run NAME`: every row of a file exactly once.

mod check;
mod clerk;
mod confirm;
mod folder;
mod left_out;
mod outcome;
mod patience;
mod prepare;
mod progress;
mod receipts;
mod session;
mod show;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use payout_engine::payer;

use crate::config::{ContractArgs, NetworkArgs, SourceArgs};
use crate::exit::Exit;
use folder::Folder;
use session::Session;

pub(crate) use outcome::Error;

/// Pay every row of a file exactly once. The same command goes on wherever it was interrupted
#[derive(Args)]
pub(crate) struct Cmd {
    /// The file: columns walletAddress, id, amount and, if you have them, paymentID and
    /// walletAddressMemo. Other columns are ignored and never stored
    file: PathBuf,
    /// The run's name. Whatever is paid under one name is paid once, from any machine, whatever
    /// becomes of the file
    #[arg(long, value_name = "NAME", required_unless_present = "check")]
    run: Option<String>,
    /// Judge the rows and do nothing else. Needs no network
    #[arg(long, conflicts_with_all = ["dry_run", "run"])]
    check: bool,
    /// The token's decimals, where no network is asked
    #[arg(long, value_name = "N", default_value_t = 7, requires = "check")]
    decimals: u32,
    /// Ask the network about every recipient, show plan and cost, and pay nobody
    #[arg(long)]
    dry_run: bool,
    /// Pay without asking
    #[arg(long, short)]
    yes: bool,
    /// What to print on stdout
    #[arg(long, value_enum, default_value_t = Output::Table, value_name = "FORMAT")]
    output: Output,
    #[command(flatten)]
    run_args: RunArgs,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    source: SourceArgs,
}

/// How a run is read and paid.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// An id that is to be paid though it has wallet and amount of a paid one that is not in the
    /// file any more; can be repeated
    #[arg(long, value_name = "ID")]
    also: Vec<String>,
    /// An ended run whose paid rows are skipped; name every one there was before; can be repeated
    #[arg(long, value_name = "RUN")]
    after: Vec<String>,
    /// Most rows of a batch [default: as many as the contract takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_batch: Option<u32>,
    /// An id that may be paid though its wallet is a contract that nobody has deployed, or the
    /// asset's issuer; can be repeated
    #[arg(long, value_name = "ID")]
    allow: Vec<String>,
    /// Another account that sends and pays the fees: an identity, env:NAME or file:PATH
    #[arg(long, value_name = "WHO")]
    lane: Option<String>,
    /// Most that is bid for inclusion, in stroops for each operation (a fee bump counts as two)
    #[arg(long, value_name = "STROOPS", default_value_t = 10_000_000)]
    max_fee: u32,
    /// Most that a batch's resources may cost, in stroops
    #[arg(long, value_name = "STROOPS", default_value_t = 500_000_000)]
    max_resource_fee: i64,
    /// Pay for restoring archived entries where a payout needs it
    #[arg(long)]
    restore: bool,
    /// Where journal and receipts are kept [default: payout-NAME beside the file]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Receipts of another machine, to explain what it paid; can be repeated
    #[arg(long, value_name = "FILE")]
    receipts: Vec<PathBuf>,
    /// Milliseconds between two looks at the network
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(10..=60_000))]
    poll: u64,
}

/// A form of data on stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people
    Table,
    /// A line a row
    Csv,
    /// Everything
    Json,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<Exit, Error> {
        if self.check {
            return check::run(&self.file, self.decimals, self.output);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Runtime)?;
        runtime.block_on(self.pay())
    }

    async fn pay(self) -> Result<Exit, Error> {
        let bytes = std::fs::read(&self.file).map_err(|error| Error::Read {
            path: self.file.clone(),
            error,
        })?;
        let name = self.run.unwrap_or_default();
        let folder = Folder::of(&name, self.run_args.folder.as_deref(), &self.file)?;
        let mut session = Session::open(
            &name,
            &self.run_args,
            &self.network,
            &self.contract,
            &self.source,
            (!self.dry_run).then_some(&folder),
            &folder,
        )
        .await?;
        let prepared = prepare::prepare(&mut session, &self.run_args, &folder, &bytes).await?;
        show::plan(&session, &prepared);
        if !prepared.obstacles.is_empty() {
            return Err(Error::Obstacles(prepared.obstacles));
        }
        if self.dry_run {
            left_out::print(&prepared, self.output)?;
            return Ok(outcome::of_dry_run(&prepared));
        }
        if prepared.pays() {
            confirm::confirm(&session, &prepared, self.yes)?;
        }
        let rows = u64::try_from(prepared.order.rows.len()).unwrap_or(u64::MAX);
        let bar = session.driver.host.bar(rows);
        let mut clerk = clerk::Clerk {
            nodes: &session.reader,
            passphrase: &session.facts.passphrase,
            caller: session.caller,
            lane: session.lane,
            probe: &prepared.probe,
            consents: &prepared.consents,
            bar: bar.clone(),
        };
        let report = payer::pay(&mut session.driver, &mut clerk, prepared.order.clone()).await;
        bar.finish_and_clear();
        let receipts = receipts::gather(&session, &prepared, &report).await;
        receipts.write(&folder)?;
        left_out::write(&folder, &prepared, &report)?;
        receipts.print(self.output)?;
        outcome::tell(&session, &prepared, &report, &folder, &self.file)
    }
}
