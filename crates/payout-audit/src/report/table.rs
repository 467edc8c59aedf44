//! Tables for the terminal.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};

use super::Report;
use crate::checks::Evidence;
use crate::verdict::Outcome;

/// Findings and notices that are shown; the other forms have all.
const SHOWN: usize = 40;

impl Report {
    /// The report as text, the verdict first.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!("{}\n\n", visible(&self.headline()));
        let mut scope = plain();
        for (name, value) in self.scope.lines() {
            scope.add_row([name.to_owned(), visible(&value)]);
        }
        let _ = writeln!(text, "{scope}\n");
        let mut checks = plain();
        checks.set_header(["Check", "Outcome", "Question", "Looked at"]);
        for check in &self.checks {
            checks.add_row([
                check.about.id.to_owned(),
                check.outcome.name().to_owned(),
                check.about.asks.to_owned(),
                visible(&check.text),
            ]);
        }
        let _ = writeln!(text, "{checks}");
        if !self.findings.is_empty() {
            let mut findings = plain();
            findings.set_header(["Check", "Outcome", "Found", "Evidence"]);
            for finding in self.findings.iter().take(SHOWN) {
                findings.add_row([
                    finding.check.to_owned(),
                    finding.outcome.name().to_owned(),
                    visible(&finding.text),
                    visible(&place(&finding.evidence)),
                ]);
            }
            let _ = writeln!(text, "\n{findings}");
            let total: u64 = self
                .checks
                .iter()
                .map(|check| check.refuted + check.undetermined)
                .sum();
            let shown = u64::try_from(self.findings.len().min(SHOWN)).unwrap_or(u64::MAX);
            if total > shown {
                let _ = writeln!(text, "and {} more; see --output json", total - shown);
            }
        }
        if !self.listing.counts.is_empty() {
            let counts: Vec<String> = self
                .listing
                .counts
                .iter()
                .map(|(kind, count)| format!("{count} {kind}"))
                .collect();
            let _ = writeln!(text, "\nListed: {}", visible(&counts.join(", ")));
        }
        let _ = writeln!(text, "\nDigest {}", hex::encode(self.digest));
        text
    }

    /// Checks that are not proven, for a line of a log.
    #[must_use]
    pub fn unproven(&self) -> Vec<&'static str> {
        self.checks
            .iter()
            .filter(|check| matches!(check.outcome, Outcome::Refuted | Outcome::Undetermined))
            .map(|check| check.about.id)
            .collect()
    }
}

fn plain() -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(120);
    table
}

/// Text of strangers without what a terminal would obey.
fn visible(text: &str) -> String {
    text.chars()
        .map(|character| {
            if character.is_control() {
                '\u{fffd}'
            } else {
                character
            }
        })
        .collect()
}

fn place(evidence: &Evidence) -> String {
    let mut parts = Vec::new();
    if let Some(ledger) = evidence.ledger {
        parts.push(format!("ledger {ledger}"));
    }
    for (name, value) in [
        ("tx", &evidence.transaction),
        ("event", &evidence.event),
        ("key", &evidence.key),
        ("entry", &evidence.entry),
    ] {
        if let Some(value) = value {
            parts.push(format!("{name} {value}"));
        }
    }
    parts.join(", ")
}
