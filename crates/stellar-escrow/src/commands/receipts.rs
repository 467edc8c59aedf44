//! `receipts FILE.csv --run NAME`: what a run has paid.

use std::path::PathBuf;

use clap::Args;

use crate::desk::block_on;
use crate::exit::Exit;
use crate::output::Format;
use crate::run::{Error, Reading, show};

/// Show what a run has paid: each row with key, payout, transaction, ledger and amount. Needs no key
#[derive(Args)]
pub(crate) struct Cmd {
    /// The file whose rows are looked up
    file: PathBuf,
    /// The run's name
    #[arg(long, value_name = "NAME")]
    run: String,
    /// How data is written to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: Format,
    #[command(flatten)]
    reading: Reading,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<Exit, Error> {
        block_on(show((&self.file, &self.run), &self.reading, self.output))
    }
}
