//! Only the contract and its token speak here.

use super::{About, Check, End, Evidence, Sink};
use crate::books::World;
use crate::model::{Emitter, Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "ORIGIN",
    code: 31,
    asks: "Is every event of the contract or of its token?",
    proves: "No event of another contract stands among those that are counted. Names of events are free for all; \
             who emitted one is the network's word.",
    not: "Anything of what other contracts do.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Origin {
    seen: u64,
}

impl Check for Origin {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, _: &World, tx: &Tx, out: &mut Sink) {
        for event in &tx.events {
            self.seen += 1;
            if let Emitter::Other(contract) = event.emitter {
                out.refuted(
                    format!("the event is of contract {contract}"),
                    Evidence::event(tx, event.id),
                );
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
