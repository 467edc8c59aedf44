//! Why an offer goes no further.

use std::path::PathBuf;

use payout_engine::Utc;
use payout_engine::approval::ApprovalError;
use payout_engine::protocol::Refusal;
use payout_keys::Recipient;

use crate::exit::Exit;

/// Why nothing was built, signed or sent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OfferError {
    #[error(transparent)]
    Approval(#[from] ApprovalError),
    #[error("the offer is for {what} {offer}, and here it is {here}; nothing was done")]
    Elsewhere {
        what: &'static str,
        offer: String,
        here: String,
    },
    #[error(
        "row {id} of the offer is not in the file with that wallet and amount: the offer pays \
         {offer}, and the file says {file}. Nothing was done"
    )]
    NotInFile {
        id: String,
        offer: String,
        file: String,
    },
    #[error(
        "the offer would be valid for longer than a day: its {what} is {offer}, and at most {most} \
         is allowed now; build it anew"
    )]
    TooLong {
        what: &'static str,
        offer: u64,
        most: u64,
    },
    #[error(
        "the offer ran out: it was valid up to ledger {ledger} and {}; build it anew",
        Utc(*.time)
    )]
    RanOut { ledger: u32, time: u64 },
    #[error(
        "slot {slot} was decided by somebody else: {won} in ledger {ledger}. This offer pays \
         nothing; build the next one, which reads what that was"
    )]
    Taken { slot: u32, won: String, ledger: u32 },
    #[error(
        "slot {slot} is void since ledger {ledger}: the run has ended, and this offer pays nothing"
    )]
    Void { slot: u32, ledger: u32 },
    #[error(
        "row {id} of the offer is paid already, in slot {slot} of run {run}; nothing was done. \
         Whoever built it has to look why"
    )]
    PaidBefore { id: String, slot: u32, run: String },
    #[error("slot {slot} is not the run's open one: slot {before} has no record; build it anew")]
    Early { slot: u32, before: u32 },
    #[error(
        "{who} signs neither for the payout key {payout_key} nor for the source {source_account}; \
         nothing was signed"
    )]
    Stranger {
        who: Recipient,
        payout_key: Recipient,
        source_account: Recipient,
    },
    #[error(
        "signatures are missing: {what} of {account} weighs {weight}, and {needed} is needed; sign \
         it with pay --sign"
    )]
    Missing {
        what: &'static str,
        account: Recipient,
        weight: u32,
        needed: u32,
    },
    #[error("account {0} does not exist; fund it with XLM")]
    NoAccount(Recipient),
    #[error("{0} is a contract and sends nothing; name the account that sends it with --lane")]
    NoLane(Recipient),
    #[error(
        "account {source_account} has used sequence number {sequence} for something else, so this \
         offer cannot be sent any more; build it anew"
    )]
    SequenceUsed {
        source_account: String,
        sequence: i64,
    },
    #[error(
        "{} has an offer that somebody has signed; submit it, remove it, or write another file \
         with --output-file",
        .0.display()
    )]
    SignedAlready(PathBuf),
    #[error("the contract or the network refuses it: {0}; nothing of it is done")]
    Refused(Refusal),
    #[error(
        "the node does not accept the authorisation: {0}; it was not put into the offer. Sign the \
         offer's own entry"
    )]
    NotAccepted(String),
    #[error(
        "the resource fee of {needed} stroops is above the ceiling of {ceiling}; raise it with \
         --max-resource-fee"
    )]
    Fee { needed: i64, ceiling: i64 },
    #[error("no node answers: {0}; the same command goes on")]
    Unanswered(String),
}

impl OfferError {
    /// The code that goes with it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Approval(ApprovalError::NotAnOffer(_) | ApprovalError::Field { .. }) => {
                Exit::File
            }
            Self::Void { .. } => Exit::RunEnded,
            Self::RanOut { .. } | Self::SequenceUsed { .. } | Self::Unanswered(_) => Exit::Stopped,
            Self::SignedAlready(_) => Exit::Error,
            _ => Exit::Refused,
        }
    }
}
