//! What must be so whatever happens. It knows all that was ever paid, and what was said about it.

use std::collections::{BTreeMap, BTreeSet};

use payout_engine::Line;
use payout_engine::rows::Row;
use payout_engine::run::{Place, Plan, RowState};
use payout_keys::{Recipient, Reference, RowId};

/// An obligation, whatever its row is called.
pub(super) type Obligation = usize;

/// Rows that some edition of the file has had, and what happened to them.
#[derive(Debug, Default)]
pub(super) struct Oracle {
    known: BTreeMap<Reference, (Obligation, RowId)>,
    /// What any edition says of a row.
    lines: BTreeSet<Line>,
    pub(super) paid: BTreeMap<Obligation, Vec<(Reference, u32)>>,
    pub(super) sums: BTreeMap<Recipient, i128>,
    told_unpaid: BTreeSet<Reference>,
    /// The first thing that is not as it must be.
    pub(super) violation: Option<String>,
}

impl Oracle {
    /// An edition of the file is in use.
    pub(super) fn learn(&mut self, place: &Place, rows: &[(Obligation, Row)]) {
        for (obligation, row) in rows {
            let line = place.line(row);
            self.known
                .insert(place.reference(&row.id), (*obligation, row.id.clone()));
            self.lines.insert(line);
        }
    }

    pub(super) fn violated(&mut self, what: String) {
        self.violation.get_or_insert(what);
    }

    /// The contract paid these.
    pub(super) fn paid(&mut self, lines: &[Line], ledger: u32) {
        for line in lines {
            let reference = line.reference.unwrap_or(Reference([0; 16]));
            *self.sums.entry(line.recipient).or_default() += line.amount.units();
            if !self.lines.contains(line) {
                self.violated(format!("ledger {ledger} paid what no file says: {line:?}"));
            }
            let Some((obligation, id)) = self.known.get(&reference).cloned() else {
                self.violated(format!("ledger {ledger} paid an unknown row: {line:?}"));
                continue;
            };
            if self.told_unpaid.contains(&reference) {
                self.violated(format!(
                    "row {id} was reported unpaid, and ledger {ledger} paid it"
                ));
            }
            let payments = self.paid.entry(obligation).or_default();
            payments.push((reference, ledger));
            if payments.len() > 1 {
                let what = format!("obligation {obligation} (row {id}) was paid in {payments:?}");
                self.violated(what);
            }
        }
    }

    pub(super) fn is_paid(&self, reference: Reference) -> bool {
        self.paid
            .values()
            .flatten()
            .any(|(paid, _)| *paid == reference)
    }

    pub(super) fn is_told_unpaid(&self, reference: Reference) -> bool {
        self.told_unpaid.contains(&reference)
    }

    /// A machine says how many rows are paid.
    pub(super) fn hear_count(&mut self, paid: usize) {
        let known = self.paid.values().map(Vec::len).sum();
        if paid > known {
            self.violated(format!("{paid} rows were said to be paid, and {known} are"));
        }
    }

    /// A machine says what became of its rows.
    pub(super) fn hear(&mut self, place: &Place, plan: &Plan) {
        for row in &plan.rows {
            let reference = place.reference(&row.id);
            match &row.state {
                RowState::Paid(found) => {
                    if !self.is_paid(reference) || found.line().reference != Some(reference) {
                        self.violated(format!("row {} was reported paid, and is not", row.id));
                    }
                }
                RowState::NotPaid => self.finally_unpaid(reference, &row.id),
                RowState::Before { .. } | RowState::Held | RowState::Open => {}
            }
        }
    }

    /// A machine says that a row is not paid and never will be.
    pub(super) fn finally_unpaid(&mut self, reference: Reference, id: &RowId) {
        if self.is_paid(reference) {
            self.violated(format!("row {id} was reported unpaid, and is paid"));
        }
        self.told_unpaid.insert(reference);
    }
}
