//! What checks find.

use std::collections::BTreeMap;

use crate::model::{EventId, Tx};
use crate::verdict::Outcome;

/// Findings of one check that are kept whole; more are counted.
const KEPT: u64 = 1_000;

/// Where to look.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence {
    /// The ledger.
    pub ledger: Option<u32>,
    /// The transaction's hash.
    pub transaction: Option<String>,
    /// The event's id.
    pub event: Option<String>,
    /// The idempotency key, or its digest.
    pub key: Option<String>,
    /// The ledger entry.
    pub entry: Option<String>,
}

impl Evidence {
    /// An event of a transaction.
    #[must_use]
    pub fn event(tx: &Tx, id: EventId) -> Self {
        Self {
            event: Some(id.to_string()),
            ..Self::transaction(tx)
        }
    }

    /// A transaction.
    #[must_use]
    pub fn transaction(tx: &Tx) -> Self {
        Self {
            ledger: Some(tx.ledger),
            transaction: Some(hex::encode(tx.hash)),
            ..Self::default()
        }
    }

    /// A ledger.
    #[must_use]
    pub fn ledger(ledger: u32) -> Self {
        Self {
            ledger: Some(ledger),
            ..Self::default()
        }
    }

    /// The same, with a key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The same, with an entry.
    #[must_use]
    pub fn entry(mut self, entry: impl Into<String>) -> Self {
        self.entry = Some(entry.into());
        self
    }
}

/// Something that is not proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub check: &'static str,
    /// [`Outcome::Refuted`] or [`Outcome::Undetermined`].
    pub outcome: Outcome,
    /// What was found.
    pub text: String,
    /// Where.
    pub evidence: Evidence,
}

/// Collects findings of the check that is running.
#[derive(Debug, Default)]
pub struct Sink {
    check: &'static str,
    findings: Vec<Finding>,
    counts: BTreeMap<(&'static str, bool), u64>,
}

impl Sink {
    pub(crate) fn running(&mut self, check: &'static str) -> &mut Self {
        self.check = check;
        self
    }

    /// Not as it should be.
    pub fn refuted(&mut self, text: impl Into<String>, evidence: Evidence) {
        self.add(Outcome::Refuted, text.into(), evidence);
    }

    /// Cannot be told.
    pub fn undetermined(&mut self, text: impl Into<String>, evidence: Evidence) {
        self.add(Outcome::Undetermined, text.into(), evidence);
    }

    fn add(&mut self, outcome: Outcome, text: String, evidence: Evidence) {
        let count = self
            .counts
            .entry((self.check, outcome == Outcome::Refuted))
            .or_default();
        *count += 1;
        if *count <= KEPT {
            self.findings.push(Finding {
                check: self.check,
                outcome,
                text,
                evidence,
            });
        }
    }

    /// How many of a check, those that are not kept too.
    #[must_use]
    pub fn count(&self, check: &'static str, refuted: bool) -> u64 {
        self.counts.get(&(check, refuted)).copied().unwrap_or(0)
    }

    /// What was kept.
    #[must_use]
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}
