//! `stellar-escrow audit`: proves, refutes, or says that it cannot tell.

mod error;
mod files;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use payout_audit::follow::Nodes;
use payout_audit::obligations::Obligations;
use payout_audit::report::{Links, Report};
use payout_audit::run::{self, Request};
use payout_audit::{archive, checks};
use payout_keys::Deployment;

pub(crate) use error::Error;

use crate::config::{ContractArgs, NetworkArgs};

/// Audit an escrow: was anybody paid twice, and is that all that was paid
///
/// Exit codes: 0 clean, 10 undetermined (not provable), 20 and more the gravest check that is refuted
/// (see --explain all), 1 it could not be run.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    network: NetworkArgs,
    /// The archive of events: made where it is not there, gone on with where it is
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// All keys there are, as somebody says: one a line, or CSV with a column `key`
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// What is owed: CSV with the columns id, key, recipient, amount
    #[arg(long, value_name = "FILE")]
    obligations: Option<PathBuf>,
    /// The name of a run: its ids then have references; can be repeated, where ids may be paid in any of
    /// them
    #[arg(long, value_name = "NAME")]
    run: Vec<String>,
    /// Amounts of the obligations are decimals of a token with so many places, not its smallest units
    #[arg(long, value_name = "PLACES")]
    decimals: Option<u32>,
    /// The first ledger of a new archive [default: the oldest that a node has]
    #[arg(long, value_name = "LEDGER")]
    from: Option<u32>,
    /// The last ledger that is judged [default: the latest]
    #[arg(long, value_name = "LEDGER")]
    to: Option<u32>,
    /// Events asked for at once
    #[arg(long, value_name = "EVENTS", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    page_size: u32,
    /// Ask no node: only the archive speaks
    #[arg(long, requires = "archive", conflicts_with_all = ["keys", "recheck"])]
    offline: bool,
    /// Read again what nodes still have of the archive's ledgers, and compare
    #[arg(long, requires = "archive")]
    recheck: bool,
    /// A digest that the archive must still have, noted from an earlier report
    #[arg(long, value_name = "DIGEST", requires = "archive")]
    archive_head: Option<String>,
    /// Hash of a code that may run; can be repeated
    #[arg(long, value_name = "HASH")]
    code_hash: Vec<String>,
    /// How the report is written to stdout
    #[arg(long, value_enum, default_value_t = Output::Table)]
    output: Output,
    /// Write the report as one HTML page too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// A block explorer for the page's links, which has ADDRESS/tx/HASH and ADDRESS/ledger/NUMBER
    #[arg(long, value_name = "ADDRESS", requires = "html")]
    explorer: Option<String>,
    /// Say what a check proves and what it does not, and do nothing else; `all` for all
    #[arg(long, value_name = "CHECK")]
    explain: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Output {
    /// For people
    Table,
    /// For programs; amounts are strings
    Json,
    /// For spreadsheets
    Csv,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<ExitCode, Error> {
        if let Some(id) = &self.explain {
            print(&explained(id)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Runtime)?;
        let report = runtime.block_on(self.audit())?;
        let text = match self.output {
            Output::Table => report.table(),
            Output::Json => format!("{:#}\n", report.json()),
            Output::Csv => report
                .csv()
                .map_err(|error| Error::Csv(error.to_string()))?,
        };
        if let Some(path) = &self.html {
            let links = match &self.explorer {
                Some(base) => Links::to(base).ok_or_else(|| Error::Explorer(base.clone()))?,
                None => Links::default(),
            };
            files::write(path, &report.html(&links))?;
        }
        print(&text)?;
        Ok(ExitCode::from(report.code()))
    }

    async fn audit(&self) -> Result<Report, Error> {
        // Files first: what is wrong with them is said before anything is asked or written.
        let codes = files::codes(&self.code_hash)?;
        let list = self.keys.as_deref().map(files::keys).transpose()?;
        let head = self.archive_head.as_deref().map(files::digest);
        let mut request = Request {
            archive: self.archive.as_deref(),
            archive_head: head.transpose()?,
            list: list.as_ref(),
            obligations: None,
            from: self.from,
            to: self.to,
            page: self.page_size,
            recheck: self.recheck,
            codes: &codes,
        };
        if let (true, Some(path)) = (self.offline, &self.archive) {
            let subject = archive::subject(path)?;
            let owed = self.owed(Deployment {
                network: subject.network,
                contract: subject.contract,
            })?;
            request.obligations = owed.as_ref();
            return Ok(run::offline(&subject, request)?);
        }
        let network = self.network.resolve()?;
        let folder = self.network.folder.resolve()?;
        let contract = self.contract.resolve(&folder, network.passphrase())?;
        let owed = self.owed(Deployment {
            network: network.id(),
            contract,
        })?;
        request.obligations = owed.as_ref();
        let nodes = Nodes::new(network.clients()?)?;
        let audited = run::online(&nodes, contract, network.passphrase(), request).await?;
        if audited.repaired {
            note(
                "an unfinished record at the archive's end was cut off; its ledgers were read again",
            );
        }
        if self.archive.is_some() {
            let followed = &audited.followed;
            note(&format!(
                "archive: {} pages and {} events more",
                followed.pages, followed.events
            ));
        }
        Ok(audited.report)
    }

    fn owed(&self, at: Deployment) -> Result<Option<Obligations>, Error> {
        let Some(path) = &self.obligations else {
            return Ok(None);
        };
        files::obligations(path, at, &self.run, self.decimals).map(Some)
    }
}

fn explained(id: &str) -> Result<String, Error> {
    let abouts = checks::abouts();
    let text: Vec<String> = abouts
        .iter()
        .filter(|about| id == "all" || id.eq_ignore_ascii_case(about.id))
        .map(|about| {
            format!(
                "{} (exit code {})\n{}\nIt proves: {}\nIt does not prove: {}\n",
                about.id, about.code, about.asks, about.proves, about.not
            )
        })
        .collect();
    if text.is_empty() {
        return Err(Error::NoCheck {
            id: id.to_owned(),
            known: abouts
                .iter()
                .map(|about| about.id)
                .collect::<Vec<_>>()
                .join(", "),
        });
    }
    Ok(text.join("\n"))
}

fn note(text: &str) {
    // Whoever does not listen is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::Print(error)),
        _ => Ok(()),
    }
}
