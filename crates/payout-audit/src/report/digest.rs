//! The digest by which two auditors compare: over what was audited and what came out. Nodes, the size
//! of pages, the time and what the state said later do not go into it.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::{CheckResult, Scope};
use crate::checks::Finding;
use crate::verdict::{Outcome, Verdict};

/// The digest's form. A change of what goes in is a new one.
const FORM: &str = "payout-audit/1";

pub(super) fn of(
    verdict: Verdict,
    scope: &Scope,
    checks: &[CheckResult],
    findings: &[Finding],
) -> [u8; 32] {
    // Whether there was a second node to compare with is the auditor's, unless they differ.
    let outcomes: Vec<_> = checks
        .iter()
        .filter(|check| check.about.id != "NODES" || check.outcome == Outcome::Undetermined)
        .map(|check| {
            json!([
                check.about.id,
                check.outcome.name(),
                check.refuted,
                check.undetermined
            ])
        })
        .collect();
    let mut found: Vec<_> = findings
        .iter()
        .map(|finding| {
            let evidence = &finding.evidence;
            // A state's ledger is when the auditor looked.
            let ledger = evidence.ledger.filter(|_| evidence.transaction.is_some());
            (
                finding.check,
                finding.outcome.name(),
                ledger,
                &evidence.event,
                &evidence.key,
            )
        })
        .collect();
    found.sort();
    let coverage = scope.coverage.as_ref();
    let content = json!([
        FORM,
        verdict.name(),
        scope.subject.network.to_string(),
        scope.subject.contract.to_string(),
        scope.subject.token.to_string(),
        coverage.and_then(|coverage| coverage.range),
        coverage.map(|coverage| &coverage.missing),
        hex::encode(scope.events_digest),
        scope.listed,
        scope
            .obligations
            .map(|(rows, digest)| json!([rows, hex::encode(digest)])),
        outcomes,
        found,
    ]);
    Sha256::digest(content.to_string()).into()
}
