//! The rows of a payout file, judged one by one before anything is planned.
//!
//! Nothing is guessed: what is not exactly a number, an address or an id is refused with one
//! reason, the first that applies. A file whose columns cannot be told apart for certain is refused
//! as a whole. Columns that are not read are never stored.

mod amount;
mod cell;
mod header;
mod judge;
mod left;
mod report;

pub use amount::parse_amount;
pub use cell::{guarded, unguarded};
pub use judge::{Judged, Reason, Row, Verdict, read};
pub use left::write_left;
pub use report::check_csv;

/// Why a file cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Bytes that are no UTF-8.
    #[error("the file is not UTF-8 at byte {at}; save it as \"CSV UTF-8\"")]
    NotUtf8 {
        /// Where.
        at: usize,
    },
    /// A quotation mark without its partner, which would swallow rows.
    #[error(
        "the file has an odd number of quotation marks, so cells cannot be told apart; close the \
         open one, and write a mark inside a cell twice"
    )]
    OpenQuote,
    /// The cells are separated by something else than commas.
    #[error(
        "the file is separated by {found}, not by commas; save it with commas as separators and \
         points in decimals. Nothing is guessed, because 1.000 and 1,000 would change their meaning"
    )]
    Delimiter {
        /// The separator's name.
        found: &'static str,
    },
    /// A column is missing.
    #[error("column {name} is missing; the first line has: {found}")]
    ColumnMissing {
        /// Its name.
        name: &'static str,
        /// The first line's names.
        found: String,
    },
    /// A column is there twice.
    #[error("column {name:?} is there more than once; remove one, because which counts is a guess")]
    ColumnTwice {
        /// Its name.
        name: String,
    },
    /// A column is almost one that is read, and would be left out without a word.
    #[error("column {found:?} looks like {name} and is not spelled like it; rename or remove it")]
    ColumnAlmost {
        /// As it is spelled.
        found: String,
        /// As it should be, if it is meant.
        name: &'static str,
    },
    /// Rows that cannot be taken apart.
    #[error("the file cannot be read: {0}")]
    Broken(String),
}

/// The file's text, without a byte-order mark.
fn text(file: &[u8]) -> Result<&str, FileError> {
    let text = std::str::from_utf8(file).map_err(|error| FileError::NotUtf8 {
        at: error.valid_up_to(),
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.bytes().filter(|byte| *byte == b'"').count() % 2 != 0 {
        return Err(FileError::OpenQuote);
    }
    Ok(text)
}

/// Reads its rows, whatever their number of cells.
fn reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes())
}
