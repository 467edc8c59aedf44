//! The model as the checker sees it.

use std::collections::{BTreeMap, BTreeSet};

use payout_engine::Line;
use payout_engine::run::{Decision, Halt};
use stateright::{Model, Property};

use super::chain::{Chain, Key};
use super::file::{EDITIONS, edition, place, reference};
use super::{Action, Change, Machine, Run, World};

/// No id of the run is paid twice.
pub(super) const ONCE: &str = "an id is paid at most once";
/// Nor an obligation whose id was changed, unless somebody says that it is another one.
pub(super) const NAMES: &str = "one obligation under two names is paid at most once";
/// What is reported as finally not paid is not paid, and never will be.
pub(super) const UNPAID_HOLDS: &str = "nothing reported unpaid is paid";
/// Whatever is paid is what some edition of the file says for that id.
pub(super) const RIGHT: &str = "only what a file says is paid";
/// Once mishaps stop, every machine comes to an end, and to the right one.
pub(super) const ENDS: &str = "it ends right once mishaps stop";
/// The model reaches what it is about.
pub(super) const COMPLETE: &str = "a file can be paid whole";
pub(super) const CLOSED: &str = "a row can be finally unpaid";
pub(super) const TWINS: &str = "a machine can stop at twins";
pub(super) const UNEXPLAINED: &str = "a machine can stop at what nobody explains";

impl Model for Run {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let machine = |edition| Machine {
            edition,
            journal: BTreeSet::new(),
        };
        vec![World {
            chain: Chain::default(),
            machines: [machine(0), machine(1)],
            mishaps: self.mishaps,
            arguments: true,
            void: None,
            told_unpaid: BTreeSet::new(),
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        let late = world.chain.late.len();
        for machine in 0..2 {
            for behind in 0..2 {
                actions.push(Action::Offer { machine, behind });
            }
            actions.push(Action::Report(machine));
        }
        actions.extend((0..late).map(Action::Land));
        if self.change == Change::OwnExpiryIsFinal {
            actions.extend((0..late).map(Action::Expire));
        }
        if world.void.is_some() {
            actions.push(Action::LandVoid);
        }
        if world.mishaps == 0 {
            return;
        }
        for machine in 0..2 {
            let others = (0..EDITIONS).filter(|it| *it != world.machines[machine].edition);
            actions.extend(others.map(|edition| Action::Edit { machine, edition }));
            if !world.machines[machine].journal.is_empty() {
                actions.push(Action::Lose(machine));
            }
            if world.void.is_none() && !world.chain.voided() {
                actions.push(Action::Close(machine));
            }
        }
        if world.arguments {
            actions.push(Action::Forget);
        }
    }

    fn next_state(&self, last: &World, action: Action) -> Option<World> {
        let mut world = last.clone();
        match action {
            Action::Offer { machine, behind } => {
                let behind = u32::try_from(behind).expect("one");
                world.offer(self, machine, behind);
            }
            Action::Report(machine) => world.report(self, machine),
            Action::Land(which) => {
                let offered = world.chain.late.iter().nth(which)?.clone();
                world.chain.land(offered.key, Some(offered.lines));
            }
            Action::Expire(which) => {
                let offered = world.chain.late.iter().nth(which)?.clone();
                world.chain.late.remove(&offered);
            }
            Action::LandVoid => {
                let slot = world.void.take()?;
                world.chain.land(Key::Slot(slot), None);
            }
            Action::Edit { machine, edition } => {
                world.machines[machine].edition = edition;
                world.mishaps -= 1;
            }
            Action::Lose(machine) => {
                world.machines[machine].journal.clear();
                world.mishaps -= 1;
            }
            Action::Forget => {
                world.arguments = false;
                world.mishaps -= 1;
            }
            Action::Close(machine) => {
                // Every slot before has to be explained.
                world.plan(self, machine, 0).as_ref().as_ref().ok()?;
                world.void = Some(world.chain.length());
                world.mishaps -= 1;
            }
        }
        (world != *last).then_some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(ONCE, |_, world: &World| world.once()),
            Property::always(NAMES, |_, world: &World| {
                let paid = |name| {
                    let of = Some(reference(name));
                    world.chain.paid().any(|line| line.reference == of)
                };
                !(paid("b") && paid("y"))
            }),
            Property::always(UNPAID_HOLDS, |_, world: &World| world.unpaid_holds()),
            Property::always(RIGHT, |_, world: &World| {
                world.chain.paid().all(said_by_an_edition)
            }),
            Property::always(ENDS, |run, world: &World| world.settles(run)),
            Property::sometimes(COMPLETE, |run, world: &World| {
                let plan = world.plan(run, 0, 0);
                plan.as_ref()
                    .as_ref()
                    .is_ok_and(|plan| plan.decision == Decision::Complete)
            }),
            Property::sometimes(CLOSED, |_, world: &World| !world.told_unpaid.is_empty()),
            Property::sometimes(TWINS, |run, world: &World| {
                matches!(*world.plan(run, 1, 0), Err(Halt::Twins { .. }))
            }),
            Property::sometimes(UNEXPLAINED, |run, world: &World| {
                matches!(*world.plan(run, 1, 0), Err(Halt::Unexplained { .. }))
            }),
        ]
    }
}

impl World {
    fn once(&self) -> bool {
        let mut counts = BTreeMap::new();
        for line in self.chain.paid() {
            *counts.entry(line.reference).or_insert(0) += 1;
        }
        counts.values().all(|count| *count == 1)
    }

    fn unpaid_holds(&self) -> bool {
        let told: BTreeSet<_> = self
            .told_unpaid
            .iter()
            .map(|id| Some(place().reference(id)))
            .collect();
        self.chain
            .paid()
            .all(|line| !told.contains(&line.reference))
    }
}

fn said_by_an_edition(line: &Line) -> bool {
    let mut rows = (0..EDITIONS).flat_map(edition);
    rows.any(|row| place().line(&row) == *line)
}
