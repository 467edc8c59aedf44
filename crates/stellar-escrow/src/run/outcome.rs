//! How it ended, for people and for whoever reads the exit code.

use std::path::{Path, PathBuf};

use payout_engine::Utc;
use payout_engine::escrow::EscrowError;
use payout_engine::journal::JournalError;
use payout_engine::payer::{RunEnd, RunReport};
use payout_engine::preflight::{Obstacle, PreflightError};
use payout_engine::protocol::{Answer, Bounds, Knowledge, Stop};
use payout_engine::rows::FileError;
use payout_engine::run::RowState;

use super::folder::Folder;
use super::neighbours::Neighbour;
use super::offer::OfferError;
use super::prepare::Prepared;
use super::session::Session;
use super::weight::TooLight;
use crate::amount::{shown, xlm};
use crate::ask::NotConfirmed;
use crate::config;
use crate::exit::Exit;

/// Why nothing was paid by this call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{} cannot be read: {error}", .path.display())]
    Read {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{} cannot be written: {error}", .path.display())]
    Write {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Config(#[from] config::Error),
    #[error(transparent)]
    Value(#[from] payout_keys::Error),
    #[error(transparent)]
    Escrow(#[from] EscrowError),
    #[error(transparent)]
    Preflight(#[from] PreflightError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the journal cannot be read: {0}")]
    Memory(String),
    #[error(transparent)]
    NotConfirmed(#[from] NotConfirmed),
    #[error("there is no node to ask; give --rpc-url")]
    NoNode,
    #[error("{} holds no receipts of this program: {why}", .path.display())]
    NotReceipts { path: PathBuf, why: String },
    #[error("this call signed nothing, because {}{}", each(.obstacles), held_rows(*.held))]
    Obstacles {
        obstacles: Vec<Obstacle>,
        /// Rows of an offer that was made before.
        held: usize,
    },
    #[error("nothing was signed: {}", each(.0))]
    Neighbours(Vec<Neighbour>),
    #[error(transparent)]
    Weight(#[from] TooLight),
    #[error(transparent)]
    Offer(#[from] OfferError),
    #[error("{}", end(.0))]
    End(Box<RunEnd>),
    #[error("the output cannot be written: {0}")]
    Output(String),
    #[error("the program cannot wait for the network: {0}")]
    Runtime(#[from] std::io::Error),
}

impl From<RunEnd> for Error {
    fn from(end: RunEnd) -> Self {
        Self::End(Box::new(end))
    }
}

impl Error {
    /// The code that goes with it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Read { .. } | Self::File(_) | Self::NotReceipts { .. } => Exit::File,
            Self::Obstacles { held: 0, .. } | Self::Weight(_) => Exit::Refused,
            Self::Obstacles { .. } => Exit::OutcomeUnknown,
            Self::Neighbours(_) => Exit::Halted,
            Self::Offer(error) => error.exit(),
            Self::End(end) => code(end),
            // Before the first batch as in the middle of a run: nothing is wrong with what was asked for.
            Self::Journal(JournalError::Full { .. } | JournalError::Sqlite { .. })
            | Self::Memory(_) => Exit::Stopped,
            Self::Write { error, .. } if no_room(error) => Exit::Stopped,
            _ => Exit::Error,
        }
    }
}

/// Whether a file cannot be written because there is no more room for it.
fn no_room(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

fn held_rows(rows: usize) -> String {
    match rows {
        0 => String::new(),
        rows => format!(
            ". {rows} rows are held by an offer that was made before: they may be or become paid. Do not pay \
             them in another way; the same command finds out"
        ),
    }
}

fn each<T: ToString>(things: &[T]) -> String {
    let each: Vec<String> = things.iter().map(ToString::to_string).collect();
    each.join("; ")
}

/// What an end means to whoever called.
fn code(end: &RunEnd) -> Exit {
    match end {
        RunEnd::Complete => Exit::Done,
        RunEnd::LeftOver => Exit::RowsLeft,
        RunEnd::Ended { .. } => Exit::RunEnded,
        RunEnd::Halted(_) => Exit::Halted,
        RunEnd::Stopped { answer, .. } => match answer {
            Answer::Stopped {
                knowledge: Knowledge::Unknown(_),
                ..
            } => Exit::OutcomeUnknown,
            Answer::Stopped {
                stop: Stop::Refused(_),
                ..
            } => Exit::Refused,
            Answer::Stopped {
                knowledge: Knowledge::UnpaidAsOf { .. },
                ..
            } => Exit::Stopped,
            _ => Exit::OutcomeUnknown,
        },
        RunEnd::NeedsConsent { .. } | RunEnd::Unread(_) | RunEnd::Store(_) => Exit::Stopped,
    }
}

/// Why it came to rest, in words.
fn end(end: &RunEnd) -> String {
    match end {
        RunEnd::Complete => "every row is paid".to_owned(),
        RunEnd::LeftOver => {
            "the rest cannot be paid now; the same run goes on when it can".to_owned()
        }
        RunEnd::Ended { slot } => format!(
            "the run has ended: slot {slot} is void. What is not paid is finally not paid under it"
        ),
        RunEnd::Halted(halt) => halt.to_string(),
        RunEnd::NeedsConsent {
            entries,
            resource_fee,
        } => format!(
            "the next batch would restore {entries} archived entries, for resources of {} in all; \
             say --restore if that is meant",
            xlm(*resource_fee)
        ),
        RunEnd::Stopped { slot, answer } => format!("slot {slot}: {}", stopped(answer)),
        RunEnd::Unread(why) => format!("the run's slots cannot be read: {why}"),
        RunEnd::Store(why) => format!("the journal cannot be read: {why}"),
    }
}

/// The ledger in which nothing can happen any more of what was signed.
pub(super) fn past(bounds: Option<Bounds>) -> String {
    bounds.map_or_else(
        || "its envelopes run out".to_owned(),
        |past| {
            let last = past
                .authorised_until
                .unwrap_or_default()
                .max(past.max_ledger);
            format!(
                "a ledger after {last} that closes after {}",
                Utc(past.max_time)
            )
        },
    )
}

fn stopped(answer: &Answer) -> String {
    match answer {
        Answer::Stopped {
            key,
            stop,
            knowledge,
            hashes,
        } => {
            let known = match knowledge {
                Knowledge::UnpaidAsOf {
                    ledger: Some(ledger),
                } => format!(
                    "as of ledger {ledger} it is not paid, and nothing signed here can pay it"
                ),
                Knowledge::UnpaidAsOf { ledger: None } => "nothing was signed".to_owned(),
                Knowledge::Unknown(awaited) => {
                    format!("it may be or become paid until {}", past(awaited.past))
                }
            };
            let hashes: Vec<String> = hashes.iter().map(ToString::to_string).collect();
            let hashes = if hashes.is_empty() {
                String::new()
            } else {
                format!(" (transactions {})", hashes.join(", "))
            };
            format!("{stop}. {known}. The same command goes on under key {key}{hashes}")
        }
        other => format!("{other:?}; the same command goes on"),
    }
}

/// A dry run's code.
pub(crate) fn of_dry_run(prepared: &Prepared) -> Exit {
    let rejected = prepared.not_paid(&prepared.plan).count();
    if prepared.unpayable.is_empty() && rejected == 0 {
        Exit::Done
    } else {
        Exit::RowsLeft
    }
}

/// The code of a run whose papers may not have been written. What became of the money goes before that;
/// only where nothing else is left to do, that is what is left.
pub(crate) fn with_papers(exit: Exit, papers: [Result<(), Error>; 4]) -> Exit {
    let mut missing = false;
    for error in papers.into_iter().filter_map(Result::err) {
        eprintln!("error: {error}; the same command writes it");
        missing = true;
    }
    match exit {
        Exit::Done if missing => Exit::Stopped,
        exit => exit,
    }
}

/// The summary on stderr, and the code.
pub(crate) fn tell(
    session: &Session,
    prepared: &Prepared,
    report: &RunReport,
    folder: &Folder,
    file: &Path,
) -> Exit {
    let plan = report.plan.as_ref().unwrap_or(&prepared.plan);
    let token = &session.facts.token;
    let mut paid = (0_usize, 0_i128);
    let (mut held, mut open, mut not_paid) = (0_usize, 0_usize, 0_usize);
    for row in &plan.rows {
        match &row.state {
            RowState::Paid(found) | RowState::Before { found, .. } => {
                paid.0 += 1;
                paid.1 = paid.1.saturating_add(found.line().amount.units());
            }
            RowState::Held => held += 1,
            RowState::Open => open += 1,
            RowState::NotPaid => not_paid += 1,
        }
    }
    let rejected = prepared.not_paid(plan).count();
    eprintln!(
        "{}: {} rows paid ({}), {held} held, {open} open, {not_paid} finally not paid, {rejected} \
         rejected, as of ledger {}",
        file.display(),
        paid.0,
        shown(paid.1, token),
        plan.as_of
    );
    for (id, why) in &report.reasons {
        eprintln!("  {id} was left out: {why}");
    }
    eprintln!("receipts: {}", folder.receipts_csv().display());
    if file.ends_with("left-out.csv") && !file.exists() {
        // It was the file of rows left out, and there are none any more.
        eprintln!("no row of {} is left, so it was removed", file.display());
    }
    if folder.left_out().exists() {
        eprintln!("rows that are not paid: {}", folder.left_out().display());
    }
    let exit = code(&report.end);
    match exit {
        Exit::Done if rejected > 0 => Exit::RowsLeft,
        Exit::Done if !prepared.rejected.is_empty() => {
            eprintln!("every row is paid, and some are rejected as the file has them now");
            Exit::RowsLeft
        }
        Exit::Done if !plan.differences.is_empty() => {
            eprintln!(
                "{} rows were paid otherwise than the file says now; they are named above and not paid \
                 again",
                plan.differences.len()
            );
            Exit::RowsLeft
        }
        Exit::Done => exit,
        Exit::RunEnded if not_paid == 0 && rejected == 0 => Exit::Done,
        _ => {
            eprintln!("{}", end(&report.end));
            exit
        }
    }
}
