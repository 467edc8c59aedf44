//! Rule 3: the verdict comes from the contract's record, and from where it is absent.

use super::answer::Stop;
use super::effect::{BumpRequest, Effect, Entry};
use super::envelope::Bounds;
use super::phase::Phase;
use super::policy::{Bid, Jitter, Policy};
use super::state::{Obligation, Purpose, Signers};
use crate::record::{Moment, Record, RecordKind, View};

impl Obligation {
    /// There is a record. It never changes, so it decides whichever node it came from.
    pub(super) fn decide(&mut self, record: Record, ledger: u32) -> Vec<Effect> {
        let phase = verdict(self.purpose, &record);
        self.record = Some(record);
        self.horizon = self.horizon.max(ledger);
        let mut effects = vec![self.verdict_entry(phase)];
        if phase == Phase::Paid {
            effects.push(Effect::FindReceipt {
                hashes: self.hashes(),
                ledger: record.ledger,
            });
        }
        self.enter(phase, effects)
    }

    fn verdict_entry(&self, phase: Phase) -> Effect {
        Effect::Store(Entry::Verdict {
            key: self.key.clone(),
            phase,
            record: self.record,
            ledger: self.horizon,
        })
    }

    /// There is no record in this view.
    pub(super) fn absent(&mut self, view: View, jitter: Jitter) -> Vec<Effect> {
        use Phase::{Checking, Confirming, OutcomeUnknown, Pending};
        if !matches!(self.phase, Checking | Pending | OutcomeUnknown | Confirming) {
            return Vec::new();
        }
        if view.at.ledger < self.horizon {
            let why = format!(
                "a node is at ledger {}, and ledger {} is known: its answer counts for nothing",
                view.at.ledger, self.horizon
            );
            return self.no_progress(why, jitter);
        }
        let moved = self
            .absent
            .is_none_or(|before| view.at.ledger > before.at.ledger);
        self.horizon = view.at.ledger;
        self.absent = Some(view);
        self.forget(view.at);
        if moved {
            self.tries = 0;
        }
        if self.phase == Confirming {
            return self.confirm(view, jitter);
        }
        let landed = self.envelopes.iter().filter_map(|envelope| envelope.spent);
        if let Some(spent) = landed
            .into_iter()
            .find(|spent| spent.succeeded && spent.ledger <= view.at.ledger)
        {
            return self.suspend(Stop::Contradiction {
                ledger: spent.ledger,
            });
        }
        match (self.alive(view.at).is_some(), self.giving_up) {
            (true, true) => self.wait(moved, jitter),
            (true, false) => self.push_on(view.at, moved, jitter),
            (false, true) => self.conclude(view, moved, jitter),
            (false, false) if self.attempts < self.policy.max_attempts => {
                self.tries = 0;
                self.enter(Phase::Simulating, vec![Effect::Simulate])
            }
            (false, false) => self.suspend(Stop::Attempts {
                attempts: self.attempts,
            }),
        }
    }

    /// The first look fixes by when everything has run out that an earlier us may have signed. It may
    /// come from a node that is behind the one that the earlier us signed on.
    fn forget(&mut self, at: Moment) {
        if self.signers != Signers::PerhapsAnEarlierUs || self.forgotten.is_some() {
            return;
        }
        let Some(time) = at.close_time else { return };
        let max_ledger = at
            .ledger
            .saturating_add(self.policy.ledgers)
            .saturating_add(self.policy.behind);
        self.forgotten = Some(Bounds {
            max_time: time
                .saturating_add(self.policy.window())
                .saturating_add(self.policy.behind_time),
            max_ledger,
            authorised_until: Some(max_ledger),
        });
    }

    /// Nothing of ours can land any more, and nothing more shall be signed.
    fn conclude(&mut self, view: View, moved: bool, jitter: Jitter) -> Vec<Effect> {
        if self.signers == Signers::Others {
            return self.suspend(Stop::OnlyVoidIsFinal {
                ledger: view.at.ledger,
            });
        }
        if !self.covered_by(view.at) {
            return self.wait(moved, jitter);
        }
        self.first_witness = Some(view.node);
        self.phase = Phase::Confirming;
        self.look()
    }

    /// A second node has to see the same.
    fn confirm(&mut self, view: View, jitter: Jitter) -> Vec<Effect> {
        if self.first_witness == Some(view.node) {
            return self.no_progress(
                "the same node answered; a second one is needed".into(),
                jitter,
            );
        }
        if !self.covered_by(view.at) {
            return self.no_progress("the second node's ledger does not cover it".into(), jitter);
        }
        let entry = self.verdict_entry(Phase::NotPaid);
        self.enter(Phase::NotPaid, vec![entry])
    }

