//! What each payout's transaction asked for.

use super::{About, Check, End, Evidence, Sink};
use crate::books::World;
use crate::model::{Body, Subject, Tx, pays};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "ENVELOPE",
    code: 28,
    asks: "Does the signed transaction ask for what was paid?",
    proves: "The archived envelope has the transaction's hash on this network, so it is the one that was signed; it asks \
             the contract for this key, these recipients and these amounts. An archive of another network fails \
             here at the first transaction.",
    not: "Payouts that another contract asked for on its own account; and those whose envelope no node gave: they \
          are counted.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Envelope {
    seen: u64,
    without: u64,
    passed_on: u64,
}

impl Check for Envelope {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, _: &World, tx: &Tx, out: &mut Sink) {
        let evidence = match &tx.evidence {
            None => {
                self.without += u64::try_from(tx.settlements.len()).unwrap_or(0);
                return;
            }
            Some(Err(error)) => {
                out.refuted(error.to_string(), Evidence::transaction(tx));
                return;
            }
            Some(Ok(evidence)) => evidence,
        };
        if evidence.hash != tx.hash {
            out.refuted(
                format!(
                    "the envelope's hash on this network is {}: it is another transaction's, or of another network",
                    hex::encode(evidence.hash)
                ),
                Evidence::transaction(tx),
            );
        }
        for settlement in &tx.settlements {
            self.seen += 1;
            let Some((event, Body::Paid(paid))) = tx
                .events
                .get(settlement.at)
                .map(|event| (event, &event.body))
            else {
                continue;
            };
            let at = || Evidence::event(tx, event.id).key(&paid.key);
            match (&settlement.asked, &settlement.lines) {
                (None, _) if evidence.direct => {
                    out.refuted("the transaction asks for no payout under this key", at());
                }
                (None, _) => self.passed_on += 1,
                (Some(asked), Ok(lines)) if !pays(asked, lines) => {
                    out.refuted("the transaction asks for other recipients or amounts", at());
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, end: &End<'_>, _: &mut Sink) -> (Outcome, String) {
        match end.coverage {
            Some(_) => (
                Outcome::Proven,
                format!(
                    "{} payouts; {} without their envelope, {} asked for by another contract",
                    self.seen, self.without, self.passed_on
                ),
            ),
            None => (Outcome::NotAsked, "no events were asked for".to_owned()),
        }
    }
}
