//! Where a run's journal and papers are kept.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::outcome::Error;

/// The folder of one run on this machine. Losing it costs nothing that the chain still knows.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of run `name`: the one that was asked for, or `payout-NAME` beside the file, which may
    /// lie in it as the rows that were left out do.
    pub(crate) fn of(name: &str, asked: Option<&Path>, beside: &Path) -> Result<Self, Error> {
        // The name is judged before anything is made of it.
        let own = payout_keys::RunName::new(name)?;
        let own = || {
            let folder = beside.parent().unwrap_or(Path::new("."));
            let name = format!("payout-{}", own.as_str());
            let whole = std::path::absolute(beside).unwrap_or_default();
            let inside = whole.parent().and_then(Path::file_name);
            if inside.is_some_and(|inside| *inside == *name) {
                folder.to_owned()
            } else {
                folder.join(name)
            }
        };
        let path = asked.map_or_else(own, Path::to_owned);
        Ok(Self { path })
    }

    /// The folder of the run that an offer's file belongs to: the file's own if a journal is there.
    pub(crate) fn of_offer(name: &str, asked: Option<&Path>, offer: &Path) -> Result<Self, Error> {
        let own = offer.parent().unwrap_or(Path::new("."));
        let own = own.join("journal.db").exists().then_some(own);
        Self::of(name, asked.or(own), offer)
    }

    /// What `path` has, whichever run's it is.
    pub(crate) fn at(path: &Path) -> Self {
        let path = path.to_owned();
        Self { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it if it is not there.
    pub(crate) fn make(&self) -> Result<(), Error> {
        std::fs::create_dir_all(&self.path).map_err(|error| Error::Write {
            path: self.path.clone(),
            error,
        })
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.path.join("journal.db")
    }

    pub(crate) fn receipts_json(&self) -> PathBuf {
        self.path.join("receipts.json")
    }

    pub(crate) fn receipts_csv(&self) -> PathBuf {
        self.path.join("receipts.csv")
    }

    /// What is being paid right now.
    pub(crate) fn claim(&self) -> PathBuf {
        self.path.join("claim.json")
    }

    /// Where an offer for `slot` is put that others have to sign.
    pub(crate) fn offer(&self, slot: u32) -> PathBuf {
        self.path.join(format!("offer-{slot}.json"))
    }

    pub(crate) fn left_out(&self) -> PathBuf {
        self.path.join("left-out.csv")
    }

    /// Receipts for programs, and those of an attempt before that was not finished: a slot that they
    /// explain stays explained.
    pub(crate) fn all_receipts(&self) -> [PathBuf; 2] {
        let path = self.receipts_json();
        [earlier(&path), path]
    }

    /// Calls the papers of the attempt before earlier ones: what they say of a row holds no more once
    /// something may be paid. The file that is being paid, `input`, stays where it is.
    pub(crate) fn set_aside(&self, input: &Path) -> Result<(), Error> {
        let input = std::fs::canonicalize(input).ok();
        for path in self.papers() {
            if std::fs::canonicalize(&path).is_ok_and(|path| Some(path) != input) {
                let aside = earlier(&path);
                std::fs::rename(&path, &aside).map_err(|error| Error::Write { path, error })?;
            }
        }
        Ok(())
    }

    /// Removes earlier papers, now that there are new ones.
    pub(crate) fn forget_earlier(&self) -> Result<(), Error> {
        self.papers()
            .iter()
            .try_for_each(|path| remove(&earlier(path)))
    }

    fn papers(&self) -> [PathBuf; 3] {
        [self.receipts_json(), self.receipts_csv(), self.left_out()]
    }
}

/// `receipts.csv` as `receipts.earlier.csv`.
fn earlier(path: &Path) -> PathBuf {
    let kind = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("earlier.{kind}"))
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::Write {
            path: path.to_owned(),
            error,
        }),
        _ => Ok(()),
    }
}

/// Writes a file whole or not at all: a reader never sees half of it.
pub(super) fn replace(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = |error| Error::Write {
        path: path.to_owned(),
        error,
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let mut buffered = std::io::BufWriter::new(file);
    content(&mut buffered)?;
    let file = buffered
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
