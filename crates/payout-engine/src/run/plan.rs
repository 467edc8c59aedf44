//! From what was read to what is offered next.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use payout_keys::{IdempotencyKey, Recipient, Reference, RowId, RunName};

use super::batch::{Order, Referenced, next_batch};
use super::explain::{Explained, Found, PaidSlot};
use super::halt::Halt;
use super::input::{Place, RunInput};
use super::twins::twins;
use crate::{Amount, Payout};

/// What is offered next, under the key of the one open slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The slot.
    pub slot: u32,
    /// Its key.
    pub key: IdempotencyKey,
    /// The rows, in the order of their ids.
    pub ids: Vec<RowId>,
    /// The arguments.
    pub payout: Payout,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Offer this, then read and plan anew.
    Offer(Offer),
    /// Every row of the file is paid or skipped.
    Complete,
    /// The rest of the rows cannot be paid now. The same run goes on when they can.
    LeftOver,
    /// A void ended the run. What is not paid is finally not paid under it.
    Ended {
        /// The void slot.
        slot: u32,
    },
}

/// What is known of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowState {
    /// Paid, in this slot.
    Paid(Found),
    /// Paid by an earlier run that this one comes after.
    Before {
        /// That run.
        run: RunName,
        /// What it paid.
        found: Found,
    },
    /// In a list that was offered under the open slot, so it may be paid at any time.
    Held,
    /// Not offered yet under the open slot by anybody we know of.
    Open,
    /// Not paid under this run, and never will be: a void ended it, and all slots are explained.
    NotPaid,
}

/// A row and what is known of it, as of the plan's ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowView {
    /// The row.
    pub id: RowId,
    /// Its number in the file.
    pub number: u64,
    /// What is known.
    pub state: RowState,
    /// It is left out of the next offer.
    pub left_out: bool,
}

/// A row that was paid otherwise than the file says now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The row.
    pub id: RowId,
    /// What was paid.
    pub paid: (Recipient, Amount),
    /// What the file says.
    pub file: (Recipient, Amount),
}

/// The whole of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What to do.
    pub decision: Decision,
    /// What was paid, slot by slot.
    pub slots: Vec<Arc<PaidSlot>>,
    /// Every row, in the order of ids.
    pub rows: Vec<RowView>,
    /// Rows that were edited after they were paid.
    pub differences: Vec<Difference>,
    /// What was paid and is not in the file.
    pub vanished: BTreeMap<Reference, Found>,
    /// The ledger as of which open and held rows are so.
    pub as_of: u32,
}

/// Plans the next step of a run.
///
/// # Errors
/// [`Halt`], where it cannot know which rows were paid, or which are meant.
pub fn plan(input: &RunInput) -> Result<Plan, Halt> {
    Planner::default().plan(input)
}

/// Plans the steps of one run after the other. What is explained stays explained: rows, place and
/// ended runs have to be the same from call to call, and slots are only added.
#[derive(Debug, Clone, Default)]
pub struct Planner {
    order: Option<Order>,
    explained: Explained,
    before: Option<Before>,
}

/// What ended runs paid.
#[derive(Debug, Clone, Default)]
struct Before {
    /// Of this file's rows.
    paid: BTreeMap<RowId, (RunName, Found)>,
    /// And of others.
    vanished: BTreeMap<Reference, Found>,
}

impl Planner {
    /// What to do next.
    ///
    /// # Errors
    /// As [`plan`].
    pub fn decide(&mut self, input: &RunInput) -> Result<Decision, Halt> {
        let (decision, ..) = self.step(input)?;
        Ok(decision)
    }

    /// What to do next, and what is known of every row.
    ///
    /// # Errors
    /// As [`plan`].
    pub fn plan(&mut self, input: &RunInput) -> Result<Plan, Halt> {
        let (decision, rows, vanished) = self.step(input)?;
        let before = &self
            .before
            .as_ref()
            .unwrap_or(&Before::default())
            .paid
            .clone();
        Ok(Plan {
            decision,
            slots: self.explained.slots.clone(),
            rows: views(input, &rows, &self.explained, before),
            differences: differences(&rows, &self.explained, before),
            vanished,
            as_of: input.chain.as_of,
        })
    }

    /// How many rows of the file are paid, as of the last step.
    #[must_use]
    pub fn paid(&self) -> usize {
        let before = self.before.as_ref().map_or(0, |before| before.paid.len());
        self.explained.paid.len().saturating_add(before)
    }

