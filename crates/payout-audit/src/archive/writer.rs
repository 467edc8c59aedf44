//! Writing: records are appended and never changed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::chain::{link, read};
use super::{ArchiveError, Digest, Gap, Head, Opened, Page, Record};
use crate::model::Subject;

/// An archive that is open for more. Other programs cannot write it meanwhile.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    file: File,
    head: Head,
    next: Option<u32>,
    anchor: Option<(u32, String)>,
    repaired: bool,
}

impl Archive {
    /// Opens the archive at `path` after checking every record, or begins one.
    ///
    /// A record that was not finished, because the program was stopped while writing it, is cut off;
    /// [`Archive::repaired`] says so.
    ///
    /// # Errors
    /// [`ArchiveError`]; the file is as it was.
    pub fn open(path: &Path, subject: &Subject) -> Result<Self, ArchiveError> {
        let io = |source| ArchiveError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ArchiveError::Busy {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let mut next = None;
        let mut anchor = None;
        let head = read(path, |record, _, _| {
            match record {
                Record::Opened(opened) => belongs(opened, subject)?,
                Record::Page(page) => {
                    next = page.to.checked_add(1);
                    if !page.ledger_hash.is_empty() {
                        anchor = Some((page.to, page.ledger_hash.to_owned()));
                    }
                }
                Record::Gap(gap) => next = gap.to.checked_add(1),
            }
            Ok(())
        })?;
        let repaired = head.unfinished > 0;
        if repaired {
            file.set_len(head.bytes).map_err(io)?;
        }
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut archive = Self {
            path: path.to_owned(),
            file,
            head: Head {
                unfinished: 0,
                ..head
            },
            next,
            anchor,
            repaired,
        };
        if archive.head.records == 0 {
            archive.append(&Record::Opened(Opened {
                format: Opened::FORMAT,
                network: &subject.network.to_string(),
                contract: &subject.contract.to_string(),
                token: &subject.token.to_string(),
            }))?;
        }
        Ok(archive)
    }

    /// The first ledger that is neither read nor given up.
    #[must_use]
    pub fn next(&self) -> Option<u32> {
        self.next
    }

    /// The last ledger whose hash is known, with it.
    #[must_use]
    pub fn anchor(&self) -> Option<(u32, &str)> {
        self.anchor
            .as_ref()
            .map(|(ledger, hash)| (*ledger, hash.as_str()))
    }

    /// The last record's digest.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.head.digest
    }

    /// Whether an unfinished record was cut off.
    #[must_use]
    pub fn repaired(&self) -> bool {
        self.repaired
    }

    /// Appends a page.
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub fn page(&mut self, page: Page<'_>) -> Result<(), ArchiveError> {
        let next = page.to.checked_add(1);
        let anchor = (!page.ledger_hash.is_empty()).then(|| (page.to, page.ledger_hash.to_owned()));
        self.append(&Record::Page(page))?;
        self.next = next;
        self.anchor = anchor.or(self.anchor.take());
        Ok(())
    }

    /// Appends ledgers that no node could give.
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub fn gap(&mut self, gap: Gap) -> Result<(), ArchiveError> {
        self.append(&Record::Gap(gap))?;
        self.next = gap.to.checked_add(1);
        Ok(())
    }

    /// One write a record, and it is on the disk before anything is built on it.
    fn append(&mut self, record: &Record<'_>) -> Result<(), ArchiveError> {
        let json = serde_json::to_vec(record).map_err(ArchiveError::Encode)?;
        let digest = link(self.head.digest, &json);
        let mut line = hex::encode(digest).into_bytes();
        line.push(b' ');
        line.extend_from_slice(&json);
        line.push(b'\n');
        let io = |source| ArchiveError::Io {
            path: self.path.clone(),
            source,
        };
        self.file.write_all(&line).map_err(io)?;
        self.file.sync_data().map_err(io)?;
        self.head.records += 1;
        self.head.digest = digest;
        self.head.bytes += u64::try_from(line.len()).unwrap_or(u64::MAX);
        Ok(())
    }
}

/// Whether an archive is of `subject`.
pub(crate) fn belongs(opened: &Opened<'_>, subject: &Subject) -> Result<(), ArchiveError> {
    let same = [
        ("network", opened.network, subject.network.to_string()),
        ("contract", opened.contract, subject.contract.to_string()),
        ("token", opened.token, subject.token.to_string()),
    ];
    for (what, found, asked) in same {
        if found != asked {
            return Err(ArchiveError::Other {
                what,
                found: found.to_owned(),
                asked,
            });
        }
    }
    Ok(())
}
