//! A machine: what it reads, what it plans, what it offers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use payout_engine::Line;
use payout_engine::run::{Candidate, Decision, Halt, Plan, RowState, RunInput, Source, plan};

use super::chain::{Key, Offered};
use super::file::{edition, place};
use super::{Change, Machine, Run, World};

/// Plans that were made. The same knowledge gives the same plan, and is met many times.
#[derive(Debug, Clone, Default)]
pub(super) struct Plans(Arc<Mutex<HashMap<Knowledge, Arc<Planned>>>>);

type Planned = Result<Plan, Halt>;

/// All that a plan is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Knowledge {
    change: Change,
    who: usize,
    behind: u32,
    machine: Machine,
    records: BTreeMap<Key, Option<Vec<Line>>>,
    arguments: bool,
}

impl Run {
    pub(super) fn new(change: Change, mishaps: u8) -> Self {
        Self {
            change,
            mishaps,
            plans: Plans::default(),
        }
    }
}

impl World {
    /// All that a machine knows: the slots, without the newest `behind`, its journal and its file.
    pub(super) fn input(&self, who: usize, behind: u32) -> RunInput {
        let machine = &self.machines[who];
        let mut chain = self.chain.read(behind, self.arguments);
        for offered in &machine.journal {
            if let Key::Slot(slot) = offered.key {
                chain.candidates.push(Candidate {
                    slot,
                    source: Source::Journal,
                    lines: offered.lines.as_slice().into(),
                });
            }
        }
        RunInput {
            place: place(),
            chain,
            rows: edition(machine.edition),
            left_out: BTreeSet::new(),
            also: BTreeSet::new(),
            after: Vec::new(),
            // The second machine was told of smaller batches.
            max_batch: 2 - who,
        }
    }

    /// What a machine plans that goes by the rules.
    pub(super) fn plan(&self, run: &Run, who: usize, behind: u32) -> Arc<Planned> {
        self.planned(run, Change::Nothing, who, behind)
    }

    fn planned(&self, run: &Run, change: Change, who: usize, behind: u32) -> Arc<Planned> {
        let knowledge = Knowledge {
            change,
            who,
            behind,
            machine: self.machines[who].clone(),
            records: self.chain.records.clone(),
            arguments: self.arguments,
        };
        let mut plans = run.plans.0.lock().expect("nobody panicked");
        if let Some(known) = plans.get(&knowledge) {
            return Arc::clone(known);
        }
        let planned = Arc::new(self.plan_anew(change, who, behind));
        plans.insert(knowledge, Arc::clone(&planned));
        planned
    }

    fn plan_anew(&self, change: Change, who: usize, behind: u32) -> Planned {
        let mut input = self.input(who, behind);
        let skipped = self.bend(change, who, &mut input);
        let mut plan = plan(&input)?;
        if let (Decision::Offer(offer), Some(void)) = (&mut plan.decision, skipped)
            && offer.slot >= void
        {
            offer.slot += 1;
        }
        Ok(plan)
    }

    /// What a machine offers next, if it does.
    pub(super) fn next_offer(&self, run: &Run, who: usize, behind: u32) -> Option<Offered> {
        if run.change == Change::ModeByLooking && self.works_by_rows(who, behind) {
            return self.next_row(who);
        }
        let planned = self.planned(run, run.change, who, behind);
        let Decision::Offer(offer) = &planned.as_ref().as_ref().ok()?.decision else {
            return None;
        };
        Some(Offered {
            key: Key::Slot(offer.slot),
            lines: offer.payout.lines().to_vec(),
        })
    }

    /// Persist, then act.
    pub(super) fn offer(&mut self, run: &Run, who: usize, behind: u32) -> bool {
        let Some(offered) = self.next_offer(run, who, behind) else {
            return false;
        };
        self.machines[who].journal.insert(offered.clone());
        self.chain.send(offered);
        true
    }

    /// A machine tells what it takes for final.
    pub(super) fn report(&mut self, run: &Run, who: usize) {
        let planned = self.plan(run, who, 0);
        let Ok(plan) = planned.as_ref() else {
            return;
        };
        let open = Key::Slot(self.chain.length());
        let mut own = self.machines[who].journal.iter();
        let over = own.any(|it| it.key == open && !self.chain.late.contains(it));
        let early = run.change == Change::OwnExpiryIsFinal && over;
        let unpaid = plan.rows.iter().filter(|row| match row.state {
            RowState::NotPaid => true,
            RowState::Open | RowState::Held => early,
            RowState::Paid(_) | RowState::Before { .. } => false,
        });
        self.told_unpaid.extend(unpaid.map(|row| row.id.clone()));
    }
}