    #[allow(clippy::type_complexity, reason = "three parts of one plan")]
    fn step<'a>(
        &mut self,
        input: &'a RunInput,
    ) -> Result<(Decision, Vec<Referenced<'a>>, BTreeMap<Reference, Found>), Halt> {
        if input.max_batch == 0 {
            return Err(Halt::NoBatch);
        }
        let order = match self.order.take() {
            Some(order) => order,
            None => Order::of(&input.place, &input.rows)?,
        };
        let rows = self.order.insert(order).rows(&input.rows);
        self.explained
            .extend(&input.place, &input.chain, &rows, &input.left_out)?;
        let before = match self.before.take() {
            Some(before) => before,
            None => Before::of(input)?,
        };
        let before = &*self.before.insert(before);
        let mut vanished = before.vanished.clone();
        vanished.extend(not_in(&self.explained, &rows));
        let unpaid: Vec<Referenced<'a>> = rows
            .iter()
            .copied()
            .filter(|next| !before.paid.contains_key(&next.row.id))
            .filter(|next| !self.explained.paid.contains_key(&next.reference))
            .collect();
        // A paid row that says something else now may have got its id from another one: rows were
        // numbered anew.
        let mut gone = vanished.clone();
        for next in &rows {
            let here = self.explained.paid.get(&next.reference);
            let paid = here.or_else(|| before.paid.get(&next.row.id).map(|(_, found)| found));
            let same = |found: &Found| {
                (found.line().recipient, found.line().amount)
                    == (next.row.recipient, next.row.amount)
            };
            if let Some(found) = paid.filter(|found| !same(found)) {
                gone.insert(next.reference, found.clone());
            }
        }
        let decision = match (self.explained.voided, self.explained.open()) {
            (Some(slot), _) => Decision::Ended { slot },
            (None, open) => offer(input, &unpaid, &gone, open.unwrap_or_default())?,
        };
        Ok((decision, rows, vanished))
    }
}

impl Before {
    fn of(input: &RunInput) -> Result<Self, Halt> {
        let mut all = Self::default();
        for ended in &input.after {
            let run = ended.run.clone();
            if run == input.place.run {
                return Err(Halt::AfterItself { run });
            }
            let place = Place {
                run: run.clone(),
                ..input.place.clone()
            };
            let order = Order::of(&place, &input.rows)?;
            let rows = order.rows(&input.rows);
            let mut explained = Explained::default();
            explained.extend(&place, &ended.chain, &rows, &BTreeSet::new())?;
            if explained.voided.is_none() {
                return Err(Halt::NotEnded { run });
            }
            all.vanished.extend(not_in(&explained, &rows));
            for next in rows {
                if let Some(found) = explained.paid.get(&next.reference) {
                    let paid = (run.clone(), found.clone());
                    all.paid.insert(next.row.id.clone(), paid);
                }
            }
        }
        Ok(all)
    }
}

/// What is explained and not among `rows`.
fn not_in(explained: &Explained, rows: &[Referenced<'_>]) -> BTreeMap<Reference, Found> {
    let known: BTreeSet<Reference> = rows.iter().map(|next| next.reference).collect();
    explained
        .paid
        .iter()
        .filter(|(reference, _)| !known.contains(reference))
        .map(|(reference, found)| (*reference, found.clone()))
        .collect()
}

fn offer(
    input: &RunInput,
    unpaid: &[Referenced<'_>],
    vanished: &BTreeMap<Reference, Found>,
    slot: u32,
) -> Result<Decision, Halt> {
    let pairs = twins(unpaid, vanished, &input.also);
    if !pairs.is_empty() {
        return Err(Halt::Twins { pairs });
    }
    let rows = next_batch(unpaid.iter().copied(), &input.left_out, input.max_batch);
    if rows.is_empty() {
        return Ok(if unpaid.is_empty() {
            Decision::Complete
        } else {
            Decision::LeftOver
        });
    }
    let lines = rows.iter().map(Referenced::line).collect();
    Ok(Decision::Offer(Offer {
        slot,
        key: input.place.key(slot),
        ids: rows.iter().map(|next| next.row.id.clone()).collect(),
        payout: Payout::new(lines)?,
    }))
}

fn views(
    input: &RunInput,
    rows: &[Referenced<'_>],
    explained: &Explained,
    before: &BTreeMap<RowId, (RunName, Found)>,
) -> Vec<RowView> {
    let offered: BTreeSet<Reference> = input
        .chain
        .candidates
        .iter()
        .filter(|candidate| Some(candidate.slot) == explained.open())
        .flat_map(|candidate| candidate.lines.iter().filter_map(|line| line.reference))
        .collect();
    let state = |next: &Referenced<'_>| {
        if let Some(found) = explained.paid.get(&next.reference) {
            RowState::Paid(found.clone())
        } else if let Some((run, found)) = before.get(&next.row.id) {
            RowState::Before {
                run: run.clone(),
                found: found.clone(),
            }
        } else if explained.voided.is_some() {
            RowState::NotPaid
        } else if offered.contains(&next.reference) {
            RowState::Held
        } else {
            RowState::Open
        }
    };
    rows.iter()
        .map(|next| RowView {
            id: next.row.id.clone(),
            number: next.row.number,
            state: state(next),
            left_out: input.left_out.contains(&next.row.id),
        })
        .collect()
}

fn differences(
    rows: &[Referenced<'_>],
    explained: &Explained,
    before: &BTreeMap<RowId, (RunName, Found)>,
) -> Vec<Difference> {
    let paid = |next: &Referenced<'_>| {
        let here = explained.paid.get(&next.reference);
        here.or_else(|| before.get(&next.row.id).map(|(_, found)| found))
            .map(|found| (found.line().recipient, found.line().amount))
    };
    rows.iter()
        .filter_map(|next| {
            let row = next.row;
            let (paid, file) = (paid(next)?, (row.recipient, row.amount));
            (paid != file).then(|| Difference {
                id: row.id.clone(),
                paid,
                file,
            })
        })
        .collect()
}
