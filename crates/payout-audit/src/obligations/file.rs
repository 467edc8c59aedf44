//! The file: `id, key, recipient, amount`.

use std::collections::{HashMap, HashSet};

use payout_engine::rows::{parse_amount, unguarded};
use payout_engine::{Amount, rows};
use payout_keys::{Deployment, IdempotencyKey, Recipient, Reference, RowId, RunName};
use sha2::{Digest, Sha256};

use crate::books::{KeyDigest, key_digest};
use crate::checks::KeyList;

/// Errors that are named one by one.
const NAMED: usize = 20;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// Its line in the file.
    pub line: u64,
    /// Which obligation.
    pub id: RowId,
    /// Its key; `None` where the reference finds it.
    pub key: Option<IdempotencyKey>,
    /// Whom it owes.
    pub recipient: Recipient,
    /// How much.
    pub amount: Amount,
    /// Its reference under each run that was named, in the order of the names.
    pub references: Vec<Reference>,
}

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Obligations {
    /// The rows.
    pub rows: Vec<Obligation>,
    /// Rows by key.
    pub by_key: HashMap<KeyDigest, Vec<usize>>,
    /// Rows by reference.
    pub by_reference: HashMap<Reference, usize>,
    /// SHA-256 of the file.
    pub digest: [u8; 32],
}

/// How the file is to be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading<'a> {
    /// The token's decimals, where amounts are decimals of the token; otherwise they are its smallest
    /// units.
    pub decimals: Option<u32>,
    /// Where it was paid and the names of its runs: then each id has a reference under each.
    pub runs: Option<(Deployment, &'a [RunName])>,
}

/// Why the file cannot be used. Nothing of it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObligationsError {
    /// As a file.
    #[error("the obligations file cannot be read: {0}")]
    File(String),
    /// Its columns.
    #[error("the obligations file's columns are id, key, recipient, amount, and {0}")]
    Columns(String),
    /// Its rows.
    #[error("the obligations file has errors in {count} of its rows, and none is taken:\n{}", lines.join("\n"))]
    Rows {
        /// How many.
        count: usize,
        /// The first ones, a line each.
        lines: Vec<String>,
    },
}

const COLUMNS: [&str; 4] = ["id", "key", "recipient", "amount"];

impl Obligations {
    /// Reads the file.
    ///
    /// # Errors
    /// [`ObligationsError`], with every bad row.
    pub fn read(bytes: &[u8], how: Reading<'_>) -> Result<Self, ObligationsError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| ObligationsError::File(format!("it is not UTF-8: {error}")))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut csv = csv::ReaderBuilder::new()
            .trim(csv::Trim::None)
            .from_reader(text.as_bytes());
        let header = csv
            .headers()
            .map_err(|error| ObligationsError::File(error.to_string()))?
            .clone();
        let mut places = [0; 4];
        for (place, name) in places.iter_mut().zip(COLUMNS) {
            let mut found = header
                .iter()
                .enumerate()
                .filter(|(_, cell)| cell.trim() == name);
            *place = match (found.next(), found.next()) {
                (Some((at, _)), None) => at,
                (Some(_), Some(_)) => {
                    return Err(ObligationsError::Columns(format!("{name} is there twice")));
                }
                (None, _) => return Err(ObligationsError::Columns(format!("{name} is missing"))),
            };
        }
        let mut read = Self {
            digest: Sha256::digest(bytes).into(),
            ..Self::default()
        };
        let mut seen = HashSet::new();
        let mut errors = Vec::new();
        for record in csv.records() {
            let record = record.map_err(|error| ObligationsError::File(error.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let cells = places.map(|place| record.get(place).unwrap_or_default());
            match row(line, cells, how) {
                Ok(row) => {
                    if !seen.insert((row.id.clone(), row.key.clone())) {
                        errors.push(format!(
                            "line {line}: id {} stands twice with one key",
                            row.id
                        ));
                        continue;
                    }
                    read.add(row);
                }
                Err(why) => errors.push(format!("line {line}: {why}")),
            }
        }
        if errors.is_empty() {
            return Ok(read);
        }
        let count = errors.len();
        errors.truncate(NAMED);
        Err(ObligationsError::Rows {
            count,
            lines: errors,
        })
    }

    /// The keys of all rows, as a list.
    #[must_use]
    pub fn keys(&self) -> KeyList {
        let keys = self.rows.iter().filter_map(|row| row.key.as_ref());
        KeyList {
            keys: keys
                .map(|key| (key_digest(key.as_str()), key.to_string()))
                .collect(),
        }
    }

    fn add(&mut self, row: Obligation) {
        let at = self.rows.len();
        if let Some(key) = &row.key {
            self.by_key
                .entry(key_digest(key.as_str()))
                .or_default()
                .push(at);
        }
        for reference in &row.references {
            self.by_reference.entry(*reference).or_insert(at);
        }
        self.rows.push(row);
    }
}

fn row(line: u64, cells: [&str; 4], how: Reading<'_>) -> Result<Obligation, String> {
    let [id, key, recipient, amount] = cells;
    let plain = |cell: &str| {
        cell.trim_matches(|c: char| c.is_ascii_whitespace())
            .to_owned()
    };
    let id = RowId::from_cell(unguarded(id)).map_err(|error| error.to_string())?;
    let key = plain(unguarded(key));
    let key = if key.is_empty() {
        None
    } else {
        Some(IdempotencyKey::new(&key).map_err(|error| error.to_string())?)
    };
    let of_runs = |(at, runs): (Deployment, &[RunName])| {
        let references = runs.iter().map(|run| Reference::of(&at, run, &id));
        references.collect::<Vec<Reference>>()
    };
    let references = how.runs.map(of_runs).unwrap_or_default();
    if key.is_none() && references.is_empty() {
        return Err(format!(
            "id {id} has no key, and without --run nothing else finds its payout"
        ));
    }
    let amount = plain(amount);
    let amount = match how.decimals {
        Some(decimals) => parse_amount(&amount, decimals)
            .map_err(|reason: rows::Reason| format!("amount {amount:?}: {}", reason.name()))?,
        None => amount.parse::<Amount>().map_err(|error| {
            format!("{error}; amounts are in the token's smallest unit, or give --decimals")
        })?,
    };
    Ok(Obligation {
        line,
        key,
        recipient: Recipient::new(&plain(recipient)).map_err(|error| error.to_string())?,
        amount,
        references,
        id,
    })
}
