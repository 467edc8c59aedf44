//! What a run is about to pay, written down beside its journal while it does so. Whoever looks for other
//! runs' papers reads it. Each run writes first and looks then, so that of two at once at least one sees
//! the other.

use std::path::Path;

use payout_engine::escrow::Facts;
use payout_keys::{Reference, RunName};
use serde::{Deserialize, Serialize};

use super::folder::{Folder, remove, replace};
use super::outcome::Error;
use super::prepare::Prepared;
use super::session::Session;

/// As it is stored. It has references and no ids, as the journal has.
#[derive(Serialize, Deserialize)]
struct Stored {
    network: String,
    contract: String,
    run: String,
    references: Vec<String>,
}

/// The claim of one run. It ends with the call that made it: from then on journal and receipts say what
/// was offered. One that a crash left is overwritten, or ended, by the next call that pays or closes.
pub(crate) struct Claim<'a> {
    folder: &'a Folder,
}

impl<'a> Claim<'a> {
    /// The claim in `folder`, if there is one: that of a crash before.
    pub(crate) fn of(folder: &'a Folder) -> Self {
        Self { folder }
    }

    /// Claims every row that is to be paid now.
    pub(crate) fn put(&self, session: &Session, prepared: &Prepared) -> Result<(), Error> {
        let place = &prepared.order.place;
        let references = prepared.payable().map(|id| place.reference(id).to_string());
        let stored = Stored {
            network: session.facts.passphrase.clone(),
            contract: session.facts.contract.to_string(),
            run: place.run.as_str().to_owned(),
            references: references.collect(),
        };
        let text = serde_json::to_vec(&stored).map_err(|error| Error::Output(error.to_string()))?;
        let path = self.folder.claim();
        replace(&path, |out| {
            let written = out.write_all(&text);
            written.map_err(|error| Error::Write {
                path: path.clone(),
                error,
            })
        })
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.folder.claim()) {
            eprintln!("warning: {error}; it says that this run is being paid");
        }
    }
}

/// Which run a claim is of and what it is about to pay, if it is of this escrow.
pub(super) fn read(path: &Path, facts: &Facts) -> Option<(RunName, Vec<Reference>)> {
    let stored: Stored = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    if stored.network != facts.passphrase || stored.contract != facts.contract.to_string() {
        return None;
    }
    let references = stored
        .references
        .iter()
        .filter_map(|text| text.parse().ok());
    Some((RunName::new(&stored.run).ok()?, references.collect()))
}
