//! Findings of reconciliation: raised, seen again, resolved.

use sqlx::Row as _;

use super::{Store, StoreError, Write};
use crate::audit::Entry;
use crate::clock::{self, Millis};
use crate::ids::timed_id;

/// Something that differs between orders and chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) kind: &'static str,
    pub(crate) subject: String,
    pub(crate) detail: String,
}

/// A finding as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct StoredFinding {
    pub(crate) id: String,
    pub(crate) program: String,
    pub(crate) kind: String,
    pub(crate) subject: String,
    pub(crate) detail: String,
    pub(crate) first_seen: Millis,
    pub(crate) last_seen: Millis,
    pub(crate) resolved_at: Option<Millis>,
}

impl Store {
    /// Raises a finding; one that is known is only seen again.
    pub(crate) async fn raise(
        &self,
        tx: &mut Write,
        program: &str,
        finding: &Finding,
        at: Millis,
    ) -> Result<(), StoreError> {
        let row = sqlx::query(
            "INSERT INTO findings (id, program, kind, subject, detail, first_seen, last_seen) \
             VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (program, kind, subject) DO UPDATE \
             SET last_seen = excluded.last_seen, detail = excluded.detail, resolved_at = NULL \
             RETURNING first_seen, last_seen",
        )
        .bind(timed_id(at)?)
        .bind(program)
        .bind(finding.kind)
        .bind(&finding.subject)
        .bind(&finding.detail)
        .bind(at)
        .fetch_one(&mut **tx)
        .await?;
        let first: i64 = row.try_get("first_seen")?;
        if first == at {
            Entry::new("finding", "system", program)
                .detail("finding", finding.kind)
                .detail("subject", finding.subject.as_str())
                .detail("what", finding.detail.as_str())
                .record(tx)
                .await?;
        }
        Ok(())
    }

    /// What a reconciliation at `at` did not see again is resolved.
    pub(crate) async fn resolve_before(
        &self,
        tx: &mut Write,
        program: &str,
        at: Millis,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE findings SET resolved_at = $3 \
             WHERE program = $1 AND resolved_at IS NULL AND last_seen < $2",
        )
        .bind(program)
        .bind(at)
        .bind(clock::now())
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Findings, open ones first.
    pub(crate) async fn findings(
        &self,
        program: Option<&str>,
    ) -> Result<Vec<StoredFinding>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, program, kind, subject, detail, first_seen, last_seen, resolved_at \
             FROM findings WHERE ($1 = '' OR program = $1) \
             ORDER BY CASE WHEN resolved_at IS NULL THEN 0 ELSE 1 END, id DESC LIMIT 1000",
        )
        .bind(program.unwrap_or_default())
        .fetch_all(self.reading())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(StoredFinding {
                    id: row.try_get("id")?,
                    program: row.try_get("program")?,
                    kind: row.try_get("kind")?,
                    subject: row.try_get("subject")?,
                    detail: row.try_get("detail")?,
                    first_seen: row.try_get("first_seen")?,
                    last_seen: row.try_get("last_seen")?,
                    resolved_at: row.try_get("resolved_at")?,
                })
            })
            .collect()
    }
}
