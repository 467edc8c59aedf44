//! What came out, in four forms that say the same.

mod chart;
mod csv;
mod digest;
mod html;
mod json;
mod scope;
mod table;

pub use html::Links;
pub use scope::Scope;

use crate::checks::{About, Finding};
use crate::listing::Listing;
use crate::verdict::{Outcome, UNDETERMINED, Verdict};

/// What a check ended in.
#[derive(Debug, Clone)]
pub struct CheckResult {
    /// The check.
    pub about: &'static About,
    /// What it ended in.
    pub outcome: Outcome,
    /// How much it looked at.
    pub text: String,
    /// Findings that refute it.
    pub refuted: u64,
    /// Findings that leave it open.
    pub undetermined: u64,
}

/// A report.
#[derive(Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// What it covers.
    pub scope: Scope,
    /// The checks, the gravest first.
    pub checks: Vec<CheckResult>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What is listed.
    pub listing: Listing,
    /// The digest by which two auditors compare.
    pub digest: [u8; 32],
}

impl Report {
    pub(crate) fn new(
        verdict: Verdict,
        scope: Scope,
        checks: Vec<CheckResult>,
        findings: Vec<Finding>,
        listing: Listing,
    ) -> Self {
        let digest = digest::of(verdict, &scope, &checks, &findings);
        Self {
            verdict,
            scope,
            checks,
            findings,
            listing,
            digest,
        }
    }

    /// The exit code: 0 for clean, [`UNDETERMINED`], or that of the gravest check that is refuted.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self.verdict {
            Verdict::Clean => 0,
            Verdict::Undetermined => UNDETERMINED,
            Verdict::Refuted => self
                .checks
                .iter()
                .find(|check| check.outcome == Outcome::Refuted)
                .map_or(UNDETERMINED, |check| check.about.code),
        }
    }

    /// A check's outcome.
    #[must_use]
    pub fn outcome(&self, id: &str) -> Option<Outcome> {
        self.checks
            .iter()
            .find(|check| check.about.id == id)
            .map(|check| check.outcome)
    }

    /// The verdict in a sentence.
    #[must_use]
    pub fn headline(&self) -> String {
        let refuted: Vec<&str> = self.ids(Outcome::Refuted);
        let open: Vec<&str> = self.ids(Outcome::Undetermined);
        match self.verdict {
            Verdict::Clean => format!(
                "Clean: nobody was paid twice, and nothing was paid beside it. {}",
                self.scope.reach()
            ),
            Verdict::Undetermined => format!(
                "Undetermined: not provable from what is at hand ({}). {}",
                open.join(", "),
                self.scope.reach()
            ),
            Verdict::Refuted => format!("Refuted: {}. {}", refuted.join(", "), self.scope.reach()),
        }
    }

    fn ids(&self, outcome: Outcome) -> Vec<&'static str> {
        self.checks
            .iter()
            .filter(|check| check.outcome == outcome)
            .map(|check| check.about.id)
            .collect()
    }
}
