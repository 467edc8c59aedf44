//! Explained is reproduced: which rows each slot paid.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use payout_keys::{Reference, RowId};

use super::batch::{Referenced, next_batch};
use super::halt::Halt;
use super::input::{Chain, Place, Slot, Source};
use crate::{Line, Payout, RecordKind};

/// The most lines that a contract can pay in one call.
const MOST_LINES: usize = 60;

/// A line of a slot that is explained. All lines of a slot share its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    list: Arc<PaidSlot>,
    at: usize,
}

impl Found {
    /// The slot.
    #[must_use]
    pub fn slot(&self) -> u32 {
        self.list.slot.index
    }

    /// The payout's number.
    #[must_use]
    pub fn payout_id(&self) -> u64 {
        self.list.slot.record.payout_id
    }

    /// The ledger that paid it.
    #[must_use]
    pub fn ledger(&self) -> u32 {
        self.list.slot.record.ledger
    }

    /// Whose list it was.
    #[must_use]
    pub fn source(&self) -> Source {
        self.list.source
    }

    /// Who got how much.
    #[must_use]
    pub fn line(&self) -> &Line {
        // Made for a line of the list alone.
        &self.list.lines[self.at]
    }
}

/// A slot that paid, and the list that reproduces its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidSlot {
    /// The slot.
    pub slot: Slot,
    /// Whose list it was.
    pub source: Source,
    /// The list, in the order of the call.
    pub lines: Arc<[Line]>,
}

/// A chain in which every slot is explained.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Explained {
    /// What was paid, by reference.
    pub(super) paid: BTreeMap<Reference, Found>,
    /// What was paid, by slot.
    pub(super) slots: Vec<Arc<PaidSlot>>,
    /// How many slots are explained, the void one too.
    seen: usize,
    /// The void slot that ended the run.
    pub(super) voided: Option<u32>,
}

impl Explained {
    /// Explains the slots of `chain` that are not explained yet, in order.
    ///
    /// # Errors
    /// [`Halt`], at the first slot that nothing reproduces, or where the chain is broken. Those before
    /// it stay explained.
    pub(super) fn extend(
        &mut self,
        place: &Place,
        chain: &Chain,
        rows: &[Referenced<'_>],
        left_out: &BTreeSet<RowId>,
    ) -> Result<(), Halt> {
        for slot in chain.slots.iter().skip(self.seen) {
            let expected = u32::try_from(self.seen).unwrap_or(u32::MAX);
            if slot.index != expected || self.voided.is_some() {
                return Err(Halt::BrokenChain {
                    expected,
                    found: slot.index,
                });
            }
            match slot.record.kind {
                RecordKind::Voided => self.voided = Some(slot.index),
                RecordKind::Imported => {
                    return Err(Halt::ImportedSlot {
                        run: place.run.clone(),
                        slot: slot.index,
                    });
                }
                RecordKind::Single | RecordKind::Batch => {
                    let list = reproduce(chain, rows, left_out, self, slot);
                    let (source, lines) = list.ok_or_else(|| Halt::Unexplained {
                        run: place.run.clone(),
                        slot: slot.index,
                        key: place.key(slot.index),
                        ledger: slot.record.ledger,
                        total: slot.record.total,
                    })?;
                    self.enter(slot, source, lines)?;
                }
            }
            self.seen += 1;
        }
        Ok(())
    }

    /// The slot to offer under; `None` if the run has ended.
    pub(super) fn open(&self) -> Option<u32> {
        match self.voided {
            Some(_) => None,
            None => Some(u32::try_from(self.seen).unwrap_or(u32::MAX)),
        }
    }

    fn enter(&mut self, slot: &Slot, source: Source, lines: Arc<[Line]>) -> Result<(), Halt> {
        let list = Arc::new(PaidSlot {
            slot: *slot,
            source,
            lines,
        });
        for (at, line) in list.lines.iter().enumerate() {
            let Some(reference) = line.reference else {
                continue;
            };
            let list = Arc::clone(&list);
            if let Some(before) = self.paid.insert(reference, Found { list, at }) {
                return Err(Halt::PaidTwice {
                    reference,
                    first: before.slot(),
                    second: slot.index,
                });
            }
        }
        self.slots.push(list);
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
) -> Option<(Source, Arc<[Line]>)> {
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
        .map(|candidate| (candidate.source, Arc::clone(&candidate.lines)));
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
                return Some((Source::File, lines.into()));
            }
        }
    }
    None
}
