//! Why an operating command did not do what it was asked to.

use std::path::PathBuf;

use payout_engine::envelope::EnvelopeError;
use payout_engine::escrow::{EscrowError, contract_error};
use payout_engine::rpc::RpcError;
use payout_engine::transaction::{Outcome, TransactionError, Verdict};

use crate::amount::AmountError;
use crate::ask::NotConfirmed;
use crate::config;
use crate::exit::Exit;

/// An operating command that was not carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Config(#[from] config::Error),
    #[error(transparent)]
    Escrow(#[from] EscrowError),
    #[error(transparent)]
    Node(#[from] RpcError),
    #[error(transparent)]
    Amount(#[from] AmountError),
    #[error(transparent)]
    Key(#[from] payout_keys::Error),
    #[error("{}", refused(*.0))]
    Contract(u32),
    #[error("{0}")]
    Transaction(TransactionError),
    #[error("{what}: {outcome}{}", .outcome.refusal())]
    Outcome { what: String, outcome: Box<Outcome> },
    #[error(
        "an earlier command on this account was interrupted ({what}): {outcome}. Nothing else was \
         done; look whether you still want this one, and give it again"
    )]
    Earlier { what: String, outcome: Box<Outcome> },
    #[error(
        "another command is at work on this account ({}); wait for it, or, if there is none any \
         more, give the command again", .0.display()
    )]
    Busy(PathBuf),
    #[error("{}: {why}", path.display())]
    File { path: PathBuf, why: String },
    #[error("there is no folder for what is under way; name one with --state-dir")]
    NoStateFolder,
    #[error(transparent)]
    NotConfirmed(#[from] NotConfirmed),
    #[error(
        "the fee would be {now} stroops, and {shown} were shown; nothing was done. Give the command again"
    )]
    FeeRose { shown: i64, now: i64 },
    #[error("{0}")]
    Said(String),
    #[error("cannot write the result: {0}")]
    Output(#[from] std::io::Error),
}

fn refused(number: u32) -> String {
    match contract_error(number) {
        Some(error) => format!("the contract refuses it with {error}; nothing was changed"),
        None => format!("the contract refuses it with error {number}; nothing was changed"),
    }
}

/// What the contract said, where a transaction failed by its word.
trait Refusal {
    fn refusal(&self) -> String;
}

impl Refusal for Outcome {
    fn refusal(&self) -> String {
        match &self.verdict {
            Verdict::Failed {
                contract_error: Some(number),
                ..
            } => format!("; {}", refused(*number)),
            _ => String::new(),
        }
    }
}

impl From<TransactionError> for Error {
    fn from(error: TransactionError) -> Self {
        match error {
            TransactionError::Refused(refusal) => match refusal.contract_error {
                Some(number) => Self::Contract(number),
                None => Self::Transaction(TransactionError::Refused(refusal)),
            },
            other => Self::Transaction(other),
        }
    }
}

impl From<EnvelopeError> for Error {
    fn from(error: EnvelopeError) -> Self {
        Self::Transaction(error.into())
    }
}

impl Error {
    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Contract(_) => Exit::Refused,
            Self::Outcome { outcome, .. } | Self::Earlier { outcome, .. } => {
                match outcome.verdict {
                    Verdict::Unknown { .. } => Exit::OutcomeUnknown,
                    Verdict::Failed {
                        contract_error: Some(_),
                        ..
                    } => Exit::Refused,
                    _ => Exit::Error,
                }
            }
            _ => Exit::Error,
        }
    }
}
