//! Which rows go into a batch.

use std::collections::BTreeSet;

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

/// The rows of a file in the order of their ids, each with its reference. Kept, because every
/// reference is a digest.
#[derive(Debug, Clone, Default)]
pub(super) struct Order(Vec<(usize, Reference)>);

impl Order {
    /// Two rows with one id or one reference are refused.
    pub(super) fn of(place: &Place, rows: &[Row]) -> Result<Self, Halt> {
        let mut ordered: Vec<(usize, Reference)> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| (at, place.reference(&row.id)))
            .collect();
        ordered.sort_by_key(|(_, reference)| *reference);
        for pair in ordered.windows(2) {
            let [(one, reference), (other, same)] = pair else {
                continue;
            };
            if reference == same {
                let (first, second) = (rows[*one].id.clone(), rows[*other].id.clone());
                return Err(if first == second {
                    Halt::IdTwice { id: second }
                } else {
                    Halt::ReferenceCollision { first, second }
                });
            }
        }
        ordered.sort_by(|(one, _), (other, _)| rows[*one].id.cmp(&rows[*other].id));
        Ok(Self(ordered))
    }

    /// The rows that it was made of, in its order.
    pub(super) fn rows<'a>(&self, rows: &'a [Row]) -> Vec<Referenced<'a>> {
        let each = |(at, reference): &(usize, Reference)| Referenced {
            row: &rows[*at],
            reference: *reference,
        };
        self.0.iter().map(each).collect()
    }
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
