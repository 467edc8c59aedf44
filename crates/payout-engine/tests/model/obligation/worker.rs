//! A worker: the real state machine, what it has still to do, and its journal.

use std::collections::VecDeque;

use payout_engine::protocol::{
    Bid, Effect, Entry, Event, Input, Jitter, Obligation, Phase, Policy, Purpose, SignRequest,
    Signed, Signers, step,
};
use payout_keys::IdempotencyKey;

use super::chain::{OURS, SECONDS, key_of};
use super::{Change, Protocol, Scene, World};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Worker {
    /// The key it works under, by its number.
    pub(super) key: usize,
    pub(super) obligation: Obligation,
    /// Effects that wait, in their order.
    pub(super) todo: VecDeque<Effect>,
    /// Envelopes that are stored. In [`Scene::Lease`] both workers have the same.
    pub(super) journal: Vec<Signed>,
    /// Whether it works; in [`Scene::Lease`] only one does.
    pub(super) active: bool,
}

/// Two sendings, two envelopes, two tries: enough to meet every branch, few enough to meet them all.
/// An envelope can be included in the next two ledgers, an authorisation in the next four.
fn policy() -> Policy {
    Policy {
        window: 360,
        ledgers: 4,
        restores: true,
        resend_after: 1,
        bump_after: 100,
        max_sends: 2,
        max_attempts: 2,
        max_tries: 1,
        ..Policy::default()
    }
}

impl Protocol {
    fn policy(&self) -> Policy {
        let behind = if self.change == Change::NoNodeIsBehind {
            0
        } else {
            self.lag
        };
        match self.scene {
            // Half as long, because two windows have to run out.
            Scene::Restored => Policy {
                window: 180,
                ledgers: 2,
                behind,
                behind_time: SECONDS * u64::from(behind),
                ..policy()
            },
            Scene::Lease | Scene::Machines => policy(),
        }
    }

    fn signers(&self) -> Signers {
        match self.scene {
            Scene::Lease => Signers::OnlyThisJournal,
            Scene::Restored => Signers::PerhapsAnEarlierUs,
            Scene::Machines if self.change == Change::OwnExpiryIsEverybodys => {
                Signers::OnlyThisJournal
            }
            Scene::Machines => Signers::Others,
        }
    }

    /// A worker as it starts: from its journal, looking its key up.
    pub(super) fn start(&self, key: usize, journal: Vec<Signed>, active: bool) -> Worker {
        let name = IdempotencyKey::new(["order-a", "order-b"][key]).expect("legal");
        let fresh = Obligation::new(name, Purpose::Pay(OURS), self.signers(), self.policy());
        let known: Vec<Signed> = journal
            .iter()
            .filter(|signed| key_of(signed) == key)
            .cloned()
            .collect();
        let obligation = if known.is_empty() {
            fresh
        } else {
            fresh.restored(known, 0)
        };
        let input = Input {
            event: Event::Resume { max_bid: None },
            jitter: Jitter(0),
        };
        let (obligation, effects) = step(obligation, input);
        Worker {
            key,
            obligation,
            todo: effects.into(),
            journal,
            active,
        }
    }
}

impl World {
    /// An event reaches a worker. What follows and nobody can see is done at once.
    pub(super) fn feed(&mut self, model: &Protocol, who: usize, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let worker = &mut self.workers[who];
            let input = Input {
                event,
                jitter: Jitter(0),
            };
            let (next, effects) = step(worker.obligation.clone(), input);
            worker.obligation = next;
            worker.todo.extend(effects);
            events.extend(self.local(model, who));
        }
        let worker = &mut self.workers[who];
        match worker.obligation.phase() {
            Phase::Paid => self.client.told_paid = true,
            Phase::NotPaid => self.client.told_unpaid = true,
            _ => return,
        }
        worker.todo.clear();
    }

    /// The worker's next effect, where nobody else has a part in it and nothing can go wrong that a
    /// kill just before or after does not show as well.
    fn local(&mut self, model: &Protocol, who: usize) -> Option<Event> {
        let worker = &mut self.workers[who];
        match worker.todo.front()? {
            Effect::Store(Entry::Envelope { .. }) if model.change != Change::SendBeforeStore => {
                None
            }
            Effect::Store(_) => {
                worker.todo.pop_front();
                Some(Event::Stored)
            }
            Effect::Sign(request) => {
                let request = request.clone();
                worker.todo.pop_front();
                Some(Event::Signed(self.sign(who, &request)))
            }
            Effect::FindReceipt { .. } => {
                worker.todo.pop_front();
                None
            }
            _ => None,
        }
    }

    fn sign(&mut self, who: usize, request: &SignRequest) -> Signed {
        let key = u8::try_from(self.workers[who].key).expect("two keys");
        let (sequence, hash) = self.chain.number(who);
        Signed {
            hash,
            inner: hash,
            xdr: vec![key],
            source: String::new(),
            sequence,
            bid: Bid::MIN,
            resource_fee: request.resource_fee,
            bounds: request.bounds,
        }
    }

    /// A signed envelope becomes durable.
    pub(super) fn keep(&mut self, model: &Protocol, who: usize, signed: &Signed) {
        self.workers[who].journal.push(signed.clone());
        if model.leased() {
            let journal = self.workers[who].journal.clone();
            self.workers[1 - who].journal = journal;
        }
    }
}
