//! JSON. Amounts are strings.

use serde_json::{Map, Value, json};

use super::Report;
use crate::checks::{Coverage, Evidence};

impl Report {
    /// The report as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let scope = &self.scope;
        json!({
            "verdict": self.verdict.name(),
            "exit_code": self.code(),
            "headline": self.headline(),
            "digest": hex::encode(self.digest),
            "scope": {
                "network": scope.subject.network.to_string(),
                "contract": scope.subject.contract.to_string(),
                "token": scope.subject.token.to_string(),
                "program": scope.subject.program,
                "code_hash": scope.code.map(hex::encode),
                "ledgers": scope.coverage.as_ref().map(coverage),
                "transactions": scope.transactions,
                "events": scope.events,
                "keys": scope.keys,
                "listed_keys": scope.listed,
                "obligations": scope.obligations.map(|(rows, digest)| json!({
                    "rows": rows,
                    "sha256": hex::encode(digest),
                })),
                "state": scope.chain.as_ref().map(|(ledger, program, balance)| json!({
                    "ledger": ledger,
                    "payout_count": program.payout_count,
                    "total_locked": program.total_locked.to_string(),
                    "total_paid": program.total_paid.to_string(),
                    "total_withdrawn": program.total_withdrawn.to_string(),
                    "remaining_balance": program.remaining_balance.to_string(),
                    "token_balance": balance.map(|balance| balance.to_string()),
                })),
                "nodes": scope.nodes,
                "archive": scope.archive.map(|head| json!({
                    "records": head.records,
                    "head": hex::encode(head.digest),
                })),
                "events_digest": hex::encode(scope.events_digest),
            },
            "checks": self.checks.iter().map(|check| json!({
                "id": check.about.id,
                "asks": check.about.asks,
                "outcome": check.outcome.name(),
                "exit_code": check.about.code,
                "text": check.text,
                "refuted": check.refuted,
                "undetermined": check.undetermined,
            })).collect::<Value>(),
            "findings": self.findings.iter().map(|finding| {
                let mut fields = evidence(&finding.evidence);
                fields.insert("check".to_owned(), json!(finding.check));
                fields.insert("outcome".to_owned(), json!(finding.outcome.name()));
                fields.insert("text".to_owned(), json!(finding.text));
                Value::Object(fields)
            }).collect::<Value>(),
            "listed": self.listing.counts,
            "notices": self.listing.notices.iter().map(|notice| {
                let mut fields = evidence(&notice.evidence);
                fields.insert("kind".to_owned(), json!(notice.kind));
                fields.insert("closed".to_owned(), json!(notice.closed));
                fields.insert("text".to_owned(), json!(notice.text));
                Value::Object(fields)
            }).collect::<Value>(),
            "days": self.listing.days.iter().map(|(day, numbers)| json!({
                "day": day,
                "payouts": numbers.payouts,
                "paid": numbers.paid.to_string(),
                "replays": numbers.replays,
                "remaining": numbers.remaining.map(|remaining| remaining.to_string()),
            })).collect::<Value>(),
        })
    }
}

fn coverage(coverage: &Coverage) -> Value {
    json!({
        "from": coverage.range.map(|(from, _)| from),
        "to": coverage.range.map(|(_, to)| to),
        "missing": coverage.missing.iter().map(|(from, to)| json!({
            "from": from,
            "to": to,
        })).collect::<Value>(),
        "text": coverage.text(),
    })
}

fn evidence(evidence: &Evidence) -> Map<String, Value> {
    let mut fields = Map::new();
    for (name, value) in [
        ("ledger", json!(evidence.ledger)),
        ("transaction", json!(evidence.transaction)),
        ("event", json!(evidence.event)),
        ("key", json!(evidence.key)),
        ("entry", json!(evidence.entry)),
    ] {
        if !value.is_null() {
            fields.insert(name.to_owned(), value);
        }
    }
    fields
}
