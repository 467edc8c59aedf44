//! What became of the one envelope.

use std::fmt;

use stellar_xdr::{
    ContractEventBody, DiagnosticEvent, ReadXdr, ScError, ScVal, TransactionMeta,
    TransactionResult, TransactionResultResult,
};

use crate::Utc;
use crate::protocol::TxHash;
use crate::rpc::{LIMITS, Transaction, TransactionStatus};

/// The verdict on an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It was applied.
    Applied {
        /// In this ledger.
        ledger: u32,
        /// What it cost, in stroops.
        fee_charged: i64,
        /// What the call returned, where the node tells.
        returned: Option<ScVal>,
    },
    /// It is in the ledger and failed; it has cost its fee and done nothing.
    Failed {
        /// In this ledger.
        ledger: u32,
        /// What it cost, in stroops.
        fee_charged: i64,
        /// The network's word.
        code: String,
        /// The contract's error number, where it was the contract and the node tells.
        contract_error: Option<u32>,
    },
    /// The node refused it at once and has not queued it.
    Refused {
        /// The network's word.
        code: String,
        /// The bid that would do, where it was too low.
        asked: Option<u32>,
    },
    /// It is not in the ledger and never will be: proven.
    NotApplied {
        /// As of this ledger.
        ledger: u32,
        /// Another transaction of the account has its sequence number; else its time is over.
        sequence_taken: bool,
    },
    /// Not known. It may have been applied, or may be yet.
    Unknown {
        /// Why it is not known.
        why: String,
        /// After this close time (Unix seconds) it cannot be applied any more.
        until: u64,
    },
}

/// An envelope and its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The hash to look for.
    pub hash: TxHash,
    /// What became of it.
    pub verdict: Verdict,
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = self.hash;
        match &self.verdict {
            Verdict::Applied { ledger, .. } => write!(out, "applied in ledger {ledger} ({hash})"),
            Verdict::Failed { ledger, code, .. } => {
                write!(
                    out,
                    "failed in ledger {ledger} with {code}; nothing was changed ({hash})"
                )
            }
            Verdict::Refused { code, asked: None } => {
                write!(
                    out,
                    "the node refused it with {code}; nothing was changed ({hash})"
                )
            }
            Verdict::Refused {
                code,
                asked: Some(asked),
            } => write!(
                out,
                "the node refused it with {code}; nothing was changed; an inclusion fee of {asked} \
                 stroops would do ({hash})"
            ),
            Verdict::NotApplied {
                ledger,
                sequence_taken: false,
            } => write!(
                out,
                "not applied, proven as of ledger {ledger}: its time is over; it can be done again \
                 ({hash})"
            ),
            Verdict::NotApplied {
                ledger,
                sequence_taken: true,
            } => write!(
                out,
                "not applied, proven as of ledger {ledger}: another transaction of the account has \
                 its sequence number; it can be done again ({hash})"
            ),
            Verdict::Unknown { why, until } => write!(
                out,
                "outcome unknown: {why}. It can be applied in ledgers that close up to {}; do not do it \
                 again before you have looked for {hash}",
                Utc(*until)
            ),
        }
    }
}

/// The verdict in what a node knows by hash; `None` while it knows nothing.
pub(super) fn read(found: &Transaction) -> Option<Verdict> {
    let result = found
        .result_xdr
        .as_ref()
        .and_then(|xdr| TransactionResult::from_xdr_base64(xdr, LIMITS).ok());
    let fee_charged = result.as_ref().map_or(0, |result| result.fee_charged);
    let meta = found
        .result_meta_xdr
        .as_ref()
        .and_then(|xdr| TransactionMeta::from_xdr_base64(xdr, LIMITS).ok());
    match found.status {
        TransactionStatus::NotFound => None,
        TransactionStatus::Success => Some(Verdict::Applied {
            ledger: found.ledger,
            fee_charged,
            returned: meta.and_then(returned),
        }),
        TransactionStatus::Failed => Some(Verdict::Failed {
            ledger: found.ledger,
            fee_charged,
            code: result.map_or_else(|| "an unreadable result".to_owned(), |result| code(&result)),
            contract_error: meta.as_ref().and_then(contract_error),
        }),
    }
}

fn returned(meta: TransactionMeta) -> Option<ScVal> {
    match meta {
        TransactionMeta::V3(meta) => meta.soroban_meta.map(|soroban| soroban.return_value),
        TransactionMeta::V4(meta) => meta.soroban_meta.and_then(|soroban| soroban.return_value),
        _ => None,
    }
}

/// The code of a failed transaction, and of its first operation that failed.
fn code(result: &TransactionResult) -> String {
    let inner = match &result.result {
        TransactionResultResult::TxFeeBumpInnerFailed(pair) => {
            let stellar_xdr::InnerTransactionResultResult::TxFailed(results) = &pair.result.result
            else {
                return pair.result.result.name().to_owned();
            };
            results
        }
        TransactionResultResult::TxFailed(results) => results,
        other => return other.name().to_owned(),
    };
    let shown = |result: &stellar_xdr::OperationResult| match result {
        stellar_xdr::OperationResult::OpInner(inner) => format!("{inner:?}"),
        other => other.name().to_owned(),
    };
    inner
        .iter()
        .map(shown)
        .find(|text| !text.contains("Success"))
        .unwrap_or_else(|| "TxFailed".to_owned())
}

fn contract_error(meta: &TransactionMeta) -> Option<u32> {
    let events: &[DiagnosticEvent] = match meta {
        TransactionMeta::V3(meta) => &meta.soroban_meta.as_ref()?.diagnostic_events,
        TransactionMeta::V4(meta) => &meta.diagnostic_events,
        _ => return None,
    };
    events.iter().find_map(|event| {
        let ContractEventBody::V0(body) = &event.event.body;
        body.topics.iter().find_map(|topic| match topic {
            ScVal::Error(ScError::Contract(number)) => Some(*number),
            _ => None,
        })
    })
}
