//! The rows that were not paid, as a file that can be run again under the same name.
//!
//! Its cells are the file's own, unguarded: an id that was changed on the way would be another
//! obligation.

use payout_engine::payer::RunReport;
use payout_engine::rows::{Verdict, guarded};
use payout_engine::run::{Plan, RowState};
use payout_keys::RowId;
use serde_json::json;

use super::folder::{Folder, replace};
use super::outcome::Error;
use super::prepare::Prepared;
use crate::output::Format;

/// A row that was not paid, and why.
struct Left<'a> {
    number: u64,
    id: &'a str,
    cells: [String; 5],
    why: String,
}

/// Writes the file, or removes an old one where every row is paid.
pub(crate) fn write(folder: &Folder, prepared: &Prepared, report: &RunReport) -> Result<(), Error> {
    let plan = report.plan.as_ref().unwrap_or(&prepared.plan);
    let left = left(prepared, plan, |id| report.reasons.get(id).cloned());
    let path = folder.left_out();
    if left.is_empty() {
        return match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::Write { path, error })
            }
            _ => Ok(()),
        };
    }
    let broken = |error: csv::Error| Error::Output(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record([
            "walletAddress",
            "id",
            "amount",
            "paymentID",
            "walletAddressMemo",
            "reason",
        ])
        .map_err(broken)?;
    for row in &left {
        let [wallet, id, amount, payment, memo] = &row.cells;
        writer
            .write_record([wallet, id, amount, payment, memo, &row.why])
            .map_err(broken)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| Error::Output(error.to_string()))?;
    replace(&path, &bytes)
}

/// Prints what a dry run found, a line a row.
pub(crate) fn print(prepared: &Prepared, output: Format) -> Result<(), Error> {
    let left = left(prepared, &prepared.plan, |_| None);
    match output {
        Format::Table => {}
        Format::Json => {
            let rows: Vec<serde_json::Value> = left
                .iter()
                .map(|row| json!({ "row": row.number, "id": row.id, "reason": row.why }))
                .filter(|row| row["reason"] != "")
                .collect();
            let text = json!({
                "to_pay": prepared.to_pay,
                "units": prepared.sum.to_string(),
                "batches": prepared.batches,
                "not_payable": rows,
            });
            println!("{text:#}");
        }
        Format::Csv => {
            let broken = |error: csv::Error| Error::Output(error.to_string());
            let mut writer = csv::Writer::from_writer(std::io::stdout());
            writer
                .write_record(["row", "id", "verdict", "reason"])
                .map_err(broken)?;
            for row in &left {
                let verdict = if row.why.is_empty() { "pay" } else { "reject" };
                let number = row.number.to_string();
                writer
                    .write_record([&number, &guarded(row.id), verdict, &guarded(&row.why)])
                    .map_err(broken)?;
            }
            writer
                .flush()
                .map_err(|error| Error::Output(error.to_string()))?;
        }
    }
    Ok(())
}

/// Every row of the file that no slot paid, in its order.
fn left<'a>(
    prepared: &'a Prepared,
    plan: &Plan,
    refused: impl Fn(&RowId) -> Option<String>,
) -> Vec<Left<'a>> {
    let paid: std::collections::BTreeSet<&RowId> = plan
        .rows
        .iter()
        .filter(|row| matches!(row.state, RowState::Paid(_) | RowState::Before { .. }))
        .map(|row| &row.id)
        .collect();
    let mut left = Vec::new();
    for row in &prepared.judged {
        let why = match &row.verdict {
            Verdict::Reject(reason) => reason.name().to_owned(),
            Verdict::Pay(payable) if paid.contains(&payable.id) => continue,
            Verdict::Pay(payable) => refused(&payable.id)
                .or_else(|| prepared.unpayable.get(&payable.id).cloned())
                .unwrap_or_default(),
        };
        left.push(Left {
            number: row.number,
            id: &row.id,
            cells: row.cells.clone(),
            why,
        });
    }
    left
}
