//! `pay FILE.csv --run NAME`: every row of a file exactly once.

use std::path::PathBuf;

use clap::Args;

use crate::desk::block_on;
use crate::exit::Exit;
use crate::output::Format;
use crate::run::{Act, Error, Offering, Reading, Signing, act, check};

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
    /// How data is written to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: Format,
    #[command(flatten)]
    offering: Offering,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    signing: Signing,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<Exit, Error> {
        if self.check {
            return check(&self.file, self.decimals, self.output);
        }
        let what = if self.dry_run { Act::DryRun } else { Act::Pay };
        let name = self.run.unwrap_or_default();
        block_on(act(
            what,
            (Some(&self.file), &name),
            &self.reading,
            &self.signing,
            &self.offering,
            self.yes,
            self.output,
        ))
    }
}
