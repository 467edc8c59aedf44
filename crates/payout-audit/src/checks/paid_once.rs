//! Every key paid at most once.

use std::collections::HashMap;

use super::{About, Check, End, Evidence, Sink};
use crate::books::{KeyState, World, key_digest};
use crate::model::{Body, Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "PAID-ONCE",
    code: 20,
    asks: "Did every key pay at most once?",
    proves: "No key has two payouts, among the events of the range and among the records that were read.",
    not: "That two keys are not one obligation: that is asked of the obligations. That no payout lies \
          beside what was read: that is COMPLETE.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct PaidOnce {
    payouts: u64,
}

impl Check for PaidOnce {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, world: &World, tx: &Tx, out: &mut Sink) {
        let mut here = Vec::new();
        for event in &tx.events {
            let Body::Paid(paid) = &event.body else {
                continue;
            };
            self.payouts += 1;
            let digest = key_digest(&paid.key);
            let before = world
                .keys
                .get(&digest)
                .filter(|facts| facts.state == KeyState::Paid)
                .map(|facts| facts.at);
            let before = before.or_else(|| {
                here.iter()
                    .find(|(other, _)| *other == digest)
                    .map(|(_, at)| *at)
            });
            if let Some(first) = before {
                out.refuted(
                    format!("the key paid a second time; the first was event {first}"),
                    Evidence::event(tx, event.id).key(&paid.key),
                );
            }
            here.push((digest, event.id));
        }
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let mut records = 0_u64;
        if let Some(chain) = end.chain {
            let mut by_number = HashMap::new();
            let mut paid: Vec<_> = chain
                .records
                .iter()
                .filter(|(_, record)| record.paid())
                .collect();
            paid.sort_by_key(|(digest, record)| (record.payout_id, **digest));
            for (digest, record) in paid {
                records += 1;
                if let Some(other) = by_number.insert(record.payout_id, digest) {
                    out.refuted(
                        format!(
                            "two records have number {}: of the keys with digest {} and {}",
                            record.payout_id,
                            hex::encode(other),
                            hex::encode(digest)
                        ),
                        Evidence::ledger(record.ledger).entry(hex::encode(digest)),
                    );
                }
            }
        }
        if self.payouts == 0 && records == 0 && end.coverage.is_none() && end.chain.is_none() {
            return (Outcome::NotAsked, "nothing was read".to_owned());
        }
        let text = format!("{} payouts in events, {records} in records", self.payouts);
        (Outcome::Proven, text)
    }
}
