//! The contract's books against the events.

use super::{About, Check, End, Evidence, Sink};
use crate::books::balanced;
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "STATE",
    code: 23,
    asks: "Does the contract say of its books what the events add up to?",
    proves: "Locked, withdrawn and remaining in the contract's entry are what its events add up to, as of the \
             ledger of the entry, and the books add up in themselves.",
    not: "Where the events begin later than the contract, only the remaining balance is compared.",
};

/// See [`ABOUT`].
pub(super) struct State;

impl Check for State {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let Some(chain) = end.chain else {
            return (Outcome::NotAsked, "no node was asked".to_owned());
        };
        let program = &chain.program;
        let entry = || Evidence::ledger(chain.ledger).entry("EscrowProgram");
        if !balanced(program) {
            out.refuted(
                format!(
                    "locked {} is not paid {} + withdrawn {} + remaining {}",
                    program.total_locked,
                    program.total_paid,
                    program.total_withdrawn,
                    program.remaining_balance
                ),
                entry(),
            );
        }
        let (Some(books), Some(coverage)) = (end.books_then, end.coverage) else {
            return (Outcome::Proven, "the books add up in themselves".to_owned());
        };
        if let Some(remaining) = books.remaining
            && remaining != program.remaining_balance
        {
            out.refuted(
                format!(
                    "the events end with {remaining} remaining, and the contract says {}",
                    program.remaining_balance
                ),
                entry(),
            );
        }
        if !coverage.whole() {
            return (
                Outcome::Proven,
                "the remaining balance is that of the last event".to_owned(),
            );
        }
        let sums = [
            ("locked", books.locked, program.total_locked),
            ("withdrawn", books.withdrawn, program.total_withdrawn),
        ];
        for (what, events, says) in sums {
            if events != says {
                out.refuted(
                    format!("the events add up to {events} {what}, and the contract says {says}"),
                    entry(),
                );
            }
        }
        let text = format!(
            "{} locked = {} paid + {} withdrawn + {} remaining",
            program.total_locked,
            program.total_paid,
            program.total_withdrawn,
            program.remaining_balance
        );
        (Outcome::Proven, text)
    }
}
