//! Retention: old rows go to a file, with their place in the chain, and leave the database. Orders
//! and keys stay for ever.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use payout_engine::new_own_file;
use serde_json::Value;
use sqlx::Row as _;

use super::row::Row;
use super::seal::link;
use super::verify::{Verdict, VerifyError};
use crate::clock::Millis;
use crate::store::{Store, StoreError};

/// What was archived, or verified of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// How many rows.
    pub rows: u64,
    /// The last one.
    pub position: i64,
    /// Its hash, with which the next row goes on.
    pub hash: String,
}

/// Why nothing was archived, or an archive is not one.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file is there already, or cannot be written or read.
    #[error(
        "{path}: {source}; give the archives that there are, and write each to a file of its own"
    )]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no archive of this log.
    #[error("{path}, line {line}: this is no row of an audit log")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// The chain is broken.
    #[error(transparent)]
    Chain(#[from] VerifyError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Writes the sealed rows that were recorded before `before`, up to the first that was not, to a
    /// new file at `path`. Once they are on the disk they leave the database.
    ///
    /// # Errors
    /// [`ArchiveError`]; then the database is unchanged.
    pub async fn archive_audit(
        &self,
        before: Millis,
        path: &Path,
    ) -> Result<Archived, ArchiveError> {
        let broken = |source| ArchiveError::File {
            path: path.to_owned(),
            source,
        };
        self.verify_audit(None).await?;
        let head = sqlx::query(
            "SELECT position, archived_position, archived_hash FROM audit_head WHERE id = 1",
        )
        .fetch_one(self.reading())
        .await
        .map_err(StoreError::from)?;
        let number = |name: &str| head.try_get::<i64, _>(name).map_err(StoreError::from);
        let end = number("position")?;
        let mut archived = Archived {
            rows: 0,
            position: number("archived_position")?,
            hash: head.try_get("archived_hash").map_err(StoreError::from)?,
        };
        let mut file = new_own_file(path).map_err(broken)?;
        'rows: loop {
            let page = self.sealed(archived.position, end).await?;
            if page.is_empty() {
                break;
            }
            for row in page {
                if row.recorded_at >= before {
                    break 'rows;
                }
                writeln!(file, "{}", row.to_json()).map_err(broken)?;
                archived.rows += 1;
                archived.position = row.position.unwrap_or(archived.position);
                archived.hash = row.hash.unwrap_or_default();
            }
        }
        file.sync_all().map_err(broken)?;
        self.drop_archived(&archived).await?;
        Ok(archived)
    }

    /// Verifies the whole log: the archives, in their order from the first one on, and what the database has after them.
    /// Without archives, what the database has. `noted` as for [`verify_audit`](Self::verify_audit).
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub async fn verify_log(
        &self,
        archives: &[PathBuf],
        noted: Option<(i64, &str)>,
    ) -> Result<(Option<Archived>, Verdict), ArchiveError> {
        let before = if archives.is_empty() {
            None
        } else {
            Some(Archived::verify(archives, noted)?)
        };
        let verdict = self.verify_after(before.as_ref(), noted).await?;
        Ok((before, verdict))
    }

    async fn drop_archived(&self, archived: &Archived) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query("DELETE FROM audit WHERE position <= $1")
            .bind(archived.position)
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "UPDATE audit_head SET archived_position = $1, archived_hash = $2 WHERE id = 1",
        )
        .bind(archived.position)
        .bind(&archived.hash)
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }
}

impl Archived {
    /// Verifies archives, in their order from the first one on. `noted` is an end from an earlier verification; where it
    /// lies in them, they must have it.
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub fn verify(paths: &[PathBuf], noted: Option<(i64, &str)>) -> Result<Self, ArchiveError> {
        let mut archived = Self {
            rows: 0,
            position: 0,
            hash: String::new(),
        };
        for path in paths {
            let file = std::fs::File::open(path).map_err(|source| ArchiveError::File {
                path: path.clone(),
                source,
            })?;
            for (number, line) in BufReader::new(file).lines().enumerate() {
                let line = line.map_err(|source| ArchiveError::File {
                    path: path.clone(),
                    source,
                })?;
                let row = read(&line).ok_or_else(|| ArchiveError::Line {
                    path: path.clone(),
                    line: number + 1,
                })?;
                archived.follow(&row)?;
                let here = noted.filter(|(at, _)| *at == archived.position);
                if here.is_some_and(|(_, then)| then != archived.hash) {
                    let position = archived.position;
                    return Err(VerifyError::Noted { position }.into());
                }
            }
        }
        Ok(archived)
    }

    fn follow(&mut self, row: &Row) -> Result<(), VerifyError> {
        self.position += 1;
        let found = row.position.unwrap_or_default();
        if found != self.position {
            return Err(VerifyError::Missing {
                expected: self.position,
                found,
            });
        }
        self.hash = link(&self.hash, self.position, row);
        if row.hash.as_deref() != Some(self.hash.as_str()) {
            return Err(VerifyError::Altered {
                position: found,
                id: row.id.clone(),
            });
        }
        self.rows += 1;
        Ok(())
    }
}

fn read(line: &str) -> Option<Row> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    Some(Row {
        id: text("id")?,
        recorded_at: text("recorded_at_ms")?.parse().ok()?,
        kind: text("kind")?,
        actor: text("actor")?,
        program: text("program")?,
        order_id: text("order"),
        idempotency_key: text("idempotency_key"),
        counter: value.get("counter")?.as_i64(),
        from_state: text("from_state"),
        to_state: text("to_state"),
        correlation: text("correlation"),
        detail: value.get("detail")?.to_string(),
        position: value.get("position")?.as_i64(),
        hash: text("hash"),
    })
}
