//! Every event is one that the contract, or a token, has.

use super::{About, Check, End, Evidence, Sink};
use crate::books::World;
use crate::model::{Body, Emitter, Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "SCHEMA",
    code: 32,
    asks: "Does every event say what the contract can say?",
    proves: "Each event has a name, version and fields of the documented schema, and the contract's own program id. What \
             cannot be read is not counted, and is named.",
    not: "That an event under new code means the same. See CODE.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Schema {
    seen: u64,
}

impl Check for Schema {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, _: &World, tx: &Tx, out: &mut Sink) {
        for event in &tx.events {
            self.seen += 1;
            if let (Body::Unread { why }, false) =
                (&event.body, matches!(event.emitter, Emitter::Other(_)))
            {
                out.refuted(why.clone(), Evidence::event(tx, event.id));
            }
        }
    }

    fn end(&mut self, end: &End<'_>, _: &mut Sink) -> (Outcome, String) {
        match end.coverage {
            Some(_) => (Outcome::Proven, format!("{} events", self.seen)),
            None => (Outcome::NotAsked, "no events were asked for".to_owned()),
        }
    }
}
