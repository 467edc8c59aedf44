//! Every payout's record against its events: what the contract committed to.

use payout_engine::{Record, RecordKind};
use payout_keys::Fingerprint;

use super::{About, Check, End, Evidence, Sink};
use crate::books::{KeyFacts, KeyState};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "RECORDS",
    code: 24,
    asks: "Is the record of every key what its events say?",
    proves: "Each consumed key has a record of the same kind, ledger and sum, and its fingerprint is that of the \
             recipients and amounts in the token's events (with the references of the transaction): so who got \
             what is what the contract committed to.",
    not: "Where the transaction is not at hand and the payout may have references, its fingerprint cannot be made \
          again; that is undetermined.",
};

/// See [`ABOUT`].
pub(super) struct Records;

impl Check for Records {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let Some(chain) = end.chain else {
            return (Outcome::NotAsked, "no node was asked".to_owned());
        };
        if end.coverage.is_none() {
            return (Outcome::NotAsked, "no events were asked for".to_owned());
        }
        let mut facts: Vec<_> = end.world.keys.iter().collect();
        facts.sort_by_key(|(_, facts)| facts.at);
        for (digest, facts) in &facts {
            let evidence = Evidence {
                ledger: Some(facts.at.ledger()),
                event: Some(facts.at.to_string()),
                entry: Some(format!("IdempotencyKey {}", hex::encode(digest))),
                ..Evidence::default()
            };
            match chain.records.get(*digest) {
                None => out.refuted("the contract has no record of this key", evidence),
                Some(record) => {
                    let referenced = end.referenced.get(*digest);
                    for difference in differences(facts, record, referenced) {
                        match difference {
                            Ok(text) => out.refuted(text, evidence.clone()),
                            Err(text) => out.undetermined(text, evidence.clone()),
                        }
                    }
                }
            }
        }
        // A record of the range that no event tells of.
        if let (Some(list), Some(coverage)) = (end.list, end.coverage) {
            for (digest, key) in &list.keys {
                let Some(record) = chain.records.get(digest) else {
                    continue;
                };
                let beyond = end.asked_to.is_some_and(|to| record.ledger > to);
                if !beyond && coverage.has(record.ledger) && !end.world.keys.contains_key(digest) {
                    out.refuted(
                        format!(
                            "the contract has a record of this key of ledger {}, and no event of that ledger \
                             tells of it",
                            record.ledger
                        ),
                        Evidence::ledger(record.ledger).key(key),
                    );
                }
            }
        }
        (Outcome::Proven, format!("{} records", facts.len()))
    }
}

/// What differs (`Ok`), and what cannot be told (`Err`).
fn differences(
    facts: &KeyFacts,
    record: &Record,
    referenced: Option<&Vec<Fingerprint>>,
) -> Vec<Result<String, String>> {
    let mut found = Vec::new();
    let state = match record.kind {
        RecordKind::Single | RecordKind::Batch => KeyState::Paid,
        RecordKind::Imported => KeyState::Imported,
        RecordKind::Voided => KeyState::Voided,
    };
    if state != facts.state {
        found.push(Ok(format!(
            "the events say {:?}, and the record says {:?}",
            facts.state, record.kind
        )));
        return found;
    }
    if record.ledger != facts.at.ledger() {
        found.push(Ok(format!("the record is of ledger {}", record.ledger)));
    }
    if state != KeyState::Paid {
        return found;
    }
    if record.total != facts.total {
        found.push(Ok(format!(
            "the event paid {}, and the record says {}",
            facts.total, record.total
        )));
    }
    if let Some(number) = facts.number
        && number != record.payout_id
    {
        found.push(Ok(format!(
            "the transaction numbered it {number}, and the record says {}",
            record.payout_id
        )));
    }
    let made = [facts.fingerprint, facts.plain];
    let of_ids = referenced.is_some_and(|made| made.contains(&record.fingerprint));
    if of_ids || made.contains(&Some(record.fingerprint)) {
        return found;
    }
    found.push(if facts.fingerprint.is_some() {
        Ok(format!(
            "who got what does not have the record's fingerprint {}",
            record.fingerprint
        ))
    } else {
        Err(format!(
            "the payout may have references, and its transaction is not at hand: fingerprint {} cannot be made \
             again",
            record.fingerprint
        ))
    });
    found
}
