//! Events stand in their order, each once and in its ledger.

use super::{About, Check, End, Evidence, Sink};
use crate::archive::Page;
use crate::books::World;
use crate::model::{EventId, Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "ORDER",
    code: 30,
    asks: "Does every event stand once, in its place?",
    proves: "Ids rise from event to event, so none is there twice or moved; each is of its transaction's ledger, and \
             that is one of the page it stands in.",
    not: "That none is missing between two: ids have gaps by nature.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Order {
    last: Option<EventId>,
    page: Option<(u32, u32)>,
    seen: u64,
}

impl Check for Order {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn page(&mut self, page: &Page<'_>, _: &mut Sink) {
        self.page = Some((page.from, page.to));
    }

    fn transaction(&mut self, _: &Subject, _: &World, tx: &Tx, out: &mut Sink) {
        if let Some((from, to)) = self.page
            && !(from..=to).contains(&tx.ledger)
        {
            out.refuted(
                format!("the transaction stands among ledgers {from} to {to}"),
                Evidence::transaction(tx),
            );
        }
        for event in &tx.events {
            self.seen += 1;
            if event.id.ledger() != tx.ledger {
                out.refuted(
                    format!("the event's id is of ledger {}", event.id.ledger()),
                    Evidence::event(tx, event.id),
                );
            }
            if let Some(last) = self.last
                && event.id <= last
            {
                let what = if event.id == last {
                    "the event stands twice"
                } else {
                    "the event stands behind a later one"
                };
                out.refuted(
                    format!("{what}: {last} is before it"),
                    Evidence::event(tx, event.id),
                );
            }
            self.last = Some(event.id);
        }
    }

    fn end(&mut self, end: &End<'_>, _: &mut Sink) -> (Outcome, String) {
        match end.coverage {
            Some(_) => (Outcome::Proven, format!("{} events", self.seen)),
            None => (Outcome::NotAsked, "no events were asked for".to_owned()),
        }
    }
}
