//! Papers of other runs beside the file. A run is its name: under another one the same ids are paid
//! again, which has to be meant.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use payout_engine::Payout;
use payout_engine::journal::{Glance, Journal, JournalError, StoredOffer};
use payout_engine::protocol::Phase;
use payout_keys::{Reference, RowId, RunName};

use super::args::Offering;
use super::claim;
use super::folder::Folder;
use super::outcome::Error;
use super::prepare::Prepared;
use super::receipts;
use super::session::Session;

/// Ids that are named one by one.
const NAMED: usize = 5;

/// Another run that has paid, or may pay, ids that are to be paid now.
#[derive(Debug)]
pub(crate) struct Neighbour {
    run: RunName,
    folder: PathBuf,
    ids: Vec<RowId>,
}

impl std::fmt::Display for Neighbour {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named: Vec<String> = self
            .ids
            .iter()
            .take(NAMED)
            .map(|id| payout_engine::rows::guarded(id.as_str()))
            .collect();
        let more = match self.ids.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        write!(
            out,
            "run {run} has paid or offered {count} of these rows, or is about to, by its papers in {folder} \
             ({ids}{more}). \
             If this is the same list, use --run {run}; if run {run} was ended and this one follows, say \
             --after {run}; if each is to be paid once more, say --again {run}",
            run = self.run,
            count = self.ids.len(),
            folder = self.folder.display(),
            ids = named.join(", "),
        )
    }
}

/// Stops where papers beside `file` or beside the run's own `folder` are of another run that has ids
/// which are to be paid now, unless that run is named with `--after` or `--again`.
pub(crate) fn none_or_meant(
    session: &Session,
    prepared: &Prepared,
    offering: &Offering,
    (folder, file): (&Folder, &Path),
) -> Result<(), Error> {
    if !prepared.pays() {
        return Ok(());
    }
    let mut meant: BTreeSet<RunName> = prepared.order.after.iter().cloned().collect();
    for name in &offering.again {
        meant.insert(RunName::new(name)?);
    }
    meant.insert(session.place.run.clone());
    let mut found: BTreeMap<RunName, (PathBuf, BTreeSet<Reference>)> = BTreeMap::new();
    for place in places(folder, file) {
        for (run, paid) in papers(session, &place)? {
            let (_, all) = found
                .entry(run)
                .or_insert_with(|| (place.clone(), BTreeSet::new()));
            all.extend(paid);
        }
    }
    let neighbours = found.into_iter().filter_map(|(run, (folder, paid))| {
        let ids = among(session, prepared, &run, &paid);
        let stops = !meant.contains(&run) && !ids.is_empty();
        stops.then_some(Neighbour { run, folder, ids })
    });
    let neighbours: Vec<Neighbour> = neighbours.collect();
    if neighbours.is_empty() {
        return Ok(());
    }
    Err(Error::Neighbours(neighbours))
}

/// Every folder that may hold papers: the file's own, the run's own, and those beside each, by the names
/// they were given and by the real ones, as another run may have been given a link's target.
fn places(folder: &Folder, file: &Path) -> BTreeSet<PathBuf> {
    let parent = |path: PathBuf| path.parent().map(Path::to_owned).unwrap_or(path);
    let mut above = BTreeSet::new();
    for path in [file, folder.path()] {
        above.extend(std::path::absolute(path).map(parent));
        // The run's folder may not be there yet.
        above.extend(std::fs::canonicalize(path).map(parent));
    }
    let mut places = BTreeSet::new();
    for above in above {
        let entries = std::fs::read_dir(&above).into_iter().flatten();
        let inside = entries.filter_map(|entry| Some(entry.ok()?.path()));
        places.extend(inside.filter(|path| path.is_dir()));
        places.insert(above);
    }
    places
}

/// What papers in `place` say that each run of this escrow has paid, or may still pay.
fn papers(
    session: &Session,
    place: &Path,
) -> Result<BTreeMap<RunName, BTreeSet<Reference>>, Error> {
    let mut paid: BTreeMap<RunName, BTreeSet<Reference>> = BTreeMap::new();
    let folder = Folder::at(place);
    // Before the others: once a claim is gone, they say what became of it.
    if let Some((run, references)) = claim::read(&folder.claim(), &session.facts) {
        paid.entry(run).or_default().extend(references);
    }
    for path in folder.all_receipts() {
        if let Some((run, references)) = receipts::paid(&path, &session.facts) {
            paid.entry(run).or_default().extend(references);
        }
    }
    let journal = folder.journal();
    if !journal.exists() {
        return Ok(paid);
    }
    let glance = match Journal::glance(&journal) {
        Ok(glance) => glance,
        // A file of something else by the same name.
        Err(JournalError::Foreign { .. }) => return Ok(paid),
        Err(error) => return Err(error.into()),
    };
    if ours(session, &glance) {
        for offer in glance.offers {
            if let (Some((run, _)), true) = (&offer.intent.slot, may_pay(&offer)) {
                let lines = offer.intent.payout.iter().flat_map(Payout::lines);
                let references = lines.filter_map(|line| line.reference);
                paid.entry(run.clone()).or_default().extend(references);
            }
        }
    }
    Ok(paid)
}

fn ours(session: &Session, glance: &Glance) -> bool {
    let pins = session.facts.pins();
    let pinned = |name: &str| glance.pins.get(name).map(String::as_str);
    pinned("network") == Some(&*pins.network.to_string())
        && pinned("contract") == Some(&*pins.contract.to_string())
}

/// Whether an offer has paid its lines, or may do so: other people may have signed it, too.
fn may_pay(offer: &StoredOffer) -> bool {
    matches!(offer.verdict, None | Some((Phase::Paid, _)))
}

/// The rows to be paid now that `run` has under one of the references `paid`.
fn among(
    session: &Session,
    prepared: &Prepared,
    run: &RunName,
    paid: &BTreeSet<Reference>,
) -> Vec<RowId> {
    let rows = prepared.payable();
    rows.filter(|id| paid.contains(&Reference::of(&session.place.at, run, id)))
        .cloned()
        .collect()
}
