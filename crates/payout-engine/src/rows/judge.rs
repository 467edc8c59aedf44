//! Each row by itself, and its id among all.

use std::collections::BTreeMap;

use payout_keys::{Error as KeyError, Recipient, RowId};

use super::FileError;
use super::amount::parse_amount;
use super::cell::trimmed;
use super::header::Columns;
use crate::Amount;

/// Why a row is not paid. One a row: the first that applies, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The row has more or fewer cells than the first line, so none can be told for certain.
    CellsWrong,
    /// No id.
    IdMissing,
    /// An id beyond 256 bytes.
    IdTooLong,
    /// An id with this character, which nobody sees: two ids would look like one and both be paid.
    IdUnseen(char),
    /// Another row has the same id, compared in Unicode's form NFC.
    IdDuplicate,
    /// No address.
    AddressMissing,
    /// Not an address, or not of a kind that can be paid.
    AddressInvalid,
    /// A muxed address, whose number would be lost.
    AddressMuxed,
    /// A memo, which would be lost.
    MemoUnsupported,
    /// No amount.
    AmountMissing,
    /// Not a plain decimal.
    AmountNotDecimal,
    /// Nothing, or less.
    AmountNotPositive,
    /// More places than the token has.
    AmountPrecision,
    /// More than a signed 64-bit number of units.
    AmountTooLarge,
}

impl Reason {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CellsWrong => "cells_wrong",
            Self::IdMissing => "id_missing",
            Self::IdTooLong => "id_too_long",
            Self::IdUnseen(_) => "id_unseen",
            Self::IdDuplicate => "id_duplicate",
            Self::AddressMissing => "address_missing",
            Self::AddressInvalid => "address_invalid",
            Self::AddressMuxed => "address_muxed",
            Self::MemoUnsupported => "memo_unsupported",
            Self::AmountMissing => "amount_missing",
            Self::AmountNotDecimal => "amount_not_decimal",
            Self::AmountNotPositive => "amount_not_positive",
            Self::AmountPrecision => "amount_precision",
            Self::AmountTooLarge => "amount_too_large",
        }
    }
}

impl std::fmt::Display for Reason {
    /// Its name, and which character it is about.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::IdUnseen(character) => {
                write!(out, "{}: U+{:04X}", self.name(), u32::from(*character))
            }
            _ => out.write_str(self.name()),
        }
    }
}

/// A row that can be paid as far as the file goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number in the file; the first line is 1.
    pub number: u64,
    /// The obligation.
    pub id: RowId,
    /// Who gets it.
    pub recipient: Recipient,
    /// How much.
    pub amount: Amount,
    /// The payer's own number for it, if the file has one.
    pub payment_id: Option<String>,
}

/// What becomes of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// To be paid.
    Pay(Row),
    /// Not, for this reason.
    Reject(Reason),
}

/// A row and its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Its number in the file; the first line is 1, and blank lines do not count.
    pub number: u64,
    /// Its id as it is compared, empty if there is none.
    pub id: String,
    /// What becomes of it.
    pub verdict: Verdict,
}

/// Reads a file and judges each row, for a token with `decimals` places.
///
/// # Errors
/// [`FileError`], where no row can be told apart from another for certain.
pub fn read(bytes: &[u8], decimals: u32) -> Result<Vec<Judged>, FileError> {
    let text = super::text(bytes)?;
    let broken = |error: csv::Error| FileError::Broken(error.to_string());
    let mut reader = super::reader(text);
    let header = reader.headers().map_err(broken)?.clone();
    let columns = Columns::find(&header, text)?;
    // Twice through the file instead of keeping all of its cells.
    let mut ids: BTreeMap<RowId, u32> = BTreeMap::new();
    for (number, record) in (2_u64..).zip(reader.records()) {
        let row = Raw::of(number, &record.map_err(broken)?, header.len(), &columns);
        if let Ok(id) = row.id {
            let count = ids.entry(id).or_default();
            *count = count.saturating_add(1);
        }
    }
    let mut judged = Vec::new();
    for (number, record) in (2_u64..).zip(super::reader(text).records()) {
        let row = Raw::of(number, &record.map_err(broken)?, header.len(), &columns);
        judged.push(row.judge(&ids, decimals));
    }
    Ok(judged)
}

/// The cells of a row that are read. The others are gone from here on.
struct Raw {
    number: u64,
    whole: bool,
    id: Result<RowId, Reason>,
    shown: String,
    wallet: String,
    amount: String,
    memo: String,
    payment: Option<String>,
}

impl Raw {
    fn of(number: u64, record: &csv::StringRecord, cells: usize, columns: &Columns) -> Self {
        let cell = |at: usize| trimmed(record.get(at).unwrap_or_default()).to_owned();
        let whole = record.len() == cells;
        let text = cell(columns.id);
        let id = if !whole {
            Err(Reason::CellsWrong)
        } else if text.is_empty() {
            Err(Reason::IdMissing)
        } else {
            RowId::from_cell(&text).map_err(|error| match error {
                KeyError::RowIdUnseen { character, .. } => Reason::IdUnseen(character),
                _ => Reason::IdTooLong,
            })
        };
        let shown = match &id {
            Ok(id) => id.as_str().to_owned(),
            Err(_) => text.chars().take(256).collect(),
        };
        Self {
            number,
            whole,
            id,
            shown,
            wallet: cell(columns.wallet),
            amount: cell(columns.amount),
            memo: columns.memo.map(cell).unwrap_or_default(),
            payment: columns.payment.map(cell).filter(|text| !text.is_empty()),
        }
    }

    fn judge(self, ids: &BTreeMap<RowId, u32>, decimals: u32) -> Judged {
        let (number, id) = (self.number, self.shown.clone());
        let verdict = match self.payable(ids, decimals) {
            Ok(row) => Verdict::Pay(row),
            Err(reason) => Verdict::Reject(reason),
        };
        Judged {
            number,
            id,
            verdict,
        }
    }

    fn payable(self, ids: &BTreeMap<RowId, u32>, decimals: u32) -> Result<Row, Reason> {
        if !self.whole {
            return Err(Reason::CellsWrong);
        }
        let id = self.id?;
        if ids.get(&id).is_some_and(|count| *count > 1) {
            return Err(Reason::IdDuplicate);
        }
        if self.wallet.is_empty() {
            return Err(Reason::AddressMissing);
        }
        let recipient = Recipient::new(&self.wallet).map_err(|error| match error {
            KeyError::RecipientMuxed { .. } => Reason::AddressMuxed,
            _ => Reason::AddressInvalid,
        })?;
        if !self.memo.is_empty() {
            return Err(Reason::MemoUnsupported);
        }
        Ok(Row {
            number: self.number,
            id,
            recipient,
            amount: parse_amount(&self.amount, decimals)?,
            payment_id: self.payment,
        })
    }
}
