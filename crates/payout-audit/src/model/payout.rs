//! A payout put together from what stands around it: who got what, and what it commits to.

use payout_keys::{Fingerprint, Recipient};

use super::{Body, Call, Emitter, Event, How, Moved, Paid, Subject};

/// A payout with the token's events before it.
#[derive(Debug, Clone)]
pub struct Payout {
    /// Where its event is among the transaction's.
    pub at: usize,
    /// Who got what, by the token's events directly before; or why that cannot be said.
    pub lines: Result<Vec<(Recipient, i128)>, String>,
    /// The call that asked for it, where the transaction shows it.
    pub call: Option<Call>,
    /// What the lines commit to: with the call's references, or without any. `None` where the lines
    /// are not known, or where there may be references that are not at hand.
    pub fingerprint: Option<Fingerprint>,
    /// What the lines commit to if there are no references.
    pub plain: Option<Fingerprint>,
}

impl Payout {
    pub(super) fn read(
        subject: &Subject,
        events: &[Event],
        at: usize,
        paid: &Paid,
        call: Option<&Call>,
    ) -> Self {
        let lines = lines(subject, events.get(..at).unwrap_or_default(), paid);
        let of = |references| {
            let lines = lines.as_ref().ok()?;
            let recipients: Vec<Recipient> = lines.iter().map(|line| line.0).collect();
            let amounts: Vec<i128> = lines.iter().map(|line| line.1).collect();
            Fingerprint::of(&recipients, &amounts, references).ok()
        };
        let plain = of(None);
        let fingerprint = match call {
            Some(Call {
                references: Some(references),
                ..
            }) => of(Some(references.as_slice())),
            Some(_) => plain,
            None => plain.filter(|_| paid.single.is_some()),
        };
        Self {
            at,
            call: call.cloned(),
            fingerprint,
            plain,
            lines,
        }
    }
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
            "{} of the token's events stand before it, and it paid {count} recipients",
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
