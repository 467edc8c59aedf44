//! What was paid: one entry a slot, one line a row. Other machines explain slots with it.

use std::collections::BTreeMap;
use std::path::Path;

use payout_engine::payer::RunReport;
use payout_engine::ports::Network as _;
use payout_engine::rows::{Verdict, guarded};
use payout_engine::run::{Candidate, Found, PaidSlot, Place, Plan, RowState, RowView, Source};
use payout_engine::{Line, Payout};
use payout_keys::{Recipient, Reference, RowId, RunName};
use serde::{Deserialize, Serialize};

use super::folder::{Folder, replace};
use super::outcome::Error;
use super::prepare::Prepared;
use super::session::Session;
use crate::output::Format;

/// The columns of the CSV.
const COLUMNS: [&str; 14] = [
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
/// How often a slot's transaction is looked for where this machine did not send it.
const LOOKS: u8 = 3;

/// The receipts of a run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Receipts {
    network: String,
    contract: String,
    program: String,
    run: String,
    /// The ledger as of which rows that are not paid are so.
    as_of: u32,
    slots: Vec<SlotReceipt>,
    rows: Vec<RowReceipt>,
}

/// A slot that was paid: its lines in the order of the call, which the record's fingerprint commits to.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SlotReceipt {
    slot: u32,
    key: String,
    payout_id: u64,
    ledger: u32,
    /// The transaction's hash, where it was found.
    transaction: Option<String>,
    /// In units.
    total: String,
    lines: Vec<LineReceipt>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineReceipt {
    reference: String,
    recipient: String,
    units: String,
}

/// A row of the file, or a paid reference that is not in it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RowReceipt {
    /// Its number in the file; the first line is 1.
    row: Option<u64>,
    id: Option<String>,
    status: String,
    recipient: Option<String>,
    /// As people write it.
    amount: Option<String>,
    units: Option<String>,
    payment_id: Option<String>,
    run: Option<String>,
    slot: Option<u32>,
    payout_id: Option<u64>,
    key: Option<String>,
    transaction: Option<String>,
    ledger: Option<u32>,
    reason: Option<String>,
}

/// Gathers what the last plan knows, and looks up transactions that this machine did not send.
pub(crate) async fn gather(
    session: &Session,
    prepared: &Prepared,
    report: Option<&RunReport>,
) -> Receipts {
    let plan = report.and_then(|report| report.plan.as_ref());
    let plan = plan.unwrap_or(&prepared.plan);
    let place = &prepared.order.place;
    let mut slots = slots(place, plan);
    let known = known_transactions(session, place);
    for slot in &mut slots {
        slot.transaction = match known.get(&slot.slot) {
            Some(hash) => Some(hash.clone()),
            None => landed(session, place, slot).await,
        };
    }
    let rows = rows(session, prepared, report, plan, &slots);
    Receipts {
        network: session.facts.passphrase.clone(),
        contract: session.facts.contract.to_string(),
        program: place.program.as_str().to_owned(),
        run: place.run.as_str().to_owned(),
        as_of: plan.as_of,
        slots,
        rows,
    }
}

fn slots(place: &Place, plan: &Plan) -> Vec<SlotReceipt> {
    let receipt = |paid: &PaidSlot| SlotReceipt {
        slot: paid.slot.index,
        key: place.key(paid.slot.index).as_str().to_owned(),
        payout_id: paid.slot.record.payout_id,
        ledger: paid.slot.record.ledger,
        transaction: None,
        total: paid.slot.record.total.to_string(),
        lines: paid.lines.iter().map(LineReceipt::of).collect(),
    };
    plan.slots.iter().map(receipt).collect()
}

