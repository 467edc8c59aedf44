//! The platform's own list of keys.

use payout_engine::rows::unguarded;
use payout_keys::IdempotencyKey;

use crate::books::key_digest;
use crate::checks::KeyList;

/// Errors that are named one by one.
const NAMED: usize = 20;

/// Why a list cannot be used. Nothing of it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyListError {
    /// As a file.
    #[error("the list of keys cannot be read: {0}")]
    File(String),
    /// Lines that are no keys.
    #[error("the list of keys has {count} lines that are none:\n{}", lines.join("\n"))]
    Lines {
        /// How many.
        count: usize,
        /// The first ones.
        lines: Vec<String>,
    },
}

/// Reads a list: a key a line, or CSV with a column `key` (`idempotency_key` is taken too). A key that
/// stands there twice counts once; rows of a table without a key are left out.
///
/// # Errors
/// [`KeyListError`].
pub fn read_keys(bytes: &[u8]) -> Result<KeyList, KeyListError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| KeyListError::File(format!("it is not UTF-8: {error}")))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut csv = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut column = 0;
    let mut table = false;
    let mut list = KeyList::default();
    let mut errors = Vec::new();
    for (number, record) in csv.records().enumerate() {
        let record = record.map_err(|error| KeyListError::File(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        if number == 0 {
            let named = record
                .iter()
                .position(|cell| matches!(cell.trim(), "key" | "idempotency_key"));
            if let Some(named) = named {
                column = named;
                table = true;
                continue;
            }
            if record.len() > 1 {
                return Err(KeyListError::File(
                    "it has several columns, and none is named key".to_owned(),
                ));
            }
        }
        let cell = record.get(column).unwrap_or_default();
        let cell = unguarded(cell.trim_matches(|c: char| c.is_ascii_whitespace()));
        // A table has rows that were given no key yet.
        if table && cell.is_empty() {
            continue;
        }
        match IdempotencyKey::new(cell) {
            Ok(key) => {
                list.keys.insert(key_digest(key.as_str()), key.to_string());
            }
            Err(error) => errors.push(format!("line {line}: {error}")),
        }
    }
    if errors.is_empty() {
        return Ok(list);
    }
    let count = errors.len();
    errors.truncate(NAMED);
    Err(KeyListError::Lines {
        count,
        lines: errors,
    })
}
