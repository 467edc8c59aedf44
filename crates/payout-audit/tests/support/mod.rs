//! A story of an escrow, told as a node would tell it: every transaction with envelope, result and
//! events that hold together, and the state the contract would have. Forgers start from it.

pub(crate) mod seal;
pub(crate) mod story;
pub(crate) mod values;

use std::path::Path;

use payout_audit::archive::{Archive, Page, RawEvent, RawEvidence, RawTx};
use payout_audit::model::Subject;

/// An event that owns its texts.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) contract: String,
    pub(crate) system: bool,
    pub(crate) topics: Vec<String>,
    pub(crate) value: String,
}

/// Evidence that owns its texts.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    pub(crate) envelope: String,
    pub(crate) result: String,
    pub(crate) returned: String,
}

/// A transaction that owns its texts.
#[derive(Clone, Debug)]
pub(crate) struct Tx {
    pub(crate) hash: String,
    pub(crate) ledger: u32,
    pub(crate) closed: String,
    pub(crate) evidence: Option<Evidence>,
    pub(crate) events: Vec<Event>,
}

impl Tx {
    /// The same with its own texts.
    pub(crate) fn of(raw: &RawTx<'_>) -> Self {
        Self {
            hash: raw.hash.to_owned(),
            ledger: raw.ledger,
            closed: raw.closed.to_owned(),
            evidence: raw.evidence.as_ref().map(|evidence| Evidence {
                envelope: evidence.envelope.to_owned(),
                result: evidence.result.to_owned(),
                returned: evidence.returned.to_owned(),
            }),
            events: raw
                .events
                .iter()
                .map(|event| Event {
                    id: event.id.to_owned(),
                    contract: event.contract.to_owned(),
                    system: event.system,
                    topics: event
                        .topics
                        .iter()
                        .map(|topic| (*topic).to_owned())
                        .collect(),
                    value: event.value.to_owned(),
                })
                .collect(),
        }
    }

    pub(crate) fn raw(&self) -> RawTx<'_> {
        RawTx {
            hash: &self.hash,
            ledger: self.ledger,
            closed: &self.closed,
            evidence: self.evidence.as_ref().map(|evidence| RawEvidence {
                envelope: &evidence.envelope,
                result: &evidence.result,
                returned: &evidence.returned,
                foreign: Vec::new(),
            }),
            events: self
                .events
                .iter()
                .map(|event| RawEvent {
                    id: &event.id,
                    contract: &event.contract,
                    system: event.system,
                    topics: event.topics.iter().map(String::as_str).collect(),
                    value: &event.value,
                })
                .collect(),
        }
    }
}

/// Ledgers `from` to `to`.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) latest: u32,
    pub(crate) transactions: Vec<Tx>,
}

/// Cuts transactions into pages of `ledgers` ledgers, up to ledger `last`.
pub(crate) fn sheets(transactions: &[Tx], ledgers: u32, last: u32) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let mut from = 1;
    while from <= last {
        let to = from.saturating_add(ledgers - 1).min(last);
        let inside = |tx: &&Tx| (from..=to).contains(&tx.ledger);
        sheets.push(Sheet {
            from,
            to,
            latest: last,
            transactions: transactions.iter().filter(inside).cloned().collect(),
        });
        from = to + 1;
    }
    sheets
}

/// Writes an archive whose chain holds, whatever the pages say.
pub(crate) fn write(path: &Path, subject: &Subject, sheets: &[Sheet], node: &str) {
    let mut archive = Archive::open(path, subject).expect("the archive opens");
    for sheet in sheets {
        archive
            .page(Page {
                from: sheet.from,
                to: sheet.to,
                latest: sheet.latest,
                node,
                ledger_hash: "",
                transactions: sheet.transactions.iter().map(Tx::raw).collect(),
            })
            .expect("the page is written");
    }
}
