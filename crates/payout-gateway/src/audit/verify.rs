//! Verifies the chain, from its beginning in the archives or from where those end.

use sqlx::{AssertSqlSafe, Row as _};

use super::archive::Archived;
use super::row::{COLUMNS, Row};
use super::seal::link;
use crate::store::{Store, StoreError};

const PAGE: i64 = 1_000;

/// What the verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// How many sealed rows were read.
    pub rows: u64,
    /// The last row before those: 0, or where the archives end.
    pub begins_after: i64,
    /// The chain's end. Noted elsewhere, it shows later that nothing was cut off.
    pub head: (i64, String),
    /// Rows that are committed and not sealed yet.
    pub unsealed: Vec<String>,
}

/// Why the log is not what was written.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A row is missing.
    #[error("row {expected} is missing; the next one is {found}")]
    Missing {
        /// The position.
        expected: i64,
        /// What stands there.
        found: i64,
    },
    /// A row is not what was sealed.
    #[error("row {position} (id {id}) was altered, or a row before it")]
    Altered {
        /// The position.
        position: i64,
        /// The row.
        id: String,
    },
    /// Rows are missing at the end.
    #[error("the log ends at row {found}, and {head} were sealed")]
    Cut {
        /// The last row.
        found: i64,
        /// What the head says.
        head: i64,
    },
    /// A row has a place that the sealer never gave.
    #[error("row {position} stands behind the chain's end {head}; it was put there by hand")]
    Planted {
        /// Its place.
        position: i64,
        /// The chain's end.
        head: i64,
    },
    /// The archives are not those that the database goes on from.
    #[error(
        "the archives end at row {end}, and the database goes on after row {begins_after} with another \
         hash or from another row; an archive is missing or was written anew"
    )]
    Archives {
        /// The archives' last row.
        end: i64,
        /// The last row before the database's first.
        begins_after: i64,
    },
    /// What was noted cannot be looked at.
    #[error("row {position} was archived; give the archives, from the first one on")]
    Unseen {
        /// The noted row.
        position: i64,
    },
    /// The end is not the one that was noted.
    #[error("row {position} has another hash than the one that was noted")]
    Noted {
        /// The position.
        position: i64,
    },
    /// The database could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Verifies the audit log. `noted` is a head from an earlier verification, kept elsewhere: with
    /// it, a log that was written anew as a whole is found out as well.
    ///
    /// # Errors
    /// [`VerifyError`].
    pub async fn verify_audit(&self, noted: Option<(i64, &str)>) -> Result<Verdict, VerifyError> {
        self.verify_after(None, noted).await
    }

    /// The same for what the database has, after archives that were verified.
    pub(super) async fn verify_after(
        &self,
        archived: Option<&Archived>,
        noted: Option<(i64, &str)>,
    ) -> Result<Verdict, VerifyError> {
        let head = sqlx::query(
            "SELECT position, hash, archived_position, archived_hash FROM audit_head WHERE id = 1",
        )
        .fetch_one(self.reading())
        .await
        .map_err(StoreError::from)?;
        let read = |name: &str| head.try_get::<i64, _>(name).map_err(StoreError::from);
        let text = |name: &str| head.try_get::<String, _>(name).map_err(StoreError::from);
        let (end, end_hash) = (read("position")?, text("hash")?);
        let begins_after = read("archived_position")?;
        let mut position = begins_after;
        let mut hash = text("archived_hash")?;
        if let Some(archived) = archived.filter(|of| of.position != position || of.hash != hash) {
            return Err(VerifyError::Archives {
                end: archived.position,
                begins_after,
            });
        }
        match noted {
            Some((at, _)) if at < begins_after && archived.is_none() => {
                return Err(VerifyError::Unseen { position: at });
            }
            Some((at, then)) if at == begins_after && then != hash => {
                return Err(VerifyError::Noted { position: at });
            }
            _ => {}
        }
        self.nothing_behind_the_end().await?;
        let mut rows = 0;
        loop {
            let page = self.sealed(position, end).await?;
            let Some(last) = page.last().and_then(|row| row.position) else {
                break;
            };
            for row in &page {
                position += 1;
                let found = row.position.unwrap_or_default();
                if found != position {
                    return Err(VerifyError::Missing {
                        expected: position,
                        found,
                    });
                }
                hash = link(&hash, position, row);
                if row.hash.as_deref() != Some(hash.as_str()) {
                    return Err(VerifyError::Altered {
                        position,
                        id: row.id.clone(),
                    });
                }
                if noted.is_some_and(|(at, hash_then)| at == position && hash_then != hash) {
                    return Err(VerifyError::Noted { position });
                }
                rows += 1;
            }
            position = last;
        }
        if position != end || hash != end_hash || noted.is_some_and(|(at, _)| at > end) {
            return Err(VerifyError::Cut {
                found: position,
                head: noted.map_or(end, |(at, _)| at.max(end)),
            });
        }
        Ok(Verdict {
            rows,
            begins_after,
            head: (end, end_hash),
            unsealed: self.unsealed_ids().await?,
        })
    }

    /// Both in one statement: the sealer goes on meanwhile.
    async fn nothing_behind_the_end(&self) -> Result<(), VerifyError> {
        let row = sqlx::query(
            "SELECT audit_head.position AS head, (SELECT MAX(position) FROM audit) AS last \
             FROM audit_head WHERE id = 1",
        )
        .fetch_one(self.reading())
        .await
        .map_err(StoreError::from)?;
        let head: i64 = row.try_get("head").map_err(StoreError::from)?;
        let last: Option<i64> = row.try_get("last").map_err(StoreError::from)?;
        match last {
            Some(position) if position > head => Err(VerifyError::Planted { position, head }),
            _ => Ok(()),
        }
    }

    /// Sealed rows after `position`, up to `end`.
    pub(crate) async fn sealed(&self, position: i64, end: i64) -> Result<Vec<Row>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} FROM audit WHERE position > $1 AND position <= $2 \
             ORDER BY position LIMIT $3"
        );
        let rows = sqlx::query(AssertSqlSafe(text))
            .bind(position)
            .bind(end)
            .bind(PAGE)
            .fetch_all(self.reading())
            .await?;
        rows.iter().map(Row::read).collect()
    }

    async fn unsealed_ids(&self) -> Result<Vec<String>, StoreError> {
        let rows =
            sqlx::query("SELECT id FROM audit WHERE position IS NULL ORDER BY id LIMIT 1000")
                .fetch_all(self.reading())
                .await?;
        rows.iter()
            .map(|row| row.try_get("id").map_err(StoreError::from))
            .collect()
    }
}
