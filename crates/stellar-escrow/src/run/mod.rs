//! A file and its run: what `pay`, `receipts` and `close --run` have in common.

mod args;
mod check;
mod claim;
mod clerk;
mod confirm;
mod folder;
mod left_out;
mod neighbours;
mod offer;
mod outcome;
mod patience;
mod prepare;
mod progress;
mod receipts;
mod session;
mod show;
mod waiting;
mod weight;

use std::path::Path;

pub(crate) use args::{MAX_FEE, MAX_RESOURCE_FEE, Offering, POLL, Reading, Signing};
pub(crate) use check::run as check;
pub(crate) use offer::{Building, Paper, build, sign, submit};
pub(crate) use outcome::Error;

use crate::exit::Exit;
use crate::output::Format;
use claim::Claim;
use folder::Folder;
use prepare::Depth;
use session::{Memory, Session};

/// A file without rows.
const NO_ROWS: &[u8] = b"walletAddress,id,amount\n";

/// What is to be done with a file's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Show what would be done.
    DryRun,
    /// Pay what is unpaid.
    Pay,
    /// Void the open slot, which ends the run.
    Close,
}

/// Reads file and chain, shows what it will do, asks, and does it.
///
/// # Errors
/// [`Error`]; then nothing was signed by this call.
pub(crate) async fn act(
    act: Act,
    (file, name): (Option<&Path>, &str),
    reading: &Reading,
    signing: &Signing,
    offering: &Offering,
    yes: bool,
    output: Format,
) -> Result<Exit, Error> {
    // Without a file there are no rows, and everything else is the same.
    let bytes = file.map_or_else(|| Ok(NO_ROWS.to_vec()), read)?;
    let file = file.unwrap_or(Path::new("no-file"));
    let folder = Folder::of(name, reading.folder.as_deref(), file)?;
    let (memory, depth) = match act {
        Act::DryRun => (Memory::Look, Depth::Simulated),
        Act::Pay => (Memory::Keep, Depth::Entries),
        Act::Close => (Memory::Keep, Depth::Chain),
    };
    let mut session = Session::open(name, reading, Some(signing), memory, &folder).await?;
    let prepared = prepare::prepare(&mut session, reading, offering, &folder, &bytes, depth).await;
    if act != Act::DryRun && matches!(prepared, Err(Error::End(_))) {
        folder.set_aside(file)?;
    }
    let mut prepared = prepared?;
    show::plan(&session, &prepared);
    if act != Act::Close {
        let alone = neighbours::none_or_meant(&session, &prepared, offering, (&folder, file));
        if !prepared.obstacles.is_empty() {
            // "Lock more" is no answer where all of it is paid already.
            if let Err(error) = alone {
                eprintln!("warning: {error}");
            }
            let held = prepared.held();
            let obstacles = prepared.obstacles;
            return Err(Error::Obstacles { obstacles, held });
        }
        alone?;
    }
    match act {
        Act::DryRun => {
            left_out::print(&prepared, output)?;
            return Ok(outcome::of_dry_run(&prepared));
        }
        Act::Pay if prepared.pays() => {
            weight::alone(&session).await?;
            confirm::pay(&session, &prepared, yes)?;
        }
        Act::Pay => {}
        Act::Close => confirm::close(&prepared, yes)?,
    }
    let claim = Claim::of(&folder);
    if act == Act::Pay && prepared.pays() {
        claim.put(&session, &prepared)?;
        // Another run may have begun since the first look.
        neighbours::none_or_meant(&session, &prepared, offering, (&folder, file))?;
    }
    folder.set_aside(file)?;
    let report = clerk::drive(&mut session, &mut prepared, act == Act::Close).await;
    if report.plan.is_none() {
        // What is not known any more is not written down. Papers of the attempt before are called earlier.
        return Err(report.end.into());
    }
    let receipts = receipts::gather(&session, &prepared, Some(&report), &folder).await;
    let written = receipts.write(&folder);
    let left = left_out::write(&folder, &bytes, &prepared, &report);
    // Earlier papers stay where there is nothing in their place.
    let forgotten = match (&written, &left) {
        (Ok(()), Ok(())) => folder.forget_earlier(),
        _ => Ok(()),
    };
    let papers = [written, left, forgotten, receipts.print(output)];
    let exit = outcome::tell(&session, &prepared, &report, &folder, file);
    Ok(outcome::with_papers(exit, papers))
}

/// Reads file and chain, and prints what was paid. Needs no key and writes nothing.
///
/// # Errors
/// [`Error`].
pub(crate) async fn show(
    (file, name): (&Path, &str),
    reading: &Reading,
    output: Format,
) -> Result<Exit, Error> {
    let bytes = read(file)?;
    let folder = Folder::of(name, reading.folder.as_deref(), file)?;
    let mut session = Session::open(name, reading, None, Memory::Look, &folder).await?;
    let offering = Offering::default();
    let prepared = prepare::prepare(
        &mut session,
        reading,
        &offering,
        &folder,
        &bytes,
        Depth::Chain,
    )
    .await?;
    let receipts = receipts::gather(&session, &prepared, None, &folder).await;
    receipts.print(output)?;
    Ok(Exit::Done)
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|error| Error::Read {
        path: file.to_owned(),
        error,
    })
}
