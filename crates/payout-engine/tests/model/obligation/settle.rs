//! What follows once faults stop: honest answers, everything included, an operator who resumes.

use payout_engine::protocol::Phase;

use super::links::Outcome;
use super::{Protocol, World};

/// Ledgers until everything has ended: two envelopes that run out, one after the other, and the rest.
const LEDGERS: usize = 30;

impl World {
    /// Whether it ends, and right: paid where nobody cancelled, and what is reported is so.
    pub(super) fn settles(&self, model: &Protocol) -> bool {
        let mut world = self.clone();
        world.faults = 0;
        for _ in 0..LEDGERS {
            if world.may_move(model) {
                world.client.key = 1;
            }
            for who in 0..2 {
                world.work(model, who);
            }
            if world.ended() {
                return world.right(model);
            }
            let mut closing = world.chain.everything();
            closing.void = world.void(model).filter(|_| closing.lanes == [false; 2]);
            world.chain.close(&closing);
        }
        false
    }

    /// Everything that a worker does before it waits for a ledger.
    fn work(&mut self, model: &Protocol, who: usize) {
        if !self.workers[who].active {
            return;
        }
        if self.workers[who].key != self.client.key {
            self.adopt(model, who);
        }
        if self.workers[who].obligation.phase() == Phase::Suspended {
            self.resume(model, who);
        }
        let waits = |world: &Self| {
            let front = world.workers[who].todo.front();
            front.is_none_or(|it| matches!(it, payout_engine::protocol::Effect::Wait { .. }))
        };
        if waits(self) {
            self.perform(model, who, Outcome::Honest);
        }
        while !waits(self) {
            self.perform(model, who, Outcome::Honest);
        }
    }

    fn ended(&self) -> bool {
        self.workers
            .iter()
            .filter(|worker| worker.active)
            .all(|worker| {
                worker.key == self.client.key
                    && matches!(worker.obligation.phase(), Phase::Paid | Phase::NotPaid)
            })
    }

    fn right(&self, model: &Protocol) -> bool {
        let cancelled = model.leased() && self.client.asked;
        let paid = self.chain.payments() == 1;
        (paid || cancelled) && self.client.told_paid == paid && self.client.told_unpaid != paid
    }
}
