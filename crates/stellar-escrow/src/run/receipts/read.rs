//! Receipts read back, to explain slots with.

use std::collections::BTreeMap;
use std::path::Path;

use payout_engine::Line;
use payout_engine::escrow::Facts;
use payout_engine::run::{Candidate, Place, Source};
use payout_keys::{Recipient, Reference, RowId, RunName};
use serde::{Deserialize, Serialize};

use crate::run::outcome::Error;

/// What is read of receipts. The rest is for people.
#[derive(Deserialize)]
struct Receipts {
    #[serde(default)]
    network: String,
    #[serde(default)]
    contract: String,
    run: String,
    slots: Vec<SlotReceipt>,
    #[serde(default)]
    rows: Vec<Named>,
}

/// What the file said of a row beside whom it pays.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Named {
    pub(super) id: Option<String>,
    pub(super) payment_id: Option<String>,
}

/// Which run our own receipts are of and what it has paid, if they are of this escrow.
pub(crate) fn paid(path: &Path, facts: &Facts) -> Option<(RunName, Vec<Reference>)> {
    let receipts: Receipts = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    if receipts.network != facts.passphrase || receipts.contract != facts.contract.to_string() {
        return None;
    }
    let lines = receipts.slots.iter().flat_map(|slot| &slot.lines);
    let references = lines.filter_map(|line| line.reference.parse().ok());
    Some((RunName::new(&receipts.run).ok()?, references.collect()))
}

/// The rows that our own receipts name, by reference: of what is not in the file any more.
pub(super) fn named(path: &Path, place: &Place) -> BTreeMap<Reference, Named> {
    let receipts = std::fs::read(path).ok();
    let receipts = receipts.and_then(|bytes| serde_json::from_slice::<Receipts>(&bytes).ok());
    let receipts = receipts.filter(|receipts| receipts.run == place.run.as_str());
    let rows = receipts.into_iter().flat_map(|receipts| receipts.rows);
    rows.filter_map(|row| {
        let id = RowId::new(row.id.as_deref()?).ok()?;
        Some((place.reference(&id), row))
    })
    .collect()
}

#[derive(Deserialize)]
struct SlotReceipt {
    slot: u32,
    lines: Vec<LineReceipt>,
}

/// A line as receipts hold it.
#[derive(Serialize, Deserialize)]
pub(super) struct LineReceipt {
    reference: String,
    recipient: String,
    units: String,
}

impl LineReceipt {
    pub(super) fn of(line: &Line) -> Self {
        Self {
            reference: line
                .reference
                .map(|reference| reference.to_string())
                .unwrap_or_default(),
            recipient: line.recipient.to_string(),
            units: line.amount.to_string(),
        }
    }

    fn line(&self) -> Option<Line> {
        Some(Line {
            recipient: Recipient::new(&self.recipient).ok()?,
            amount: self.units.parse().ok()?,
            reference: Some(self.reference.parse::<Reference>().ok()?),
        })
    }
}

/// The lists of a receipts file, as candidates: one that does not reproduce a record says nothing, so
/// nothing of it needs to be believed. Without `needed`, a file that is not there is an empty one.
pub(crate) fn candidates(
    path: &Path,
    place: &Place,
    needed: bool,
) -> Result<Vec<Candidate>, Error> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !needed => {
            return Ok(Vec::new());
        }
        Err(error) => {
            let path = path.to_owned();
            return Err(Error::Read { path, error });
        }
    };
    let receipts: Receipts = match serde_json::from_slice(&bytes) {
        Ok(receipts) => receipts,
        // Our own papers are a convenience; what somebody names has to be what they say.
        Err(_) if !needed => return Ok(Vec::new()),
        Err(error) => {
            return Err(Error::NotReceipts {
                path: path.to_owned(),
                why: error.to_string(),
            });
        }
    };
    let of_run = receipts.run == place.run.as_str();
    let list = |slot: SlotReceipt| {
        let lines = slot.lines.iter().map(LineReceipt::line);
        Some(Candidate {
            slot: slot.slot,
            source: Source::Receipt,
            lines: lines.collect::<Option<Vec<Line>>>()?.into(),
        })
    };
    let slots = receipts.slots.into_iter().filter(|_| of_run);
    Ok(slots.filter_map(list).collect())
}
