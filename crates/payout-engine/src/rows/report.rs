//! What `--check` prints.

use super::cell::guarded;
use super::{FileError, Judged, Verdict};

/// One line a row: `row,id,verdict,reason`. Ids are guarded against spreadsheets that run them.
///
/// # Errors
/// [`FileError::Broken`], if it cannot be written.
pub fn check_csv(rows: &[Judged]) -> Result<String, FileError> {
    let broken = |error: &dyn std::fmt::Display| FileError::Broken(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(["row", "id", "verdict", "reason"])
        .map_err(|error| broken(&error))?;
    for row in rows {
        let (verdict, reason) = match &row.verdict {
            Verdict::Pay(_) => ("pay", String::new()),
            Verdict::Reject(reason) => ("reject", reason.to_string()),
        };
        let cells = [&row.number.to_string(), &guarded(&row.id), verdict, &reason];
        writer.write_record(cells).map_err(|error| broken(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| broken(&error))?;
    String::from_utf8(bytes).map_err(|error| broken(&error))
}
