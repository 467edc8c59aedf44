//! The token balance against the books.

use std::fmt::Write as _;

use super::{About, Check, End, Evidence, Sink};
use crate::books::World;
use crate::model::{Body, How, Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "BALANCE",
    code: 27,
    asks: "Are the tokens there that the books promise?",
    proves: "The token balance is at least the remaining balance: now, and, where the range begins at the start, \
             after every transaction, by all movements of the token. All movements add up to the balance \
             that the token says.",
    not: "That it stays so: an issuer that may claw back, may.",
};

/// Clawbacks that are named one by one.
const NAMED: usize = 20;

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Balance {
    /// The first transaction after which less was there than the books said, by the range's movements.
    first: Option<(Evidence, i128)>,
    clawbacks: Vec<(Evidence, i128)>,
}

impl Check for Balance {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, subject: &Subject, world: &World, tx: &Tx, _: &mut Sink) {
        let mut books = world.books;
        books.transaction(subject, tx);
        let short = books.remaining.unwrap_or(0).saturating_sub(books.moved);
        if short > 0 && self.first.is_none() {
            self.first = Some((Evidence::transaction(tx), short));
        }
        for event in &tx.events {
            if let Body::Moved(moved) = &event.body
                && moved.how == How::Clawback
                && moved.from == Some(subject.party())
                && self.clawbacks.len() < NAMED
            {
                self.clawbacks
                    .push((Evidence::event(tx, event.id), moved.amount));
            }
        }
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let whole = end.coverage.is_some_and(super::Coverage::whole);
        let chain = end
            .chain
            .and_then(|chain| chain.balance.map(|balance| (chain, balance)));
        let (ledger, balance, remaining) =
            match (chain, end.coverage.and_then(|coverage| coverage.range)) {
                (Some((chain, balance)), _) => {
                    (chain.ledger, balance, chain.program.remaining_balance)
                }
                (None, Some((_, to))) if whole => {
                    let books = end.world.books;
                    (to, books.moved, books.remaining.unwrap_or(0))
                }
                _ => {
                    return (
                        Outcome::NotAsked,
                        "neither the balance nor all movements are at hand".to_owned(),
                    );
                }
            };
        if let (Some((chain, _)), Some(books)) = (chain, end.books_then) {
            let beside = balance.saturating_sub(books.moved);
            if whole && beside != 0 {
                out.refuted(
                    format!(
                        "the movements add up to {}, and the token says {balance}: {} units moved without an event",
                        books.moved,
                        beside.saturating_abs()
                    ),
                    Evidence::ledger(chain.ledger).entry("Balance"),
                );
            }
        }
        let short = remaining.saturating_sub(balance);
        if short > 0 {
            let mut text =
                format!("shortfall {short}: {remaining} remain in the books, {balance} are there");
            for (evidence, amount) in &self.clawbacks {
                let ledger = evidence.ledger.unwrap_or_default();
                let event = evidence.event.as_deref().unwrap_or_default();
                let _ = write!(
                    text,
                    "; clawback of {amount} in ledger {ledger}, event {event}"
                );
            }
            let evidence = match self.clawbacks.last() {
                Some((evidence, _)) => evidence.clone(),
                None => Evidence::ledger(ledger).entry("Balance"),
            };
            out.refuted(text, evidence);
        } else if let (true, Some((evidence, short))) = (whole, self.first.take()) {
            // It was made good since: the promise could not have been kept in between.
            out.refuted(
                format!("shortfall {short} after this transaction, made good since"),
                evidence,
            );
        }
        (
            Outcome::Proven,
            format!("{balance} there, {remaining} in the books"),
        )
    }
}