/// Which transactions this machine's journal has as paid.
fn known_transactions(session: &Session, place: &Place) -> BTreeMap<u32, String> {
    let Some(journal) = &session.driver.store else {
        return BTreeMap::new();
    };
    // A receipt that cannot be read is looked up again.
    let offers = journal.of_run(&place.run).unwrap_or_default();
    let known = |offer: payout_engine::journal::StoredOffer| {
        let (_, slot) = offer.intent.slot?;
        Some((slot, offer.receipt?.0.to_string()))
    };
    offers.into_iter().filter_map(known).collect()
}

/// The transaction that paid a slot, whoever sent it; `None` where the node has forgotten.
async fn landed(session: &Session, place: &Place, slot: &SlotReceipt) -> Option<String> {
    let lines = slot.lines.iter().map(LineReceipt::line);
    let payout = Payout::new(lines.collect::<Option<Vec<Line>>>()?).ok()?;
    let key = place.key(slot.slot);
    for _ in 0..LOOKS {
        if let Ok(landed) = session.reader.landed(&key, slot.ledger).await
            && let Some(found) = landed.into_iter().find(|found| found.payout == payout)
        {
            return Some(found.hash.to_string());
        }
    }
    None
}

fn rows(
    session: &Session,
    prepared: &Prepared,
    report: Option<&RunReport>,
    plan: &Plan,
    slots: &[SlotReceipt],
) -> Vec<RowReceipt> {
    let token = &session.facts.token;
    let place = &prepared.order.place;
    let by_slot: BTreeMap<u32, &SlotReceipt> = slots.iter().map(|slot| (slot.slot, slot)).collect();
    let states: BTreeMap<&RowId, &RowView> = plan.rows.iter().map(|row| (&row.id, row)).collect();
    let paid = |found: &Found, run: &RunName, row: &mut RowReceipt| {
        row.status = "paid".into();
        row.recipient = Some(found.line.recipient.to_string());
        row.amount = Some(token.shown(found.line.amount.units()));
        row.units = Some(found.line.amount.to_string());
        row.run = Some(run.as_str().to_owned());
        row.slot = Some(found.slot);
        row.payout_id = Some(found.payout_id);
        row.ledger = Some(found.ledger);
        if *run == place.run
            && let Some(slot) = by_slot.get(&found.slot)
        {
            row.key = Some(slot.key.clone());
            row.transaction.clone_from(&slot.transaction);
        }
    };
    let mut receipts = Vec::with_capacity(prepared.judged.len());
    for judged in &prepared.judged {
        let mut receipt = RowReceipt::blank(Some(judged.number), Some(judged.id.clone()));
        let row = match &judged.verdict {
            Verdict::Reject(reason) => {
                receipt.status = "rejected".into();
                receipt.reason = Some(reason.name().to_owned());
                receipts.push(receipt);
                continue;
            }
            Verdict::Pay(row) => row,
        };
        receipt.recipient = Some(row.recipient.to_string());
        receipt.amount = Some(token.shown(row.amount.units()));
        receipt.units = Some(row.amount.to_string());
        receipt.payment_id.clone_from(&row.payment_id);
        let why = report.and_then(|report| report.reasons.get(&row.id));
        receipt.reason = why.or_else(|| prepared.unpayable.get(&row.id)).cloned();
        match states.get(&row.id).map(|view| &view.state) {
            Some(RowState::Paid(found)) => {
                receipt.reason = None;
                paid(found, &place.run, &mut receipt);
            }
            Some(RowState::Before { run, found }) => {
                receipt.reason = None;
                paid(found, run, &mut receipt);
            }
            Some(RowState::NotPaid) => receipt.status = "not_paid".into(),
            Some(RowState::Held) => receipt.status = "held".into(),
            Some(RowState::Open) | None => receipt.status = "open".into(),
        }
        receipts.push(receipt);
    }
    for found in plan.vanished.values() {
        let mut receipt = RowReceipt::blank(None, None);
        paid(found, &place.run, &mut receipt);
        receipt.reason = Some("its id is not in the file".to_owned());
        receipts.push(receipt);
    }
    receipts
}

