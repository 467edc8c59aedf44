//! Rules taken out: what the planner is told instead of the truth.

use std::collections::BTreeSet;

use payout_engine::rows::Row;
use payout_engine::run::{Candidate, RunInput, Slot, Source};
use payout_engine::{Line, Payout, RecordKind};
use payout_keys::{Recipient, Reference};

use super::chain::{Key, Offered};
use super::file::{edition, place};
use super::{Change, World};

/// A wallet and an amount: a line without its reference.
type Bare = (Recipient, i128);

fn bare(lines: &[Line]) -> Vec<Bare> {
    lines
        .iter()
        .map(|line| (line.recipient, line.amount.units()))
        .collect()
}

/// The rows of the file, in the order of ids, that have these wallets and amounts and were not named
/// before.
fn by_file(lines: &[Line], rows: &[Row], named: &BTreeSet<Reference>) -> Option<Vec<Line>> {
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by(|one, other| one.id.cmp(&other.id));
    let mut used = named.clone();
    let mut found = Vec::new();
    for (recipient, amount) in bare(lines) {
        let line = rows
            .iter()
            .map(|row| place().line(row))
            .filter(|line| (line.recipient, line.amount.units()) == (recipient, amount))
            .find(|line| line.reference.is_some_and(|it| !used.contains(&it)))?;
        used.extend(line.reference);
        found.push(line);
    }
    Some(found)
}

impl World {
    /// Alters what the planner is given. The number of a void slot that it is not shown comes back.
    pub(super) fn bend(&self, change: Change, who: usize, input: &mut RunInput) -> Option<u32> {
        match change {
            Change::NoReferences | Change::JournalWithoutIds | Change::JournalBelieved => {
                self.misattribute(change, who, input);
            }
            Change::NextSlotWhileOpen => pretend_landed(self, who, input),
            Change::TwinsPaid => input.also = input.rows.iter().map(|row| row.id.clone()).collect(),
            Change::PastTheVoid => return hide_the_void(input),
            Change::Nothing | Change::OwnExpiryIsFinal | Change::ModeByLooking => {}
        }
        None
    }

    /// Makes the planner believe of each slot what the change takes for explained.
    fn misattribute(&self, change: Change, who: usize, input: &mut RunInput) {
        let mut named = BTreeSet::new();
        for at in 0..input.chain.slots.len() {
            let Slot { index, .. } = input.chain.slots[at];
            let Some(Some(landed)) = self.chain.records.get(&Key::Slot(index)) else {
                continue;
            };
            let mut journal = self.machines[who]
                .journal
                .iter()
                .filter(|offered| offered.key == Key::Slot(index));
            let same = |offered: &&Offered| bare(&offered.lines) == bare(landed);
            let believed = match change {
                Change::NoReferences => journal
                    .find(same)
                    .map(|offered| offered.lines.clone())
                    .or_else(|| by_file(landed, &input.rows, &named)),
                Change::JournalWithoutIds => journal
                    .find(same)
                    .and_then(|_| by_file(landed, &input.rows, &named)),
                _ => journal.next_back().map(|offered| offered.lines.clone()),
            };
            if let Some(lines) = &believed {
                named.extend(lines.iter().filter_map(|line| line.reference));
                believe(input, at, lines);
            }
        }
    }

    /// [`Change::ModeByLooking`]: whether a machine decides to work row by row.
    pub(super) fn works_by_rows(&self, who: usize, behind: u32) -> bool {
        let seen = |key: &Key| matches!(key, Key::Row(_));
        let rows_seen = behind == 0 && self.chain.records.keys().any(seen);
        let slots_seen = self.chain.length().saturating_sub(behind) > 0;
        rows_seen || (who == 0 && !slots_seen)
    }

    /// The first row whose own key has no record.
    pub(super) fn next_row(&self, who: usize) -> Option<Offered> {
        let rows = edition(self.machines[who].edition);
        let mut lines = rows.iter().map(|row| place().line(row));
        lines.find_map(|line| {
            let key = Key::Row(line.reference?);
            let lines = vec![line];
            (!self.chain.records.contains_key(&key)).then_some(Offered { key, lines })
        })
    }
}

/// The planner takes `lines` for what the slot paid.
fn believe(input: &mut RunInput, at: usize, lines: &[Line]) {
    let slot = &mut input.chain.slots[at];
    let payout = Payout::new(lines.to_vec()).expect("a payout");
    slot.record.fingerprint = payout.fingerprint();
    slot.record.total = payout.total().units();
    let index = slot.index;
    input.chain.candidates.retain(|other| other.slot != index);
    input.chain.candidates.push(Candidate {
        slot: index,
        source: Source::Journal,
        lines: lines.into(),
    });
}

/// The machine's own offer under the open slot counts as landed.
fn pretend_landed(world: &World, who: usize, input: &mut RunInput) {
    let open = u32::try_from(input.chain.slots.len()).expect("few");
    let mut journal = world.machines[who].journal.iter();
    let Some(own) = journal.find(|offered| offered.key == Key::Slot(open)) else {
        return;
    };
    let payout = Payout::new(own.lines.clone()).expect("a payout");
    input.chain.slots.push(Slot {
        index: open,
        record: payout_engine::Record {
            kind: RecordKind::Batch,
            payout_id: 0,
            fingerprint: payout.fingerprint(),
            total: payout.total().units(),
            ledger: 0,
        },
    });
}

/// The planner does not see the void; what comes behind it moves up.
fn hide_the_void(input: &mut RunInput) -> Option<u32> {
    let void = input
        .chain
        .slots
        .iter()
        .position(|slot| slot.record.kind == RecordKind::Voided)?;
    input.chain.slots.remove(void);
    let void = u32::try_from(void).expect("few");
    for slot in &mut input.chain.slots {
        slot.index -= u32::from(slot.index > void);
    }
    for candidate in &mut input.chain.candidates {
        candidate.slot -= u32::from(candidate.slot > void);
    }
    Some(void)
}
