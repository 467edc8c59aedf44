//! The first line: which column is where.

use super::FileError;

/// The columns that are read. No other is ever looked at.
const REQUIRED: [&str; 3] = ["walletAddress", "id", "amount"];
const OPTIONAL: [&str; 2] = ["paymentID", "walletAddressMemo"];

/// Where each column is.
pub(super) struct Columns {
    pub(super) wallet: usize,
    pub(super) id: usize,
    pub(super) amount: usize,
    pub(super) payment: Option<usize>,
    pub(super) memo: Option<usize>,
}

impl Columns {
    /// Finds the columns in the first line's cells.
    pub(super) fn find(cells: &csv::StringRecord, text: &str) -> Result<Self, FileError> {
        let names: Vec<&str> = cells.iter().map(super::cell::trimmed).collect();
        let at = |name: &str| names.iter().position(|found| *found == name);
        if REQUIRED.iter().any(|name| at(name).is_none())
            && let Some(found) = other_delimiter(text)
        {
            return Err(FileError::Delimiter { found });
        }
        for (index, name) in names.iter().enumerate() {
            if !name.is_empty() && names.iter().take(index).any(|other| other == name) {
                return Err(FileError::ColumnTwice {
                    name: (*name).to_owned(),
                });
            }
            let known = REQUIRED.iter().chain(&OPTIONAL);
            if let Some(like) = known
                .copied()
                .find(|known| known != name && folded(known) == folded(name))
            {
                return Err(FileError::ColumnAlmost {
                    found: (*name).to_owned(),
                    name: like,
                });
            }
        }
        let required = |name: &'static str| {
            at(name).ok_or_else(|| FileError::ColumnMissing {
                name,
                found: names.join(", "),
            })
        };
        let [wallet, id, amount] = REQUIRED;
        let [payment, memo] = OPTIONAL;
        Ok(Self {
            wallet: required(wallet)?,
            id: required(id)?,
            amount: required(amount)?,
            payment: at(payment),
            memo: at(memo),
        })
    }
}

/// A name by its letters and digits alone.
fn folded(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase()
}

/// The separator by which the first line has all the columns, if it is not a comma.
fn other_delimiter(text: &str) -> Option<&'static str> {
    let first = text.lines().next().unwrap_or_default();
    [
        (';', "semicolons"),
        ('\t', "tabs"),
        ('|', "vertical bars"),
        (':', "colons"),
    ]
    .into_iter()
    .find(|(mark, _)| {
        let names: Vec<&str> = first
            .split(*mark)
            .map(|name| super::cell::trimmed(name).trim_matches('"'))
            .collect();
        REQUIRED.iter().all(|name| names.contains(name))
    })
    .map(|(_, name)| name)
}
