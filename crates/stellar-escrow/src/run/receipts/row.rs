//! One row's receipt.

use payout_engine::rows::{Row, guarded};
use payout_engine::run::{Found, RowState};
use payout_keys::RunName;
use serde::Serialize;

use super::Receipts;
use crate::run::prepare::Rejected;

/// The columns of the CSV, as the fields of [`RowReceipt`].
pub(super) const COLUMNS: [&str; 14] = [
    "row",
    "id",
    "status",
    "walletAddress",
    "amount",
    "units",
    "paymentID",
    "run",
    "slot",
    "payout_id",
    "key",
    "transaction",
    "ledger",
    "reason",
];

/// A row of the file, or a paid reference that is not in it.
#[derive(Default, Serialize)]
pub(super) struct RowReceipt<'a> {
    /// Its number in the file; the first line is 1.
    row: Option<u64>,
    id: Option<&'a str>,
    /// paid, held, open, `not_paid`, rejected.
    status: &'static str,
    recipient: Option<String>,
    /// As people write it.
    amount: Option<String>,
    units: Option<String>,
    payment_id: Option<&'a str>,
    run: Option<&'a str>,
    slot: Option<u32>,
    payout_id: Option<u64>,
    key: Option<String>,
    transaction: Option<&'a str>,
    ledger: Option<u32>,
    reason: Option<&'a str>,
}

impl RowReceipt<'_> {
    /// One line of the CSV. Text that a spreadsheet would run is guarded.
    pub(super) fn cells(&self) -> [String; 14] {
        let text = |value: Option<&str>| guarded(value.unwrap_or_default());
        let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        [
            number(self.row),
            text(self.id),
            self.status.to_owned(),
            text(self.recipient.as_deref()),
            text(self.amount.as_deref()),
            text(self.units.as_deref()),
            text(self.payment_id),
            text(self.run),
            number(self.slot.map(u64::from)),
            number(self.payout_id),
            text(self.key.as_deref()),
            text(self.transaction),
            number(self.ledger.map(u64::from)),
            text(self.reason),
        ]
    }
}

impl Receipts<'_> {
    /// Every row of the file in its order, then what was paid and is not in it.
    pub(super) fn rows(&self) -> impl Iterator<Item = RowReceipt<'_>> {
        let mut rejected = self.prepared.rejected.iter().peekable();
        let mut rows = self.prepared.order.rows.iter().peekable();
        let of_file = std::iter::from_fn(move || match (rejected.peek(), rows.peek()) {
            (Some(left), Some(right)) if left.number < right.number => {
                rejected.next().map(|row| self.rejection(row))
            }
            (Some(_), None) => rejected.next().map(|row| self.rejection(row)),
            (_, Some(_)) => rows.next().map(|row| self.of(row)),
            (None, None) => None,
        });
        let edited: Vec<&Found> = self
            .prepared
            .rejected
            .iter()
            .filter_map(|row| self.prepared.paid_before_edit(self.plan, row))
            .collect();
        let vanished = self.plan.vanished.iter();
        let vanished = vanished.filter(move |(_, found)| !edited.contains(found));
        let vanished = vanished.map(|(reference, found)| {
            let named = self.named.get(reference);
            let mut receipt = RowReceipt {
                id: named.and_then(|row| row.id.as_deref()),
                payment_id: named.and_then(|row| row.payment_id.as_deref()),
                reason: Some("its id is not in the file"),
                ..RowReceipt::default()
            };
            self.paid(found, &self.prepared.order.place.run, &mut receipt);
            receipt
        });
        of_file.chain(vanished)
    }

    fn of<'b>(&'b self, row: &'b Row) -> RowReceipt<'b> {
        let mut receipt = RowReceipt {
            row: Some(row.number),
            id: Some(row.id.as_str()),
            payment_id: row.payment_id.as_deref(),
            ..RowReceipt::default()
        };
        // The plan's rows are in the order of their ids.
        let states = &self.plan.rows;
        let at = states.binary_search_by(|state| state.id.cmp(&row.id));
        let state = at.ok().and_then(|at| states.get(at));
        match state.map(|view| &view.state) {
            Some(RowState::Paid(found)) => {
                self.paid(found, &self.prepared.order.place.run, &mut receipt);
                return receipt;
            }
            Some(RowState::Before { run, found }) => {
                self.paid(found, run, &mut receipt);
                return receipt;
            }
            Some(RowState::NotPaid) => receipt.status = "not_paid",
            Some(RowState::Held) => receipt.status = "held",
            Some(RowState::Open) | None => receipt.status = "open",
        }
        let refused = self.report.and_then(|report| report.reasons.get(&row.id));
        let why = refused.or_else(|| self.prepared.unpayable.get(&row.id));
        receipt.reason = why.map(String::as_str);
        receipt.recipient = Some(row.recipient.to_string());
        receipt.amount = Some(self.session.facts.token.shown(row.amount.units()));
        receipt.units = Some(row.amount.to_string());
        receipt
    }

    /// A row that cannot be paid as the file has it now. Its id may be paid all the same.
    fn rejection<'b>(&'b self, row: &'b Rejected) -> RowReceipt<'b> {
        let mut receipt = RowReceipt {
            row: Some(row.number),
            id: Some(&row.id),
            status: "rejected",
            reason: Some(&row.why),
            ..RowReceipt::default()
        };
        if let Some(found) = self.prepared.paid_before_edit(self.plan, row) {
            self.paid(found, &self.prepared.order.place.run, &mut receipt);
        }
        receipt
    }

    /// What was paid is told, whatever the file says now.
    fn paid<'b>(&'b self, found: &Found, run: &'b RunName, receipt: &mut RowReceipt<'b>) {
        let place = &self.prepared.order.place;
        receipt.status = "paid";
        receipt.recipient = Some(found.line().recipient.to_string());
        receipt.amount = Some(self.session.facts.token.shown(found.line().amount.units()));
        receipt.units = Some(found.line().amount.to_string());
        receipt.run = Some(run.as_str());
        receipt.slot = Some(found.slot());
        receipt.payout_id = Some(found.payout_id());
        receipt.ledger = Some(found.ledger());
        let of = payout_engine::run::Place {
            run: run.clone(),
            ..place.clone()
        };
        receipt.key = Some(of.key(found.slot()).as_str().to_owned());
        if *run == place.run {
            receipt.transaction = self.transactions.get(&found.slot()).map(String::as_str);
        }
    }
}
