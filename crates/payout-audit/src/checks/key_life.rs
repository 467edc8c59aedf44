//! What happens to a key after it was consumed.

use super::{About, Check, End, Evidence, Sink};
use crate::books::{KeyState, World, key_digest};
use crate::model::{Body, EventId, Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "KEY-LIFE",
    code: 21,
    asks: "Does every key live as the contract lets it?",
    proves: "No key pays after it was voided or imported, none is voided or imported after it was consumed; \
             every replay is of a key that was consumed before; every conflict stands behind its replay and \
             names what that key paid.",
    not: "That a replay or a void was not left out: what changes no balance and no payout is missed by \
          nobody. For a range that does not begin at the start, replays of earlier keys are not judged.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct KeyLife {
    seen: u64,
    /// Replays of keys that no event here consumed.
    orphans: Vec<(Evidence, EventId)>,
}

impl Check for KeyLife {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, world: &World, tx: &Tx, out: &mut Sink) {
        for (at, event) in tx.events.iter().enumerate() {
            let evidence = |key: &str| Evidence::event(tx, event.id).key(key);
            let known = |key: &str| world.keys.get(&key_digest(key));
            match &event.body {
                Body::Paid(paid) => {
                    self.seen += 1;
                    let state = known(&paid.key).map(|facts| facts.state);
                    if matches!(state, Some(KeyState::Voided | KeyState::Imported)) {
                        let was = if state == Some(KeyState::Voided) {
                            "voided"
                        } else {
                            "imported"
                        };
                        out.refuted(
                            format!("the key paid after it was {was}"),
                            evidence(&paid.key),
                        );
                    }
                }
                Body::Voided { key, .. } | Body::Imported { key } => {
                    self.seen += 1;
                    if known(key).is_some() {
                        out.refuted(
                            "the key was voided or imported after it was consumed",
                            evidence(key),
                        );
                    }
                }
                Body::Replayed { key, .. } => {
                    self.seen += 1;
                    match known(key).map(|facts| facts.state) {
                        None if self.orphans.len() < 1_000 => {
                            self.orphans.push((evidence(key), event.id));
                        }
                        Some(KeyState::Voided) => {
                            out.refuted("a voided key was answered as a replay", evidence(key));
                        }
                        _ => {}
                    }
                }
                Body::Conflict {
                    key,
                    recorded,
                    presented,
                } => {
                    let replay = at.checked_sub(1).and_then(|before| tx.events.get(before));
                    let follows = replay.is_some_and(
                        |replay| matches!(&replay.body, Body::Replayed { key: other, .. } if other == key),
                    );
                    if !follows {
                        out.refuted(
                            "the conflict stands behind no replay of its key",
                            evidence(key),
                        );
                    }
                    if recorded == presented {
                        out.refuted("the conflict is between equals", evidence(key));
                    }
                    let paid = known(key).and_then(|facts| facts.fingerprint);
                    if paid.is_some_and(|paid| paid != *recorded) {
                        out.refuted(
                            format!(
                                "the conflict says that {recorded} was paid, which is not what was"
                            ),
                            evidence(key),
                        );
                    }
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let Some(coverage) = end.coverage else {
            return (Outcome::NotAsked, "no events were asked for".to_owned());
        };
        if coverage.whole() {
            for (evidence, _) in self.orphans.drain(..) {
                // Keys of an earlier layout are consumed without an event of ours.
                let record = evidence
                    .key
                    .as_deref()
                    .and_then(|key| end.chain.map(|chain| chain.records.get(&key_digest(key))));
                let legacy =
                    record.is_some_and(|record| record.is_none_or(|record| !record.paid()));
                if !legacy {
                    out.refuted("a replay of a key that no event consumed", evidence);
                }
            }
        }
        (Outcome::Proven, format!("{} events of keys", self.seen))
    }
}
