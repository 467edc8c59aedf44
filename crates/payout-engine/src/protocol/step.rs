//! One step.

use super::answer::Stop;
use super::effect::{Effect, Entry};
use super::envelope::{Spent, TxHash};
use super::event::{Event, Fate, Input};
use super::phase::Phase;
use super::policy::{Bid, Jitter};
use super::state::Obligation;

/// Takes an obligation from one state to the next, and says what is to be done.
///
/// Nothing else decides: no clock, no randomness, no call to anywhere. An event that the state did
/// not ask for changes nothing, except that a record that is there is the verdict at any time.
#[must_use]
pub fn step(mut state: Obligation, input: Input) -> (Obligation, Vec<Effect>) {
    let effects = state.on(input.event, input.jitter);
    (state, effects)
}

impl Obligation {
    fn on(&mut self, event: Event, jitter: Jitter) -> Vec<Effect> {
        if self.phase.is_final() {
            return match event {
                Event::Receipt { hash, ledger } => self.receipt(hash, ledger),
                _ => Vec::new(),
            };
        }
        match event {
            Event::Record(view) => match view.record {
                Some(record) => self.decide(record, view.at.ledger),
                None => self.absent(view, jitter),
            },
            Event::Transaction { hash, fate } => self.fate(hash, fate),
            Event::Fees(bid) => {
                self.market = Some(bid);
                Vec::new()
            }
            Event::Resume { max_bid } => self.resume(max_bid),
            Event::GiveUp => self.give_up(),
            event => self.on_answer(event, jitter),
        }
    }

    /// Events that mean something in one state only.
    fn on_answer(&mut self, event: Event, jitter: Jitter) -> Vec<Effect> {
        use Phase::{
            AwaitingConsent, Checking, Confirming, OutcomeUnknown, Pending, Sending, Signing,
            Simulating, StoringEnvelope, StoringIntent,
        };
        match (self.phase, event) {
            (Checking | Pending | OutcomeUnknown | Confirming, Event::ReadFailed(text)) => {
                self.no_progress(text, jitter)
            }
            (Checking | Pending | OutcomeUnknown | Confirming, Event::Timer) => self.look(),
            (Simulating, Event::Timer) => vec![Effect::Simulate],
            (Simulating, Event::Simulated(simulation)) => self.simulated(simulation, jitter),
            (Simulating, Event::SimulationRefused(refusal)) => self.refused(refusal, jitter),
            (Simulating, Event::SimulationFailed(text)) => self.no_progress(text, jitter),
            (AwaitingConsent, Event::Consented) => {
                self.policy.restores = true;
                self.prepare()
            }
            (StoringIntent, Event::Stored) => {
                self.intent_stored = true;
                self.prepare()
            }
            (StoringIntent | StoringEnvelope, Event::StoreFailed(text)) => {
                self.unstored = None;
                self.suspend(Stop::Store(text))
            }
            (Signing, Event::Signed(signed)) => self.signed(signed),
            (Signing, Event::SignFailed(text)) => self.suspend(Stop::Sign(text)),
            (Signing, Event::LaneUnread(text)) => self.lane_unread(text, jitter),
            (StoringEnvelope, Event::Stored) => self.stored(),
            (Sending, Event::Answered(answer)) => self.answered(answer, jitter),
            (Sending, Event::SendFailed(text)) => self.unanswered(text, jitter),
            _ => Vec::new(),
        }
    }

    /// Goes on from the beginning, which is looking the key up.
    fn resume(&mut self, max_bid: Option<Bid>) -> Vec<Effect> {
        if let Some(bid) = max_bid {
            self.policy.max_bid = bid;
        }
        match self.phase {
            Phase::Checking => self.look(),
            Phase::Suspended => {
                self.stop = None;
                self.tries = 0;
                self.lane_tries = 0;
                self.attempts = 0;
                self.giving_up = false;
                for envelope in &mut self.envelopes {
                    envelope.sends = 0;
                    envelope.refused = None;
                }
                self.phase = Phase::Checking;
                self.look()
            }
            _ => Vec::new(),
        }
    }

    /// Signs nothing more. What is being signed is dropped, what was signed is awaited.
    fn give_up(&mut self) -> Vec<Effect> {
        self.giving_up = true;
        match self.phase {
            Phase::Simulating | Phase::AwaitingConsent | Phase::Suspended => {
                self.stop = None;
                self.tries = 0;
                self.phase = Phase::Checking;
                self.look()
            }
            _ => Vec::new(),
        }
    }

    /// The receipt is of the ledger that the record names. Another transaction of ours that was included
    /// (one that failed, or a replay) did not pay.
    fn receipt(&mut self, hash: TxHash, ledger: u32) -> Vec<Effect> {
        let is_records = self
            .record
            .as_ref()
            .is_some_and(|record| record.ledger == ledger);
        if self.phase != Phase::Paid || self.receipt.is_some() || !is_records {
            return Vec::new();
        }
        self.receipt = Some((hash, ledger));
        vec![Effect::Store(Entry::Receipt {
            key: self.key.clone(),
            hash,
            ledger,
        })]
    }

    /// What a node knows by hash: which sequence numbers are used, and from when on a look counts.
    fn fate(&mut self, hash: TxHash, fate: Fate) -> Vec<Effect> {
        let Fate::Included {
            ledger,
            succeeded,
            fee_charged,
        } = fate
        else {
            return Vec::new();
        };
        let inner = self
            .envelopes
            .iter()
            .map(|envelope| &envelope.signed)
            .find(|signed| signed.hash == hash || signed.inner == hash)
            .map(|signed| signed.inner);
        for envelope in &mut self.envelopes {
            if Some(envelope.signed.inner) == inner && envelope.spent.is_none() {
                envelope.spent = Some(Spent {
                    ledger,
                    succeeded,
                    fee_charged,
                });
                self.horizon = self.horizon.max(ledger);
            }
        }
        Vec::new()
    }

    /// Asks what there is to know: hashes first, so that the look comes after what they tell.
    pub(super) fn look(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let unspent: Vec<TxHash> = self
            .hashes()
            .into_iter()
            .filter(|hash| {
                self.envelopes.iter().any(|envelope| {
                    envelope.spent.is_none()
                        && (envelope.signed.hash == *hash || envelope.signed.inner == *hash)
                })
            })
            .collect();
        if !unspent.is_empty() {
            effects.push(Effect::ReadTransactions(unspent));
        }
        let queued = self.envelopes.last().and_then(|last| last.accepted_at);
        if queued
            .is_some_and(|ledger| self.horizon >= ledger.saturating_add(self.policy.bump_after))
        {
            effects.push(Effect::ReadFees);
        }
        effects.push(Effect::ReadRecord {
            min_ledger: self.horizon,
            not_from: self
                .first_witness
                .filter(|_| self.phase == Phase::Confirming),
        });
        effects
    }

    /// One more call that brought nothing.
    pub(super) fn no_progress(&mut self, why: String, jitter: Jitter) -> Vec<Effect> {
        self.tries = self.tries.saturating_add(1);
        if self.tries > self.policy.max_tries {
            return self.suspend(Stop::NoProgress {
                tries: self.tries,
                last: why,
            });
        }
        self.reason = why;
        vec![Effect::Wait {
            milliseconds: self.policy.wait(self.tries, jitter),
        }]
    }
}
