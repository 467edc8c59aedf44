//! What becomes of what a worker asks for: the honest answer, or a fault.

use payout_engine::protocol::{
    Bid, Effect, Entry, Event, Prepared, SendAnswer, SendStatus, Signed, Simulation,
};
use payout_engine::{NodeId, View};

use super::chain::moment;
use super::{Change, Client, Protocol, World};

/// How an effect goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// As it should.
    Honest,
    /// Nobody answers, and the request went nowhere.
    Lost,
    /// The request was taken, and its answer lost: 504.
    AnswerLost,
    /// "Try again later", and the request went nowhere.
    TryAgainLater,
    /// A node of the ledger before answers, or one that forgot the transaction.
    Behind,
    /// The wait is over and no ledger has closed.
    Stalled,
}

impl Outcome {
    const ALL: [Self; 6] = [
        Self::Honest,
        Self::Lost,
        Self::AnswerLost,
        Self::TryAgainLater,
        Self::Behind,
        Self::Stalled,
    ];
}

impl World {
    /// The outcomes that a worker's next effect may have.
    pub(super) fn outcomes(&self, who: usize) -> Vec<Outcome> {
        let Some(effect) = self.workers[who].todo.front() else {
            return Vec::new();
        };
        let waits = matches!(effect, Effect::Wait { .. });
        let moved = self.chain.ledger > self.workers[who].obligation.horizon();
        let possible = |outcome: &Outcome| {
            let suits = match outcome {
                Outcome::Honest => return !waits || moved,
                Outcome::Lost => matches!(
                    effect,
                    Effect::ReadRecord { .. } | Effect::Simulate | Effect::Send(_)
                ),
                Outcome::AnswerLost | Outcome::TryAgainLater => matches!(effect, Effect::Send(_)),
                Outcome::Behind => matches!(
                    effect,
                    Effect::ReadRecord { .. } | Effect::ReadTransactions(_)
                ),
                Outcome::Stalled => waits && !moved,
            };
            self.faults > 0 && suits
        };
        Outcome::ALL.into_iter().filter(possible).collect()
    }

    /// Does a worker's next effect. The outcome is one of [`World::outcomes`].
    pub(super) fn perform(&mut self, model: &Protocol, who: usize, outcome: Outcome) {
        let Some(effect) = self.workers[who].todo.pop_front() else {
            return;
        };
        if outcome != Outcome::Honest {
            self.faults -= 1;
        }
        let ledger = self.chain.ledger;
        let event = match effect {
            Effect::ReadRecord { .. } if outcome == Outcome::Lost => {
                Event::ReadFailed("lost".into())
            }
            Effect::ReadRecord { not_from, .. } => {
                let behind = u32::from(outcome == Outcome::Behind) * model.lag;
                let at = ledger.saturating_sub(behind).max(1);
                self.look(model, who, at, not_from);
                return;
            }
            Effect::ReadTransactions(hashes) => {
                for hash in hashes {
                    let fate = self.chain.fate(who, hash);
                    if outcome == Outcome::Honest {
                        self.feed(model, who, Event::Transaction { hash, fate });
                    }
                }
                return;
            }
            Effect::Simulate if outcome == Outcome::Lost => Event::SimulationFailed("lost".into()),
            Effect::Simulate => Event::Simulated(Simulation {
                at: moment(ledger),
                node: NodeId(0),
                min_resource_fee: 0,
                restores: 0,
                market: Bid::MIN,
                prepared: Prepared::default(),
            }),
            Effect::Store(Entry::Envelope { signed, .. }) => {
                self.keep(model, who, &signed);
                Event::Stored
            }
            Effect::Send(signed) => self.send(model, who, &signed, outcome),
            Effect::Wait { .. } => Event::Timer,
            other => unreachable!("no fee bumps and no restores: {other:?}"),
        };
        self.feed(model, who, event);
    }

    fn look(&mut self, model: &Protocol, who: usize, at: u32, not_from: Option<NodeId>) {
        let node = NodeId(u16::from(not_from == Some(NodeId(0))));
        let record = self.chain.record(self.workers[who].key, at);
        let view = View {
            node,
            at: moment(at),
            record,
        };
        self.feed(model, who, Event::Record(view));
        let worker = &mut self.workers[who];
        let early = model.change == Change::VerdictAtMaxTime && self.client.asked;
        let over = worker
            .obligation
            .envelopes()
            .iter()
            .all(|it| moment(at).close_time > Some(it.signed.bounds.max_time));
        if early && over && record.is_none() {
            self.client.told_unpaid = true;
            worker.todo.clear();
        }
    }

    fn send(&mut self, model: &Protocol, who: usize, signed: &Signed, outcome: Outcome) -> Event {
        self.chain.seen(signed);
        let ledger = self.chain.ledger;
        let answer = |status| Event::Answered(SendAnswer { status, ledger });
        let unanswered = Event::SendFailed("lost".into());
        match outcome {
            Outcome::Lost => {
                self.taken_as_failed(model, who);
                unanswered
            }
            Outcome::AnswerLost => {
                self.chain.submit(who, signed);
                self.taken_as_failed(model, who);
                unanswered
            }
            Outcome::TryAgainLater => answer(SendStatus::TryAgainLater),
            _ => answer(self.chain.submit(who, signed)),
        }
    }

    /// [`Change::NoAnswerIsFailure`]: the client is told, and orders again.
    fn taken_as_failed(&mut self, model: &Protocol, who: usize) {
        if model.change == Change::NoAnswerIsFailure && self.client.key == 0 {
            self.client = Client {
                key: 1,
                told_unpaid: true,
                ..self.client
            };
            let journal = self.workers[1 - who].journal.clone();
            self.workers[1 - who] = model.start(1, journal, true);
            self.workers[who].active = false;
        }
    }
}
