//! A payout put together from what stands around it: who got what, and what it commits to.

use payout_engine::Payout;
use payout_engine::envelope::payouts_under;
use payout_keys::{Fingerprint, IdempotencyKey, Recipient, Reference};

use super::{Body, Emitter, Event, Evidence, How, Moved, Paid, Subject};

/// A payout with the token's events before it.
#[derive(Debug, Clone)]
pub struct Settlement {
    /// Where its event is among the transaction's.
    pub at: usize,
    /// Who got what, by the token's events directly before; or why that cannot be said.
    pub lines: Result<Vec<(Recipient, i128)>, String>,
    /// What the transaction asked for under the key, where it shows that.
    pub asked: Option<Payout>,
    /// What the lines commit to, with the references that were asked for. `None` where the lines
    /// are not known, or where there may be references that are not at hand.
    pub fingerprint: Option<Fingerprint>,
    /// What the lines commit to if there are no references.
    pub plain: Option<Fingerprint>,
}

impl Settlement {
    pub(super) fn read(
        subject: &Subject,
        events: &[Event],
        at: usize,
        paid: &Paid,
        evidence: Option<&Evidence>,
    ) -> Self {
        let lines = lines(subject, events.get(..at).unwrap_or_default(), paid);
        let asked = evidence.and_then(|evidence| {
            let key = IdempotencyKey::new(&paid.key).ok()?;
            let found = payouts_under(subject.contract, &key, &evidence.envelope);
            // Of several offers under one key the contract took the one that moved the tokens.
            let same = found
                .iter()
                .find(|payout| lines.as_ref().is_ok_and(|lines| pays(payout, lines)));
            same.or(found.first()).cloned()
        });
        let of = |references: Option<&[Reference]>| {
            let lines = lines.as_ref().ok()?;
            let recipients: Vec<Recipient> = lines.iter().map(|line| line.0).collect();
            let amounts: Vec<i128> = lines.iter().map(|line| line.1).collect();
            Fingerprint::of(&recipients, &amounts, references).ok()
        };
        let plain = of(None);
        let fingerprint = match &asked {
            Some(payout) if payout.referenced() => {
                let references: Vec<Reference> = payout
                    .lines()
                    .iter()
                    .filter_map(|line| line.reference)
                    .collect();
                of(Some(references.as_slice()))
            }
            Some(_) => plain,
            None => plain.filter(|_| paid.single.is_some()),
        };
        Self {
            at,
            lines,
            asked,
            fingerprint,
            plain,
        }
    }
}

/// Whether `payout` asks for exactly these lines.
pub(crate) fn pays(payout: &Payout, lines: &[(Recipient, i128)]) -> bool {
    payout.lines().len() == lines.len()
        && payout
            .lines()
            .iter()
            .zip(lines)
            .all(|(asked, got)| asked.recipient == got.0 && asked.amount.units() == got.1)
}

/// The last `count` events before a payout: each takes tokens from the contract to one recipient.
fn lines(
    subject: &Subject,
    before: &[Event],
    paid: &Paid,
) -> Result<Vec<(Recipient, i128)>, String> {
    let count = usize::try_from(paid.count).unwrap_or(usize::MAX);
    let start = before.len().checked_sub(count).ok_or_else(|| {
        format!(
            "{} events stand before it, and it paid {count} recipients",
            before.len()
        )
    })?;
    before
        .get(start..)
        .unwrap_or_default()
        .iter()
        .map(|event| line(subject, event))
        .collect()
}

fn line(subject: &Subject, event: &Event) -> Result<(Recipient, i128), String> {
    match (&event.emitter, &event.body) {
        (
            Emitter::Token,
            Body::Moved(Moved {
                how: How::Transfer | How::Burn,
                from,
                to: Some(to),
                amount,
            }),
        ) if *from == Some(subject.party()) => Ok((*to, *amount)),
        _ => Err(format!("event {} before it pays no recipient", event.id)),
    }
}
