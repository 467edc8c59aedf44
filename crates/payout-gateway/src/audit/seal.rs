//! The sealer: gives committed rows their place in the chain.

use sha2::{Digest, Sha256};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};

use super::row::{COLUMNS, Row};
use crate::store::{Store, StoreError, Write};

/// Rows that are sealed in one transaction.
const BATCH: i64 = 500;

/// The hash of a row at `position` behind the row with the hash `before`: SHA-256 over all of it,
/// each part with its length before it.
pub(crate) fn link(before: &str, position: i64, row: &Row) -> String {
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut hash = Sha256::new();
    let parts = [
        "audit/1".to_owned(),
        before.to_owned(),
        position.to_string(),
        row.id.clone(),
        row.recorded_at.to_string(),
        row.kind.clone(),
        row.actor.clone(),
        row.program.clone(),
        optional(&row.order_id),
        optional(&row.idempotency_key),
        row.counter.map(|n| n.to_string()).unwrap_or_default(),
        optional(&row.from_state),
        optional(&row.to_state),
        optional(&row.correlation),
        row.detail.clone(),
    ];
    for part in parts {
        let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
        hash.update(length.to_be_bytes());
        hash.update(part.as_bytes());
    }
    hex::encode(hash.finalize())
}

impl Store {
    /// Seals at most [`BATCH`] rows, and tells how many. Several processes may do it: the head's lock
    /// lets one at a time.
    pub(crate) async fn seal(&self) -> Result<usize, StoreError> {
        let mut tx = self.begin().await?;
        let text = format!(
            "SELECT position, hash FROM audit_head WHERE id = 1{}",
            self.for_update()
        );
        let head = sqlx::query(AssertSqlSafe(text)).fetch_one(&mut *tx).await?;
        let mut position: i64 = head.try_get("position")?;
        let mut hash: String = head.try_get("hash")?;
        let rows = unsealed(&mut tx, BATCH).await?;
        if rows.is_empty() {
            tx.rollback().await?;
            return Ok(0);
        }
        let values: Vec<String> = (0..rows.len())
            .map(|n| format!("(${}, ${}, ${})", 3 * n + 1, 3 * n + 2, 3 * n + 3))
            .collect();
        let text = format!(
            "UPDATE audit SET position = v.column2, hash = v.column3 FROM (VALUES {}) AS v \
             WHERE audit.id = v.column1",
            values.join(", ")
        );
        let mut update: Query<'_, Any, _> = sqlx::query(AssertSqlSafe(text));
        for row in &rows {
            position += 1;
            hash = link(&hash, position, row);
            update = update
                .bind(row.id.clone())
                .bind(position)
                .bind(hash.clone());
        }
        update.execute(&mut *tx).await?;
        sqlx::query("UPDATE audit_head SET position = $1, hash = $2 WHERE id = 1")
            .bind(position)
            .bind(&hash)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(rows.len())
    }

    /// How many rows are not sealed yet, and since when the oldest waits.
    pub(crate) async fn unsealed(&self) -> Result<(i64, Option<i64>), StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS waiting, MIN(recorded_at) AS oldest FROM audit \
             WHERE position IS NULL",
        )
        .fetch_one(self.reading())
        .await?;
        Ok((row.try_get("waiting")?, row.try_get("oldest")?))
    }
}

async fn unsealed(tx: &mut Write, limit: i64) -> Result<Vec<Row>, StoreError> {
    let text = format!("SELECT {COLUMNS} FROM audit WHERE position IS NULL ORDER BY id LIMIT $1");
    let rows = sqlx::query(AssertSqlSafe(text))
        .bind(limit)
        .fetch_all(&mut **tx)
        .await?;
    rows.iter().map(Row::read).collect()
}
