//! The rows that were not paid, as a file that can be run again under the same name.

use std::collections::BTreeMap;

use payout_engine::payer::RunReport;
use payout_engine::rows::{guarded, write_left};
use payout_engine::run::{Plan, RowState};
use payout_keys::RowId;
use serde_json::json;

use super::folder::{Folder, remove, replace};
use super::outcome::Error;
use super::prepare::Prepared;
use crate::output::Format;

/// Writes the file, or removes an old one where every row is paid.
pub(crate) fn write(
    folder: &Folder,
    file: &[u8],
    prepared: &Prepared,
    report: &RunReport,
) -> Result<(), Error> {
    let plan = report.plan.as_ref().unwrap_or(&prepared.plan);
    let left = left(prepared, plan, &report.reasons);
    let path = folder.left_out();
    if left.is_empty() {
        return remove(&path);
    }
    replace(&path, |out| {
        Ok(write_left(
            file,
            |number| left.get(&number).map(|(_, why)| why.clone()),
            out,
        )?)
    })
}

/// Prints what a dry run found.
pub(crate) fn print(prepared: &Prepared, output: Format) -> Result<(), Error> {
    let left = left(prepared, &prepared.plan, &BTreeMap::new());
    match output {
        Format::Table => {}
        Format::Json => {
            let rows: Vec<serde_json::Value> = left
                .iter()
                .filter(|(_, (_, why))| !why.is_empty())
                .map(|(number, (id, why))| json!({ "row": number, "id": id, "reason": why }))
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
            for (number, (id, why)) in &left {
                let verdict = if why.is_empty() { "pay" } else { "reject" };
                writer
                    .write_record([&number.to_string(), &guarded(id), verdict, &guarded(why)])
                    .map_err(broken)?;
            }
            writer
                .flush()
                .map_err(|error| Error::Output(error.to_string()))?;
        }
    }
    Ok(())
}

/// Every row of the file that no slot paid and none may be paying, by its number, with its id and why.
/// Why is empty where it can be paid and was not yet.
fn left<'a>(
    prepared: &'a Prepared,
    plan: &'a Plan,
    refused: &BTreeMap<RowId, String>,
) -> BTreeMap<u64, (&'a str, String)> {
    let rejected = prepared
        .not_paid(plan)
        .map(|row| (row.number, (row.id.as_str(), row.why.clone())));
    let unpaid = plan
        .rows
        .iter()
        // What is held may be or become paid: whoever takes it for unpaid pays it twice.
        .filter(|row| matches!(row.state, RowState::Open | RowState::NotPaid))
        .map(|row| {
            let why = refused.get(&row.id).or(prepared.unpayable.get(&row.id));
            (
                row.number,
                (row.id.as_str(), why.cloned().unwrap_or_default()),
            )
        });
    rejected.chain(unpaid).collect()
}
