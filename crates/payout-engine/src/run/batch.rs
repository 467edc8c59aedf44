//! Which rows go into a batch.

use std::collections::{BTreeMap, BTreeSet};

use payout_keys::{Reference, RowId};

use super::halt::Halt;
use super::input::Place;
use crate::Line;
use crate::rows::Row;

/// A row and its reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Referenced<'a> {
    pub(super) row: &'a Row,
    pub(super) reference: Reference,
}

impl Referenced<'_> {
    pub(super) fn line(&self) -> Line {
        Line {
            recipient: self.row.recipient,
            amount: self.row.amount,
            reference: Some(self.reference),
        }
    }
}

/// Every row with its reference, in the order of ids. Two rows with one id or one reference are
/// refused.
pub(super) fn referenced<'a>(place: &Place, rows: &'a [Row]) -> Result<Vec<Referenced<'a>>, Halt> {
    let mut seen: BTreeMap<Reference, &RowId> = BTreeMap::new();
    let mut ordered = Vec::with_capacity(rows.len());
    for row in rows {
        let reference = place.reference(&row.id);
        if let Some(first) = seen.insert(reference, &row.id) {
            let (first, second) = (first.clone(), row.id.clone());
            return Err(if first == second {
                Halt::IdTwice { id: second }
            } else {
                Halt::ReferenceCollision { first, second }
            });
        }
        ordered.push(Referenced { row, reference });
    }
    ordered.sort_by(|one, other| one.row.id.cmp(&other.row.id));
    Ok(ordered)
}

/// The next of `rows`, which are in the order of their ids: no recipient twice, none of `not`, at
/// most `most`. A recipient's second row waits for the next batch.
pub(super) fn next_batch<'a>(
    rows: impl Iterator<Item = Referenced<'a>>,
    not: &BTreeSet<RowId>,
    most: usize,
) -> Vec<Referenced<'a>> {
    let mut recipients = BTreeSet::new();
    rows.filter(|next| !not.contains(&next.row.id))
        .filter(|next| recipients.insert(next.row.recipient))
        .take(most)
        .collect()
}