impl RowReceipt {
    fn blank(row: Option<u64>, id: Option<String>) -> Self {
        Self {
            row,
            id,
            status: String::new(),
            recipient: None,
            amount: None,
            units: None,
            payment_id: None,
            run: None,
            slot: None,
            payout_id: None,
            key: None,
            transaction: None,
            ledger: None,
            reason: None,
        }
    }

    /// One line of the CSV. Text that a spreadsheet would run is guarded.
    fn cells(&self) -> [String; 14] {
        let text = |value: &Option<String>| guarded(value.as_deref().unwrap_or_default());
        let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        [
            number(self.row),
            text(&self.id),
            self.status.clone(),
            text(&self.recipient),
            text(&self.amount),
            text(&self.units),
            text(&self.payment_id),
            text(&self.run),
            number(self.slot.map(u64::from)),
            number(self.payout_id),
            text(&self.key),
            text(&self.transaction),
            number(self.ledger.map(u64::from)),
            text(&self.reason),
        ]
    }
}

impl LineReceipt {
    fn of(line: &Line) -> Self {
        Self {
            reference: line
                .reference
                .map(|reference| reference.to_string())
                .unwrap_or_default(),
            recipient: line.recipient.to_string(),
            units: line.amount.to_string(),
        }
    }

    fn line(&self) -> Option<Line> {
        Some(Line {
            recipient: Recipient::new(&self.recipient).ok()?,
            amount: self.units.parse().ok()?,
            reference: Some(self.reference.parse::<Reference>().ok()?),
        })
    }
}

impl Receipts {
    /// Writes both files, each whole or not at all.
    pub(crate) fn write(&self, folder: &Folder) -> Result<(), Error> {
        replace(&folder.receipts_json(), self.json()?.as_bytes())?;
        replace(&folder.receipts_csv(), self.csv()?.as_bytes())
    }

    /// Prints what was asked for; the table is the summary on stderr.
    pub(crate) fn print(&self, output: Format) -> Result<(), Error> {
        match output {
            Format::Table => {}
            Format::Csv => print!("{}", self.csv()?),
            Format::Json => print!("{}", self.json()?),
        }
        Ok(())
    }

    fn json(&self) -> Result<String, Error> {
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Error::Output(error.to_string()))?;
        Ok(text + "\n")
    }

    fn csv(&self) -> Result<String, Error> {
        let broken = |error: csv::Error| Error::Output(error.to_string());
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS).map_err(broken)?;
        for row in &self.rows {
            writer.write_record(row.cells()).map_err(broken)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Error::Output(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| Error::Output(error.to_string()))
    }
}

/// The lists of a receipts file, as candidates: one that does not reproduce a record says nothing, so
/// nothing of it needs to be believed. Without `needed`, a file that is not there is an empty one.
pub(crate) fn candidates(
    path: &Path,
    place: &Place,
    needed: bool,
) -> Result<Vec<Candidate>, Error> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !needed => {
            return Ok(Vec::new());
        }
        Err(error) => {
            let path = path.to_owned();
            return Err(Error::Read { path, error });
        }
    };
    let receipts: Receipts = match serde_json::from_slice(&bytes) {
        Ok(receipts) => receipts,
        // Our own papers are a convenience; what somebody names has to be what they say.
        Err(_) if !needed => return Ok(Vec::new()),
        Err(error) => {
            return Err(Error::NotReceipts {
                path: path.to_owned(),
                why: error.to_string(),
            });
        }
    };
    let of_run = receipts.run == place.run.as_str();
    let list = |slot: SlotReceipt| {
        let lines = slot.lines.iter().map(LineReceipt::line);
        Some(Candidate {
            slot: slot.slot,
            source: Source::Receipt,
            lines: lines.collect::<Option<Vec<Line>>>()?,
        })
    };
    let slots = receipts.slots.into_iter().filter(|_| of_run);
    Ok(slots.filter_map(list).collect())
}
