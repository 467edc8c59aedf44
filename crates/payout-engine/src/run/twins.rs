//! Unpaid rows that look like paid ones that vanished.

use std::collections::{BTreeMap, BTreeSet};

use payout_keys::{Recipient, Reference, RowId};

use super::batch::Referenced;
use super::explain::Found;
use super::halt::Pair;
use crate::Amount;

/// Each row of `unpaid` that has wallet and amount of one of `vanished`, and is not in `also`.
pub(super) fn twins(
    unpaid: &[Referenced<'_>],
    vanished: &BTreeMap<Reference, Found>,
    also: &BTreeSet<RowId>,
) -> Vec<Pair> {
    let mut gone: BTreeMap<(Recipient, Amount), Vec<(&Reference, &Found)>> = BTreeMap::new();
    for (reference, found) in vanished {
        gone.entry((found.line().recipient, found.line().amount))
            .or_default()
            .push((reference, found));
    }
    let mut pairs = Vec::new();
    for row in unpaid.iter().map(|next| next.row) {
        if also.contains(&row.id) {
            continue;
        }
        for (reference, found) in gone.get(&(row.recipient, row.amount)).into_iter().flatten() {
            pairs.push(Pair {
                id: row.id.clone(),
                number: row.number,
                paid: **reference,
                slot: found.slot(),
                recipient: row.recipient,
                amount: row.amount,
            });
        }
    }
    pairs
}
