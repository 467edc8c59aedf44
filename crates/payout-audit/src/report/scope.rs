//! What a report covers.

use payout_engine::escrow::Program;

use crate::archive::Head;
use crate::checks::Coverage;
use crate::model::Subject;

/// What a report covers.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Network, contract and token.
    pub subject: Subject,
    /// The ledgers that were read; `None` where no events were asked for.
    pub coverage: Option<Coverage>,
    /// Transactions in them.
    pub transactions: u64,
    /// Events in them.
    pub events: u64,
    /// Keys that they consumed.
    pub keys: usize,
    /// Keys of the list that was given.
    pub listed: Option<usize>,
    /// Rows of the obligations, and the file's digest.
    pub obligations: Option<(usize, [u8; 32])>,
    /// The contract's state: ledger, books, token balance.
    pub chain: Option<(u32, Program, Option<i128>)>,
    /// The code's hash.
    pub code: Option<[u8; 32]>,
    /// Hosts of the nodes.
    pub nodes: Vec<String>,
    /// The archive's end.
    pub archive: Option<Head>,
    /// SHA-256 over all events.
    pub events_digest: [u8; 32],
}

impl Scope {
    /// How far it reaches, in a sentence or two.
    #[must_use]
    pub fn reach(&self) -> String {
        let events = match &self.coverage {
            Some(coverage) => format!("Events of ledgers {}. ", coverage.text()),
            None => "No events were asked for. ".to_owned(),
        };
        let state = match (&self.chain, &self.coverage) {
            (Some((ledger, ..)), _) => format!("State as of ledger {ledger}."),
            (None, Some(coverage)) => {
                let last = coverage.range.map_or(0, |(_, to)| to);
                format!("No node was asked: verified up to ledger {last}, silent after it.")
            }
            (None, None) => "No node was asked.".to_owned(),
        };
        events + &state
    }

    /// Line by line: name and value.
    #[must_use]
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![
            ("Network", self.subject.network.to_string()),
            ("Contract", self.subject.contract.to_string()),
            ("Token", self.subject.token.to_string()),
        ];
        if let Some(program) = &self.subject.program {
            lines.push(("Program", program.clone()));
        }
        lines.push((
            "Code hash",
            self.code.map_or_else(|| "not read".to_owned(), hex::encode),
        ));
        lines.push((
            "Ledgers",
            self.coverage
                .as_ref()
                .map_or_else(|| "no events were asked for".to_owned(), Coverage::text),
        ));
        if self.coverage.is_some() {
            lines.push((
                "Events",
                format!(
                    "{} in {} transactions, {} keys consumed",
                    self.events, self.transactions, self.keys
                ),
            ));
        }
        if let Some((ledger, program, balance)) = &self.chain {
            lines.push((
                "State",
                format!(
                    "ledger {ledger}: {} payouts; {} locked = {} paid + {} withdrawn + {} remaining; token balance {}",
                    program.payout_count,
                    program.total_locked,
                    program.total_paid,
                    program.total_withdrawn,
                    program.remaining_balance,
                    balance.map_or_else(|| "not read".to_owned(), |balance| balance.to_string()),
                ),
            ));
        }
        if let Some(listed) = self.listed {
            lines.push(("Key list", format!("{listed} keys")));
        }
        if let Some((rows, digest)) = &self.obligations {
            lines.push((
                "Obligations",
                format!("{rows} rows, SHA-256 {}", hex::encode(digest)),
            ));
        }
        lines.push((
            "Nodes",
            if self.nodes.is_empty() {
                "none".to_owned()
            } else {
                self.nodes.join(", ")
            },
        ));
        if let Some(head) = &self.archive {
            lines.push((
                "Archive",
                format!(
                    "{} records, head {}",
                    head.records,
                    hex::encode(head.digest)
                ),
            ));
        }
        lines
    }
}
