//! The token's events of every payout.

use super::{About, Check, End, Evidence, Sink};
use crate::books::World;
use crate::model::{Body, Event, How, Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "TRANSFERS",
    code: 25,
    asks: "Did the token move exactly what each payout says, and nothing else?",
    proves: "Directly before each payout stand as many transfers (or burns, to the issuer) from the contract as it \
             has recipients; they add up to its total. No other token left the contract, but by a withdrawal or \
             a clawback.",
    not: "What a token does without an event. A Stellar asset's contract has an event for every movement.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Transfers {
    payouts: u64,
    moved: u64,
}

impl Check for Transfers {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, subject: &Subject, _: &World, tx: &Tx, out: &mut Sink) {
        // Which of the events that take tokens are accounted for.
        let mut known = vec![false; tx.events.len()];
        for settlement in &tx.settlements {
            let Some((event, Body::Paid(paid))) = tx
                .events
                .get(settlement.at)
                .map(|event| (event, &event.body))
            else {
                continue;
            };
            self.payouts += 1;
            let evidence = || Evidence::event(tx, event.id).key(&paid.key);
            let lines = match &settlement.lines {
                Ok(lines) => lines,
                Err(why) => {
                    out.refuted(why.clone(), evidence());
                    continue;
                }
            };
            for place in known.iter_mut().take(settlement.at).rev().take(lines.len()) {
                *place = true;
            }
            let sum = lines
                .iter()
                .try_fold(0_i128, |sum, line| sum.checked_add(line.1));
            if sum != Some(paid.total) {
                let sum = sum.map_or_else(
                    || "more than can be counted".to_owned(),
                    |sum| sum.to_string(),
                );
                out.refuted(
                    format!("its transfers add up to {sum}, and it says {}", paid.total),
                    evidence(),
                );
            }
            if let (Some(named), [(got, _)]) = (paid.single, lines.as_slice())
                && named != *got
            {
                out.refuted(format!("it names {named}, and {got} got it"), evidence());
            }
        }
        for (at, event) in tx.events.iter().enumerate() {
            if let Body::Withdrawn { to, amount, .. } = &event.body {
                let before = at.checked_sub(1);
                let moved = before.and_then(|before| tx.events.get(before));
                if moved.is_some_and(|moved| leaves(subject, moved) == Some((Some(*to), *amount)))
                    && let Some(place) = before.and_then(|before| known.get_mut(before))
                {
                    *place = true;
                } else {
                    out.refuted(
                        format!("no transfer of {amount} to {to} stands before the withdrawal"),
                        Evidence::event(tx, event.id),
                    );
                }
            }
        }
        for (event, known) in tx.events.iter().zip(known) {
            if let Some((to, amount)) = leaves(subject, event) {
                self.moved += 1;
                if !known {
                    let to = to.map_or_else(|| "the issuer".to_owned(), |to| to.to_string());
                    out.refuted(
                        format!("{amount} units went to {to} beside every payout and withdrawal"),
                        Evidence::event(tx, event.id),
                    );
                }
            }
        }
    }

    fn end(&mut self, end: &End<'_>, _: &mut Sink) -> (Outcome, String) {
        match end.coverage {
            Some(_) => (
                Outcome::Proven,
                format!("{} movements of {} payouts", self.moved, self.payouts),
            ),
            None => (Outcome::NotAsked, "no events were asked for".to_owned()),
        }
    }
}

/// Whom an event gives the contract's tokens to, and how many. Clawbacks are BALANCE's.
fn leaves(subject: &Subject, event: &Event) -> Option<(Option<payout_keys::Recipient>, i128)> {
    match &event.body {
        Body::Moved(moved)
            if moved.from == Some(subject.party())
                && moved.to != Some(subject.party())
                && moved.how != How::Clawback =>
        {
            Some((moved.to, moved.amount))
        }
        _ => None,
    }
}
