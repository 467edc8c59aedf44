//! Every reference in one payout.

use std::collections::HashMap;

use payout_keys::{Fingerprint, Reference};

use super::{About, Check, End, Evidence, Sink};
use crate::books::{KeyDigest, World, key_digest};
use crate::model::{Body, EventId, Subject, Tx, pays};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "REFERENCE-ONCE",
    code: 36,
    asks: "Does every reference stand in one payout, and once?",
    proves: "No two lines of the payouts that were read carry one reference, by the transactions that paid them. A \
             reference is of one row of one run, so no row of a run was paid under two keys, whatever the \
             obligations are.",
    not: "Anything of payouts without references, such as single ones; of one id under two run names, which has two \
          references: that is asked of the obligations; and of payouts whose transaction is not at hand, where \
          that is undetermined.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct ReferenceOnce {
    /// The payouts with references, by their events.
    payouts: Vec<EventId>,
    /// Which of them carries each reference: there may be a million.
    seen: HashMap<Reference, u32>,
    /// Payouts that may have references which are not at hand.
    unknown: Vec<Unknown>,
}

struct Unknown {
    key: KeyDigest,
    /// What it commits to if it has none.
    plain: Option<Fingerprint>,
    evidence: Evidence,
}

impl Check for ReferenceOnce {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, _: &World, tx: &Tx, out: &mut Sink) {
        for settlement in &tx.settlements {
            let Some((event, Body::Paid(paid))) = tx
                .events
                .get(settlement.at)
                .map(|event| (event, &event.body))
            else {
                continue;
            };
            let evidence = || Evidence::event(tx, event.id).key(&paid.key);
            // What was asked for and not paid so is for other checks.
            let Ok(lines) = &settlement.lines else {
                continue;
            };
            match &settlement.asked {
                Some(asked) if pays(asked, lines) => {
                    let number = u32::try_from(self.payouts.len()).unwrap_or(u32::MAX);
                    if asked.referenced() {
                        self.payouts.push(event.id);
                    }
                    for reference in asked.lines().iter().filter_map(|line| line.reference) {
                        let Some(first) = self.seen.insert(reference, number) else {
                            continue;
                        };
                        let first = usize::try_from(first).ok();
                        let first = first.and_then(|first| self.payouts.get(first));
                        let first = first.map(EventId::to_string).unwrap_or_default();
                        out.refuted(
                            format!(
                                "reference {reference} was paid a second time; the first was with event {first}"
                            ),
                            evidence(),
                        );
                    }
                }
                Some(_) => {}
                None if paid.single.is_some() => {}
                None => self.unknown.push(Unknown {
                    key: key_digest(&paid.key),
                    plain: settlement.plain,
                    evidence: evidence(),
                }),
            }
        }
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        if end.coverage.is_none() {
            return (Outcome::NotAsked, "no events were asked for".to_owned());
        }
        for Unknown {
            key,
            plain,
            evidence,
        } in self.unknown.drain(..)
        {
            let record = end.chain.and_then(|chain| chain.records.get(&key));
            let made = record.map(|record| record.fingerprint);
            // With the references of the obligations' ids, each is asked of those.
            let of_ids = end.referenced.get(&key);
            let known = made.is_some_and(|made| {
                plain == Some(made) || of_ids.is_some_and(|of_ids| of_ids.contains(&made))
            });
            if !known {
                out.undetermined(
                    "the payout may have references, and its transaction is not at hand",
                    evidence,
                );
            }
        }
        (
            Outcome::Proven,
            format!(
                "{} references in {} payouts",
                self.seen.len(),
                self.payouts.len()
            ),
        )
    }
}
