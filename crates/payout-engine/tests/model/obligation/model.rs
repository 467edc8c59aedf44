//! The model as the checker sees it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use payout_engine::protocol::{Event, Phase};
use stateright::{Model, Property};

use super::chain::Chain;
use super::{Action, Change, Client, Protocol, Scene, World};

/// Rule 1 and rule 5: whatever happens, the order is paid under one key.
pub(super) const ONCE: &str = "an order is paid at most once";
/// Rule 3: what is reported as not paid is not paid, and never will be.
pub(super) const UNPAID_HOLDS: &str = "nothing reported unpaid is paid";
/// Rule 3: what is reported as paid is paid.
pub(super) const PAID_HOLDS: &str = "nothing unpaid is reported paid";
/// Once faults stop, every worker comes to an end, and to the right one.
pub(super) const ENDS: &str = "it ends right once faults stop";
/// The model reaches what it is about.
pub(super) const PAID: &str = "an order can be paid";
pub(super) const PAID_BY_STRANGER: &str = "a stranger can make it paid";
pub(super) const FINALLY_UNPAID: &str = "an order can be finally unpaid";
pub(super) const MOVED: &str = "an order can be paid under its second key";

impl Model for Protocol {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let second = self.scene == Scene::Machines;
        vec![World {
            chain: Chain::new(),
            workers: [
                self.start(0, Vec::new(), true),
                self.start(0, Vec::new(), second),
            ],
            client: Client::default(),
            faults: self.faults,
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        for (who, worker) in world.workers.iter().enumerate() {
            if !worker.active {
                continue;
            }
            let outcomes = world.outcomes(who);
            actions.extend(outcomes.into_iter().map(|it| Action::Do(who, it)));
            let done = worker.obligation.phase().is_final();
            if world.faults > 0 && !done {
                let lost = [false, true];
                let losses = if self.leased() { &lost[..1] } else { &lost[..] };
                actions.extend(losses.iter().map(|lost| Action::Kill {
                    worker: who,
                    journal_lost: *lost,
                }));
            }
            if world.faults > 0 && worker.obligation.phase() == Phase::Suspended {
                actions.push(Action::Resume(who));
            }
            if worker.key != world.client.key {
                actions.push(Action::Adopt(who));
            }
        }
        if !world.client.asked {
            actions.push(Action::Ask);
        }
        if world.may_move(self) {
            actions.push(Action::Move);
        }
        if world.chain.ledger < self.last_ledger {
            let closings = world.chain.closings(world.void(self));
            actions.extend(closings.into_iter().map(Action::Close));
        }
    }

    fn next_state(&self, last: &World, action: Action) -> Option<World> {
        let mut world = last.clone();
        match action {
            Action::Do(who, outcome) => world.perform(self, who, outcome),
            Action::Kill {
                worker,
                journal_lost,
            } => {
                world.faults -= 1;
                world.kill(self, worker, journal_lost);
            }
            Action::Resume(who) => {
                world.faults -= 1;
                world.resume(self, who);
            }
            Action::Ask => world.ask(self),
            Action::Move => world.client.key = 1,
            Action::Adopt(who) => world.adopt(self, who),
            Action::Close(closing) => world.chain.close(&closing),
        }
        world.order();
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut all = vec![
            Property::always(ONCE, |_, world: &World| world.chain.payments() <= 1),
            Property::always(UNPAID_HOLDS, |_, world: &World| {
                !world.client.told_unpaid || world.chain.payments() == 0
            }),
            Property::always(PAID_HOLDS, |_, world: &World| {
                !world.client.told_paid || world.chain.payments() == 1
            }),
            Property::always(ENDS, |model, world: &World| world.settles(model)),
            Property::sometimes(PAID, |_, world: &World| world.client.told_paid),
            Property::sometimes(PAID_BY_STRANGER, |_, world: &World| {
                world.chain.paid_by_stranger()
            }),
        ];
        all.push(match self.scene {
            Scene::Lease | Scene::Restored => {
                Property::sometimes(FINALLY_UNPAID, |_, world: &World| world.client.told_unpaid)
            }
            Scene::Machines => Property::sometimes(MOVED, |_, world: &World| {
                world.client.key == 1 && world.client.told_paid
            }),
        });
        all
    }
}

impl World {
    /// Two worlds that differ by who is the first worker are one.
    fn order(&mut self) {
        let rank = |which: usize| {
            let mut hasher = DefaultHasher::new();
            (&self.workers[which], &self.chain.lanes[which]).hash(&mut hasher);
            hasher.finish()
        };
        if rank(0) > rank(1) {
            self.workers.swap(0, 1);
            self.chain.lanes.swap(0, 1);
        }
    }

    /// The key whose void is on its way.
    pub(super) fn void(&self, model: &Protocol) -> Option<usize> {
        (model.scene == Scene::Machines && self.client.asked).then_some(0)
    }

    /// Rule 5: only a void lets the order have another key.
    pub(super) fn may_move(&self, model: &Protocol) -> bool {
        let allowed = self.chain.voided(0) || model.change == Change::MoveWithoutVoid;
        model.scene == Scene::Machines && self.client.asked && self.client.key == 0 && allowed
    }

    fn ask(&mut self, model: &Protocol) {
        self.client.asked = true;
        let told = match (model.scene, model.change) {
            (Scene::Lease | Scene::Restored, _) => {
                self.workers.iter().position(|worker| worker.active)
            }
            (Scene::Machines, Change::OwnExpiryIsEverybodys) => Some(0),
            (Scene::Machines, _) => None,
        };
        if let Some(who) = told {
            self.feed(model, who, Event::GiveUp);
        }
    }

    /// An operator lets a stopped worker go on: to pay, or to find out.
    pub(super) fn resume(&mut self, model: &Protocol, who: usize) {
        let event = if model.leased() && self.client.asked {
            Event::GiveUp
        } else {
            Event::Resume { max_bid: None }
        };
        self.feed(model, who, event);
    }

    pub(super) fn adopt(&mut self, model: &Protocol, who: usize) {
        let journal = std::mem::take(&mut self.workers[who].journal);
        self.workers[who] = model.start(self.client.key, journal, true);
    }

    /// A worker is killed, and started again; under a lease the other one goes on.
    fn kill(&mut self, model: &Protocol, who: usize, journal_lost: bool) {
        let (heir, key) = match model.scene {
            Scene::Machines => (who, self.workers[who].key),
            Scene::Lease | Scene::Restored => (1 - who, self.client.key),
        };
        let key = if model.change == Change::FreshKeyOnRetry {
            1
        } else {
            key
        };
        let mut journal = std::mem::take(&mut self.workers[who].journal);
        if journal_lost {
            journal.clear();
        }
        if model.scene == Scene::Restored {
            journal.pop();
        }
        self.workers[who].active = false;
        self.workers[who].todo.clear();
        self.workers[heir] = model.start(key, journal, true);
        if model.leased() && self.client.asked {
            self.feed(model, heir, Event::GiveUp);
        }
    }
}
