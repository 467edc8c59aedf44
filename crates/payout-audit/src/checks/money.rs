//! Money is conserved from event to event.

use super::{About, Check, Coverage, End, Evidence, Sink};
use crate::books::{Before, Books, World, balanced, returned};
use crate::model::{Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "MONEY",
    code: 26,
    asks: "Is every unit accounted for, from event to event?",
    proves: "Each event's remaining balance is that of the money event before it, more what was locked or less what \
             was paid or withdrawn. The books that transactions returned add up in themselves and agree with \
             the events between them. So no event that moved money is missing inside the range.",
    not: "What lies before the range or after it.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Money {
    events: u64,
    before: Option<Before>,
}

impl Check for Money {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, subject: &Subject, world: &World, tx: &Tx, out: &mut Sink) {
        let mut books: Books = world.books;
        for event in &tx.events {
            if let Some((expected, says)) = books.expected(&event.body) {
                self.events += 1;
                if let Some(expected) = expected
                    && expected != says
                {
                    out.refuted(
                        format!(
                            "{says} is said to remain, and by the money event before it should be {expected}: \
                             {} units are not accounted for",
                            expected.saturating_sub(says).saturating_abs()
                        ),
                        Evidence::event(tx, event.id),
                    );
                }
                if says < 0 {
                    out.refuted("less than nothing remains", Evidence::event(tx, event.id));
                }
            }
            books.event(subject, event);
        }
        let Some(program) = returned(tx) else {
            return;
        };
        if !balanced(program) {
            out.refuted(
                "the returned books do not add up",
                Evidence::transaction(tx),
            );
        }
        if books
            .remaining
            .is_some_and(|remaining| remaining != program.remaining_balance)
        {
            out.refuted(
                format!(
                    "the transaction returned {} as remaining, and its events say {}",
                    program.remaining_balance,
                    books.remaining.unwrap_or_default()
                ),
                Evidence::transaction(tx),
            );
        }
        // What lies before the first event is the same, whichever transaction says it.
        let before = books.before(program);
        if let Some(first) = self.before
            && first != before
        {
            out.refuted(
                format!(
                    "the returned books ({} locked, {} paid, {} withdrawn, {} payouts) and those returned before \
                     do not differ by the events between them",
                    program.total_locked, program.total_paid, program.total_withdrawn, program.payout_count
                ),
                Evidence::transaction(tx),
            );
        }
        self.before = Some(before);
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        if let (true, Some(before)) = (end.coverage.is_some_and(Coverage::whole), self.before)
            && !before.nothing()
        {
            out.refuted(
                format!(
                    "the range begins at the start, and before its first event {} were locked, {} paid and {} \
                     withdrawn in {} payouts",
                    before.locked, before.paid, before.withdrawn, before.payouts
                ),
                Evidence::default(),
            );
        }
        match end.coverage {
            Some(_) => (Outcome::Proven, format!("{} money events", self.events)),
            None => (Outcome::NotAsked, "no events were asked for".to_owned()),
        }
    }
}
