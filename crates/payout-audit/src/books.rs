//! What the events add up to.

use std::collections::HashMap;

use payout_engine::escrow::Program;
use payout_keys::Fingerprint;
use sha2::{Digest, Sha256};

use crate::model::{Body, Event, EventId, Settlement, Subject, Tx};

/// A key's digest: SHA-256 of its text, as the contract keeps it.
pub type KeyDigest = [u8; 32];

/// The digest of a key.
#[must_use]
pub fn key_digest(key: &str) -> KeyDigest {
    Sha256::digest(key.as_bytes()).into()
}

/// Sums of money events, and what the books say after the last one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Books {
    /// What the last money event says is left.
    pub remaining: Option<i128>,
    /// Locked and credited.
    pub locked: i128,
    /// Paid.
    pub paid: i128,
    /// Withdrawn, as far as it stood in the books.
    pub withdrawn: i128,
    /// Payouts.
    pub payouts: u64,
    /// Tokens that came, less those that left.
    pub moved: i128,
    /// What the contract said first of its own books, less what the events before that add up to:
    /// what happened before the first event that is here.
    pub before: Option<Before>,
}

/// The books before the first event that is at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    /// Locked.
    pub locked: i128,
    /// Paid.
    pub paid: i128,
    /// Withdrawn.
    pub withdrawn: i128,
    /// Payouts.
    pub payouts: i128,
}

impl Before {
    /// Whether nothing had happened: what is locked never falls, and nothing is paid without.
    #[must_use]
    pub fn nothing(&self) -> bool {
        *self
            == Self {
                locked: 0,
                paid: 0,
                withdrawn: 0,
                payouts: 0,
            }
    }
}

impl Books {
    /// What `program` says of the time before the first event.
    #[must_use]
    pub fn before(&self, program: &Program) -> Before {
        Before {
            locked: program.total_locked.saturating_sub(self.locked),
            paid: program.total_paid.saturating_sub(self.paid),
            withdrawn: program.total_withdrawn.saturating_sub(self.withdrawn),
            payouts: i128::from(program.payout_count) - i128::from(self.payouts),
        }
    }

    /// What an event makes of the remaining balance, and what it says itself. `None` where it is no
    /// money event.
    #[must_use]
    pub fn expected(&self, body: &Body) -> Option<(Option<i128>, i128)> {
        let after = |change: i128| self.remaining.map(|before| before.saturating_add(change));
        match body {
            Body::Paid(paid) => Some((after(paid.total.saturating_neg()), paid.remaining)),
            Body::Credited {
                amount, remaining, ..
            } => Some((after(*amount), *remaining)),
            Body::Withdrawn {
                counted, remaining, ..
            } => Some((after(counted.saturating_neg()), *remaining)),
            Body::Migrated { remaining } => Some((None, *remaining)),
            _ => None,
        }
    }

    /// Takes an event in.
    pub fn event(&mut self, subject: &Subject, event: &Event) {
        if let Some((_, says)) = self.expected(&event.body) {
            self.remaining = Some(says);
        }
        match &event.body {
            Body::Paid(paid) => {
                self.paid = self.paid.saturating_add(paid.total);
                self.payouts = self.payouts.saturating_add(1);
            }
            Body::Credited { amount, .. } => self.locked = self.locked.saturating_add(*amount),
            Body::Withdrawn { counted, .. } => {
                self.withdrawn = self.withdrawn.saturating_add(*counted);
            }
            // The old books do not count; the new ones begin with what was left.
            Body::Migrated { remaining } => self.locked = self.locked.saturating_add(*remaining),
            Body::Moved(moved) => {
                let us = Some(subject.party());
                if moved.to == us {
                    self.moved = self.moved.saturating_add(moved.amount);
                }
                if moved.from == us {
                    self.moved = self.moved.saturating_sub(moved.amount);
                }
            }
            _ => {}
        }
    }

    /// Takes a transaction in.
    pub fn transaction(&mut self, subject: &Subject, tx: &Tx) {
        for event in &tx.events {
            self.event(subject, event);
        }
        if self.before.is_none()
            && let Some(program) = returned(tx)
        {
            self.before = Some(self.before(program));
        }
    }
}

/// The books that a transaction's own call of the contract returned, as they were at its end.
#[must_use]
pub fn returned(tx: &Tx) -> Option<&Program> {
    let evidence = tx.evidence().filter(|evidence| evidence.direct)?;
    evidence.program.as_ref()
}

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// It paid.
    Paid,
    /// It was voided.
    Voided,
    /// It was imported.
    Imported,
}

/// What the events say of a key.
#[derive(Debug, Clone, Copy)]
pub struct KeyFacts {
    /// What became of it.
    pub state: KeyState,
    /// The event that says so.
    pub at: EventId,
    /// The sum that was paid.
    pub total: i128,
    /// The payout's number, where the transaction tells it.
    pub number: Option<u64>,
    /// What the payout commits to, if that is certain.
    pub fingerprint: Option<Fingerprint>,
    /// What it commits to if it has no references.
    pub plain: Option<Fingerprint>,
}

/// Everything that is kept while events go by.
#[derive(Debug, Default)]
pub struct World {
    /// Keys that were consumed, by their digest.
    pub keys: HashMap<KeyDigest, KeyFacts>,
    /// The sums.
    pub books: Books,
    /// Transactions so far.
    pub transactions: u64,
    /// Events so far.
    pub events: u64,
    /// The code after the last upgrade.
    pub code: Option<Option<[u8; 32]>>,
}

impl World {
    /// Takes a transaction in, after the checks have seen it.
    pub fn transaction(&mut self, subject: &Subject, tx: &Tx) {
        self.transactions += 1;
        self.events += u64::try_from(tx.events.len()).unwrap_or(0);
        for (at, event) in tx.events.iter().enumerate() {
            match &event.body {
                Body::Paid(paid) => {
                    let settlement = tx.settlements.iter().find(|settlement| settlement.at == at);
                    self.keys
                        .entry(key_digest(&paid.key))
                        .or_insert_with(|| paid_facts(tx, event, paid.total, settlement));
                }
                Body::Voided { key, .. } => self.note(key, KeyState::Voided, event.id),
                Body::Imported { key } => self.note(key, KeyState::Imported, event.id),
                Body::Upgraded { to } => self.code = Some(*to),
                _ => {}
            }
        }
        self.books.transaction(subject, tx);
    }

    fn note(&mut self, key: &str, state: KeyState, at: EventId) {
        self.keys.entry(key_digest(key)).or_insert(KeyFacts {
            state,
            at,
            total: 0,
            number: None,
            fingerprint: None,
            plain: None,
        });
    }
}

fn paid_facts(tx: &Tx, event: &Event, total: i128, settlement: Option<&Settlement>) -> KeyFacts {
    // The returned books are those after the call: of its one payout.
    let number = returned(tx)
        .filter(|_| tx.settlements.len() == 1)
        .map(|program| program.payout_count);
    KeyFacts {
        state: KeyState::Paid,
        at: event.id,
        total,
        number,
        fingerprint: settlement.and_then(|settlement| settlement.fingerprint),
        plain: settlement.and_then(|settlement| settlement.plain),
    }
}

/// Whether a program's books add up in themselves.
#[must_use]
pub fn balanced(program: &Program) -> bool {
    let parts = [
        program.total_paid,
        program.total_withdrawn,
        program.remaining_balance,
    ];
    let sum = parts.into_iter().try_fold(0_i128, i128::checked_add);
    sum == Some(program.total_locked) && parts.iter().all(|part| *part >= 0)
}
