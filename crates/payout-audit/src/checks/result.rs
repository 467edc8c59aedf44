//! The events of each transaction against its result.

use super::{About, Check, End, Evidence, Sink};
use crate::books::World;
use crate::model::{Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "RESULT",
    code: 29,
    asks: "Are a transaction's events those that its result commits to?",
    proves: "The network's result of a transaction has the SHA-256 digest over its return value and all its events in \
             order. The archived ones have that digest: none is altered, left out, added or moved inside the \
             transaction.",
    not: "That the archived result is the network's, or that no whole transaction is left out.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Committed {
    seen: u64,
}

impl Check for Committed {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, _: &World, tx: &Tx, out: &mut Sink) {
        let Some(evidence) = tx.evidence() else {
            return;
        };
        self.seen += 1;
        match (evidence.committed, tx.commitment()) {
            (None, _) => out.refuted(
                "the result is not that of one call that succeeded, and there are events",
                Evidence::transaction(tx),
            ),
            (Some(committed), Some(archived)) if committed != archived => out.refuted(
                format!(
                    "the result commits to {}, and what is archived has {}",
                    hex::encode(committed),
                    hex::encode(archived)
                ),
                Evidence::transaction(tx),
            ),
            _ => {}
        }
    }

    fn end(&mut self, end: &End<'_>, _: &mut Sink) -> (Outcome, String) {
        match end.coverage {
            Some(_) => (Outcome::Proven, format!("{} transactions", self.seen)),
            None => (Outcome::NotAsked, "no events were asked for".to_owned()),
        }
    }
}
