//! CSV, a line a check, a finding and a notice. Cells that a spreadsheet would run are shown as text.

use payout_engine::rows::guarded;

use super::Report;
use crate::checks::Evidence;

const HEADER: [&str; 9] = [
    "kind",
    "id",
    "outcome",
    "ledger",
    "transaction",
    "event",
    "key",
    "entry",
    "text",
];

impl Report {
    /// The report as CSV.
    ///
    /// # Errors
    /// A write into memory that failed.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(HEADER)?;
        let mut line = |kind: &str, id: &str, outcome: &str, evidence: &Evidence, text: &str| {
            let cell = |value: &Option<String>| guarded(value.as_deref().unwrap_or_default());
            out.write_record([
                kind.to_owned(),
                guarded(id),
                outcome.to_owned(),
                evidence
                    .ledger
                    .map(|ledger| ledger.to_string())
                    .unwrap_or_default(),
                cell(&evidence.transaction),
                cell(&evidence.event),
                cell(&evidence.key),
                cell(&evidence.entry),
                guarded(text),
            ])
        };
        let none = Evidence::default();
        line(
            "verdict",
            self.verdict.name(),
            self.verdict.name(),
            &none,
            &self.headline(),
        )?;
        line("digest", &hex::encode(self.digest), "", &none, "")?;
        for (name, value) in self.scope.lines() {
            line("scope", name, "", &none, &value)?;
        }
        for check in &self.checks {
            line(
                "check",
                check.about.id,
                check.outcome.name(),
                &none,
                &check.text,
            )?;
        }
        for finding in &self.findings {
            let outcome = finding.outcome.name();
            line(
                "finding",
                finding.check,
                outcome,
                &finding.evidence,
                &finding.text,
            )?;
        }
        for notice in &self.listing.notices {
            line("notice", &notice.kind, "", &notice.evidence, &notice.text)?;
        }
        let bytes = out.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
