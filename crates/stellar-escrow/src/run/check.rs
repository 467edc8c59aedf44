//! `--check`: the rows by themselves, without a network.

use std::path::Path;

use payout_engine::rows::{Judged, Verdict, check_csv, read};
use serde_json::json;

use super::outcome::Error;
use crate::exit::Exit;
use crate::output::{Format, legible};

/// Judges the rows and prints what became of them.
pub(crate) fn run(file: &Path, decimals: u32, output: Format) -> Result<Exit, Error> {
    let bytes = std::fs::read(file).map_err(|error| Error::Read {
        path: file.to_owned(),
        error,
    })?;
    let rows = read(&bytes, decimals)?;
    let text = match output {
        Format::Csv => check_csv(&rows)?,
        Format::Json => json(&rows),
        Format::Table => table(&rows),
    };
    print!("{text}");
    let rejected = rows.iter().filter(|row| !pays(row)).count();
    eprintln!("{} rows pay, {rejected} do not", rows.len() - rejected);
    Ok(if rejected == 0 {
        Exit::Done
    } else {
        Exit::RowsLeft
    })
}

fn pays(row: &Judged) -> bool {
    matches!(row.verdict, Verdict::Pay(_))
}

/// The reason's name, empty where the row pays.
fn reason(row: &Judged) -> String {
    match &row.verdict {
        Verdict::Pay(_) => String::new(),
        Verdict::Reject(reason) => reason.to_string(),
    }
}

fn json(rows: &[Judged]) -> String {
    let rows: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            json!({
                "row": row.number,
                "id": row.id,
                "verdict": if pays(row) { "pay" } else { "reject" },
                "reason": reason(row),
            })
        })
        .collect();
    format!("{:#}\n", serde_json::Value::Array(rows))
}

/// The rows that do not pay: those are the ones to look at.
fn table(rows: &[Judged]) -> String {
    let line = |row: &Judged| {
        let id = legible(&payout_engine::rows::guarded(&row.id));
        format!("row {:>5}  {id:<24} {}\n", row.number, reason(row))
    };
    rows.iter().filter(|row| !pays(row)).map(line).collect()
}
