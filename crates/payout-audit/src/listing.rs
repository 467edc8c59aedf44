//! What is listed and not judged: replays, conflicts, voids, and whoever changed what.

use std::collections::BTreeMap;

use crate::books::World;
use crate::checks::Evidence;
use crate::model::{Body, Emitter, How, Subject, Tx};

/// Notices of a kind that are kept; more are counted.
const KEPT: u64 = 50_000;

/// One notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is: `replay`, `conflict`, `void`, `import`, `upgrade`, `clawback`, …
    pub kind: String,
    /// When its ledger closed.
    pub closed: String,
    /// What it says.
    pub text: String,
    /// Where.
    pub evidence: Evidence,
}

/// A day in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Day {
    /// Payouts.
    pub payouts: u64,
    /// Units paid.
    pub paid: i128,
    /// Replays: retries that paid nothing.
    pub replays: u64,
    /// The remaining balance at its end, where a money event told one.
    pub remaining: Option<i128>,
    /// Tokens in less tokens out since the range began.
    pub moved: i128,
}

/// All of it.
#[derive(Debug, Default)]
pub struct Listing {
    /// In order.
    pub notices: Vec<Notice>,
    /// How many of each kind, those that are not kept too.
    pub counts: BTreeMap<String, u64>,
    /// By day.
    pub days: BTreeMap<String, Day>,
}

impl Listing {
    /// Takes a transaction in; `world` is after it.
    pub(crate) fn transaction(&mut self, subject: &Subject, world: &World, tx: &Tx) {
        for event in &tx.events {
            if let Some((kind, key, text)) = notice(subject, &event.emitter, &event.body) {
                let count = self.counts.entry(kind.clone()).or_default();
                *count += 1;
                if *count <= KEPT {
                    let mut evidence = Evidence::event(tx, event.id);
                    evidence.key = key;
                    self.notices.push(Notice {
                        kind,
                        closed: tx.closed.clone(),
                        text,
                        evidence,
                    });
                }
            }
        }
        if !self.days.contains_key(tx.day()) {
            self.days.insert(tx.day().to_owned(), Day::default());
        }
        let Some(day) = self.days.get_mut(tx.day()) else {
            return;
        };
        for event in &tx.events {
            match &event.body {
                Body::Paid(paid) => {
                    day.payouts += 1;
                    day.paid = day.paid.saturating_add(paid.total);
                }
                Body::Replayed { .. } => day.replays += 1,
                _ => {}
            }
        }
        day.remaining = world.books.remaining;
        day.moved = world.books.moved;
    }
}

fn notice(
    subject: &Subject,
    emitter: &Emitter,
    body: &Body,
) -> Option<(String, Option<String>, String)> {
    let keyed =
        |kind: &str, key: &String, text: String| Some((kind.to_owned(), Some(key.clone()), text));
    let plain = |kind: &str, text: String| Some((kind.to_owned(), None, text));
    match body {
        Body::Replayed { key, caller } => {
            keyed("replay", key, format!("by {caller}; nothing was paid"))
        }
        Body::Conflict {
            key,
            recorded,
            presented,
        } => keyed(
            "conflict",
            key,
            format!("paid {recorded}, asked again for {presented}; nothing was paid"),
        ),
        Body::Voided { key, caller } => keyed("void", key, format!("by {caller}")),
        Body::Imported { key } => keyed("import", key, "said to be paid elsewhere".to_owned()),
        Body::Upgraded { to } => plain(
            "upgrade",
            to.map_or_else(
                || "to no Wasm".to_owned(),
                |to| format!("to {}", hex::encode(to)),
            ),
        ),
        Body::Control { name, text } => plain(name, text.clone()),
        Body::TokenControl { text } => plain("token", text.clone()),
        Body::Credited {
            moved,
            amount,
            remaining,
        } => plain(
            if *moved { "lock" } else { "surplus" },
            format!("{amount} units, {remaining} remain"),
        ),
        Body::Withdrawn {
            to,
            amount,
            counted,
            remaining,
        } => plain(
            "withdrawal",
            format!("{amount} units to {to}, {counted} of them in the books, {remaining} remain"),
        ),
        Body::Migrated { remaining } => {
            plain("migration", format!("the books begin with {remaining}"))
        }
        Body::Moved(moved)
            if *emitter == Emitter::Token
                && moved.how == How::Clawback
                && moved.from == Some(subject.party()) =>
        {
            plain(
                "clawback",
                format!("{} units taken by the issuer", moved.amount),
            )
        }
        Body::Paid(_) | Body::Moved(_) | Body::Unread { .. } => None,
    }
}
