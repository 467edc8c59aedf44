//! `pay FILE.csv --run NAME`: every row of a file exactly once.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::desk::block_on;
use crate::exit::Exit;
use crate::output::Format;
use crate::run::{
    Act, Building, Error, Offering, Paper, Reading, Signing, act, build, check, sign, submit,
};

/// Pay every row of a file exactly once. The same command goes on wherever it was interrupted
#[derive(Args)]
pub(crate) struct Cmd {
    /// The file: columns walletAddress, id, amount and, if you have them, paymentID and
    /// walletAddressMemo. Other columns are ignored and never stored
    #[arg(required_unless_present_any = ["sign", "submit"])]
    file: Option<PathBuf>,
    /// The run's name. Whatever is paid under one name is paid once, from any machine, whatever
    /// becomes of the file
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present_any = ["check", "sign", "submit"]
    )]
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
    #[command(flatten)]
    sharing: Sharing,
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

/// An offer that several people sign.
#[derive(Args)]
struct Sharing {
    /// Write the next batch as an offer that several people sign, and sign nothing. --source and
    /// --lane may be addresses; --source may be a contract
    #[arg(long, conflicts_with_all = ["check", "dry_run", "sign", "submit"])]
    build_only: bool,
    /// How long an offer is valid, in seconds, from three minutes to a day
    #[arg(long, value_name = "SECONDS", default_value_t = 3_600, requires = "build_only", value_parser = clap::value_parser!(u64).range(180..=86_400))]
    valid_for: u64,
    /// Sign an offer that somebody built. With FILE, its lines have to be rows of that file
    #[arg(long, value_name = "OFFER", conflicts_with_all = ["check", "dry_run", "submit"])]
    sign: Option<PathBuf>,
    /// Put an authorisation in that was signed elsewhere (base64), for a payout key that is a
    /// contract
    #[arg(long, value_name = "FILE", requires = "sign")]
    authorisation: Option<PathBuf>,
    /// Send an offer that has its signatures
    #[arg(long, value_name = "OFFER", conflicts_with_all = ["check", "dry_run"])]
    submit: Option<PathBuf>,
    /// Where an offer is written [default: offer-SLOT.json in the run's folder; with --sign, the
    /// offer itself]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "dry_run", "submit"])]
    output_file: Option<PathBuf>,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<Exit, Error> {
        let file = self.file.as_deref();
        let sharing = self.sharing;
        if let Some(offer) = sharing.sign.as_deref().or(sharing.submit.as_deref()) {
            let paper = Paper {
                offer,
                file,
                run: self.run.as_deref(),
                output_file: sharing.output_file,
                reading: &self.reading,
                signing: &self.signing,
                yes: self.yes,
                output: self.output,
            };
            return block_on(async {
                match sharing.submit {
                    Some(_) => submit(&paper).await,
                    None => sign(&paper, sharing.authorisation.as_deref()).await,
                }
            });
        }
        // Only an offer goes without a file, and only a file's check without a name.
        let file = file.unwrap_or(Path::new(""));
        let name = self.run.unwrap_or_default();
        if self.check {
            return check(file, self.decimals, self.output);
        }
        if sharing.build_only {
            return block_on(build(Building {
                file,
                run: &name,
                reading: &self.reading,
                signing: &self.signing,
                offering: &self.offering,
                valid_for: sharing.valid_for,
                output_file: sharing.output_file,
                output: self.output,
            }));
        }
        let what = if self.dry_run { Act::DryRun } else { Act::Pay };
        block_on(act(
            what,
            (Some(file), &name),
            &self.reading,
            &self.signing,
            &self.offering,
            self.yes,
            self.output,
        ))
    }
}
