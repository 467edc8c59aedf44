//! A whole audit: with nodes, or from an archive alone.

use std::path::Path;

use payout_keys::ContractId;

use crate::archive::{Archive, ArchiveError, Digest};
use crate::audit::{Auditor, Beside, Questions};
use crate::checks::KeyList;
use crate::follow::{self, FollowError, Followed, Nodes, Plan};
use crate::model::Subject;
use crate::obligations::Obligations;
use crate::report::Report;

/// What an audit is to look at.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The archive of events.
    pub archive: Option<&'a Path>,
    /// A digest that the archive must still have.
    pub archive_head: Option<Digest>,
    /// A list of all keys.
    pub list: Option<&'a KeyList>,
    /// What is owed.
    pub obligations: Option<&'a Obligations>,
    /// The first ledger of a new archive.
    pub from: Option<u32>,
    /// The last ledger that is judged.
    pub to: Option<u32>,
    /// Events asked for at once.
    pub page: u32,
    /// Whether the archive is compared with what nodes still have of its ledgers.
    pub recheck: bool,
    /// Codes that may run.
    pub codes: &'a [[u8; 32]],
}

/// A report, and what was done to the archive for it.
#[derive(Debug)]
pub struct Audited {
    /// The report.
    pub report: Report,
    /// What was added to the archive.
    pub followed: Followed,
    /// Whether an unfinished record was cut off it.
    pub repaired: bool,
}

/// Audits with nodes: reads the contract's state, follows events into the archive up to there, and reads
/// the records of all keys.
///
/// # Errors
/// [`FollowError`]; then there is no verdict, and what was written to the archive is whole.
pub async fn online(
    nodes: &Nodes,
    contract: ContractId,
    passphrase: &str,
    request: Request<'_>,
) -> Result<Audited, FollowError> {
    let (subject, mut chain) = follow::discover(nodes, contract, Some(passphrase)).await?;
    let mut followed = Followed::default();
    let mut repaired = false;
    if let Some(path) = request.archive {
        let mut archive = Archive::open(path, &subject)?;
        repaired = archive.repaired();
        let plan = Plan {
            from: request.from,
            to: chain.ledger.max(request.to.unwrap_or(0)),
            page: request.page,
        };
        followed = follow::follow(&mut archive, nodes, &subject, plan).await?;
        if request.recheck {
            follow::recheck(path, nodes, &subject, request.page, &mut chain).await?;
        }
    }
    let mut auditor = Auditor::new(&subject, questions(&request, Some(chain.ledger)));
    read(&mut auditor, &request)?;
    // Without events and without a list, the obligations' keys are the list.
    let owed = request
        .obligations
        .filter(|_| request.archive.is_none() && request.list.is_none())
        .map(Obligations::keys);
    let list = request.list.or(owed.as_ref());
    let mut keys = auditor.keys();
    keys.extend(list.iter().flat_map(|list| list.keys.keys()));
    keys.sort_unstable();
    keys.dedup();
    let since = auditor.reached().unwrap_or(0).max(chain.ledger);
    follow::read_records(nodes, contract, &keys, since, &mut chain).await?;
    let report = auditor.finish(Beside {
        chain: Some(&chain),
        list,
        codes: request.codes,
        nodes: nodes.hosts(),
    });
    Ok(Audited {
        report,
        followed,
        repaired,
    })
}

/// Audits an archive alone.
///
/// # Errors
/// [`ArchiveError`].
pub fn offline(subject: &Subject, request: Request<'_>) -> Result<Report, ArchiveError> {
    let mut auditor = Auditor::new(subject, questions(&request, None));
    read(&mut auditor, &request)?;
    Ok(auditor.finish(Beside {
        codes: request.codes,
        ..Beside::default()
    }))
}

fn questions<'a>(request: &Request<'a>, state_at: Option<u32>) -> Questions<'a> {
    Questions {
        to: request.to,
        state_at,
        obligations: request.obligations,
    }
}

fn read(auditor: &mut Auditor<'_>, request: &Request<'_>) -> Result<(), ArchiveError> {
    let Some(path) = request.archive else {
        return Ok(());
    };
    match request.archive_head {
        Some(head) => auditor.archive_with(path, head)?,
        None => auditor.archive(path)?,
    };
    Ok(())
}
