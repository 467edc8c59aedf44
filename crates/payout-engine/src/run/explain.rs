//! Explained is reproduced: which rows each slot paid.

use std::collections::{BTreeMap, BTreeSet};

use payout_keys::{Reference, RowId};

use super::batch::{Referenced, next_batch};
use super::halt::Halt;
use super::input::{Chain, Place, Slot, Source};
use crate::{Line, Payout, RecordKind};

/// The most lines that a contract can pay in one call.
const MOST_LINES: usize = 60;

/// A line of a slot that is explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The slot.
    pub slot: u32,
    /// The payout's number.
    pub payout_id: u64,
    /// The ledger that paid it.
    pub ledger: u32,
    /// Who got how much.
    pub line: Line,
    /// Whose list it was.
    pub source: Source,
}

/// A slot that paid, and the list that reproduces its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidSlot {
    /// The slot.
    pub slot: Slot,
    /// Whose list it was.
    pub source: Source,
    /// The list, in the order of the call.
    pub lines: Vec<Line>,
}

/// A chain in which every slot is explained.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Explained {
    /// What was paid, by reference.
    pub(super) paid: BTreeMap<Reference, Found>,
    /// What was paid, by slot.
    pub(super) slots: Vec<PaidSlot>,
    /// The slot to offer under; `None` if the run has ended.
    pub(super) open: Option<u32>,
    /// The void slot that ended the run.
    pub(super) voided: Option<u32>,
}

/// Explains every slot of `chain`, in order.
///
/// # Errors
/// [`Halt`], at the first slot that nothing reproduces, or where the chain is broken.
pub(super) fn explain(
    place: &Place,
    chain: &Chain,
    rows: &[Referenced<'_>],
    left_out: &BTreeSet<RowId>,
) -> Result<Explained, Halt> {
    let mut explained = Explained::default();
    let mut expected = 0_u32;
    for slot in &chain.slots {
        if slot.index != expected || explained.voided.is_some() {
            return Err(Halt::BrokenChain {
                expected,
                found: slot.index,
            });
        }
        expected = expected.saturating_add(1);
        match slot.record.kind {
            RecordKind::Voided => {
                explained.voided = Some(slot.index);
                continue;
            }
            RecordKind::Imported => {
                return Err(Halt::ImportedSlot {
                    run: place.run.clone(),
                    slot: slot.index,
                });
            }
            RecordKind::Single | RecordKind::Batch => {}
        }
        let (source, lines) =
            reproduce(chain, rows, left_out, &explained, slot).ok_or_else(|| {
                Halt::Unexplained {
                    run: place.run.clone(),
                    slot: slot.index,
                    key: place.key(slot.index),
                    ledger: slot.record.ledger,
                    total: slot.record.total,
                }
            })?;
        explained.enter(slot, source, lines)?;
    }
    if explained.voided.is_none() {
        explained.open = Some(expected);
    }
    Ok(explained)
}

impl Explained {
    fn enter(&mut self, slot: &Slot, source: Source, lines: Vec<Line>) -> Result<(), Halt> {
        for line in lines.iter().cloned() {
            let Some(reference) = line.reference else {
                continue;
            };
            let found = Found {
                slot: slot.index,
                payout_id: slot.record.payout_id,
                ledger: slot.record.ledger,
                line,
                source,
            };
            if let Some(before) = self.paid.insert(reference, found) {
                return Err(Halt::PaidTwice {
                    reference,
                    first: before.slot,
                    second: slot.index,
                });
            }
        }
        self.slots.push(PaidSlot {
            slot: *slot,
            source,
            lines,
        });
        Ok(())
    }
}

/// A list that reproduces the slot's record: somebody's, or the next rows of the file.
fn reproduce(
    chain: &Chain,
    rows: &[Referenced<'_>],
    left_out: &BTreeSet<RowId>,
    before: &Explained,
    slot: &Slot,
) -> Option<(Source, Vec<Line>)> {
    let reproduces = |lines: &[Line]| {
        Payout::new(lines.to_vec()).is_ok_and(|payout| {
            payout.referenced() && payout.fingerprint() == slot.record.fingerprint
        })
    };
    let known = chain
        .candidates
        .iter()
        .filter(|candidate| candidate.slot == slot.index)
        .find(|candidate| reproduces(&candidate.lines))
        .map(|candidate| (candidate.source, candidate.lines.clone()));
    if known.is_some() {
        return known;
    }
    for without in [&BTreeSet::new(), left_out] {
        let unpaid = rows
            .iter()
            .copied()
            .filter(|next| !before.paid.contains_key(&next.reference));
        let mut lines = Vec::new();
        let mut total = 0_i128;
        for next in next_batch(unpaid, without, MOST_LINES) {
            lines.push(next.line());
            total = total.saturating_add(next.row.amount.units());
            if total == slot.record.total && reproduces(&lines) {
                return Some((Source::File, lines));
            }
        }
    }
    None
}
