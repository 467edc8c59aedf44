//! Rows that are left, as a file that can be read again.

use std::io::Write;

use super::FileError;
use super::cell::trimmed;
use super::header::Columns;

/// Writes those rows of a file for which `left` gives a reason, with the reason beside them.
///
/// The cells are the file's own: an id that was changed on the way would be another obligation. Of a
/// row with too many or too few cells nothing is written but the reason.
///
/// # Errors
/// [`FileError`], also where it cannot be written.
pub fn write_left(
    file: &[u8],
    mut left: impl FnMut(u64) -> Option<String>,
    out: impl Write,
) -> Result<(), FileError> {
    let broken = |error: csv::Error| FileError::Broken(error.to_string());
    let text = super::text(file)?;
    let mut reader = super::reader(text);
    let header = reader.headers().map_err(broken)?.clone();
    let columns = Columns::find(&header, text)?;
    let mut writer = csv::Writer::from_writer(out);
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
    for (number, record) in (2_u64..).zip(reader.records()) {
        let record = record.map_err(broken)?;
        let Some(why) = left(number) else {
            continue;
        };
        let whole = record.len() == header.len();
        let cell = |at: Option<usize>| {
            let cell = at.filter(|_| whole).and_then(|at| record.get(at));
            trimmed(cell.unwrap_or_default())
        };
        writer
            .write_record([
                cell(Some(columns.wallet)),
                cell(Some(columns.id)),
                cell(Some(columns.amount)),
                cell(columns.payment),
                cell(columns.memo),
                &why,
            ])
            .map_err(broken)?;
    }
    writer
        .flush()
        .map_err(|error| FileError::Broken(error.to_string()))
}