    /// Whether the ledger at `at` lies past everything that was signed, and may have been.
    fn covered_by(&self, at: Moment) -> bool {
        let forgotten = match self.signers {
            Signers::OnlyThisJournal => true,
            Signers::PerhapsAnEarlierUs => {
                self.forgotten.is_some_and(|bounds| bounds.covered_by(at))
            }
            Signers::Others => false,
        };
        forgotten && self.bounds().is_none_or(|bounds| bounds.covered_by(at))
    }

    /// An envelope may still land: a higher bid, the same bytes again, or patience.
    fn push_on(&mut self, at: Moment, moved: bool, jitter: Jitter) -> Vec<Effect> {
        let Some(newest) = self.alive(at) else {
            return self.wait(moved, jitter);
        };
        if let Some(code) = newest.refused.clone() {
            return self.suspend(Stop::SendRefused { code });
        }
        if let Some(bid) = self.wanted_bid(at) {
            if bid > self.policy.max_bid {
                return self.suspend(Stop::BidCeiling {
                    needed: bid,
                    ceiling: self.policy.max_bid,
                });
            }
            let around = newest.signed.clone();
            return self.request_bump(BumpRequest { around, bid });
        }
        let due = newest
            .sent_at
            .is_none_or(|sent| at.ledger >= sent.saturating_add(self.policy.resend_after));
        // Where the ledger stands still, a lost sending would never become due by ledgers alone.
        let stuck = !moved
            && (1..self.policy.max_tries).contains(&self.tries)
            && self.tries.is_multiple_of(Policy::RESEND_TRIES);
        if (due || stuck) && newest.sends < self.policy.max_sends {
            let signed = newest.signed.clone();
            if !moved {
                self.tries = self.tries.saturating_add(1);
            }
            return self.send(signed);
        }
        let overdue = newest
            .accepted_at
            .is_none_or(|taken| at.ledger > taken.saturating_add(Policy::QUEUE_LIFE));
        if overdue {
            self.phase = Phase::OutcomeUnknown;
        }
        self.wait(moved, jitter)
    }

    /// The bid of a fee bump, where one is called for: a node asked for more; or a queue has the
    /// envelope for some ledgers, and others bid more or the queue has dropped it.
    fn wanted_bid(&self, at: Moment) -> Option<Bid> {
        let newest = self.alive(at)?;
        let family = || {
            self.envelopes
                .iter()
                .filter(|envelope| envelope.signed.inner == newest.signed.inner)
        };
        let bid = newest.signed.bid;
        let queued = family()
            .filter(|envelope| envelope.accepted_at.is_some())
            .map(|envelope| envelope.signed.bid.tenfold())
            .max();
        let asked = newest.asked.filter(|asked| *asked > bid);
        if let Some(asked) = asked {
            return Some(asked.max(queued.unwrap_or(asked)));
        }
        let waited = newest
            .accepted_at
            .is_some_and(|taken| at.ledger >= taken.saturating_add(self.policy.bump_after));
        let outbid = self.market.is_some_and(|market| market > bid);
        (waited && (outbid || newest.dropped))
            .then(|| bid.tenfold().max(self.market.unwrap_or(Bid::MIN)))
    }

    /// Looks again later. A ledger that stands still is no progress.
    fn wait(&mut self, moved: bool, jitter: Jitter) -> Vec<Effect> {
        if self.phase == Phase::Checking || self.giving_up {
            self.phase = Phase::OutcomeUnknown;
        }
        if !moved {
            let why = format!("the ledger stands at {}", self.horizon);
            return self.no_progress(why, jitter);
        }
        vec![Effect::Wait {
            milliseconds: self.policy.wait(0, jitter),
        }]
    }
}

/// What a record says to an obligation with this purpose.
pub(super) fn verdict(purpose: Purpose, record: &Record) -> Phase {
    match (record.kind, purpose) {
        (RecordKind::Voided, _) => Phase::Voided,
        (RecordKind::Imported, _) => Phase::Imported,
        (RecordKind::Single | RecordKind::Batch, Purpose::Pay(ours))
            if record.fingerprint == ours =>
        {
            Phase::Paid
        }
        (RecordKind::Single | RecordKind::Batch, _) => Phase::Conflict,
    }
}
