//! The audit trail by order, key and time.

use sqlx::AssertSqlSafe;
use sqlx::Row as _;

use super::row::{COLUMNS, Row};
use crate::clock::Millis;
use crate::store::{Store, StoreError};

/// Which rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct AuditFilter {
    pub(crate) program: Option<String>,
    pub(crate) order: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) from: Option<Millis>,
    pub(crate) until: Option<Millis>,
    /// Those after this id.
    pub(crate) after: Option<String>,
    pub(crate) limit: i64,
}

impl Store {
    /// Rows of the audit log, oldest first.
    pub(crate) async fn audit_rows(&self, filter: &AuditFilter) -> Result<Vec<Row>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} FROM audit WHERE ($1 = '' OR program = $1) \
             AND ($2 = '' OR order_id = $2) AND ($3 = '' OR idempotency_key = $3) \
             AND recorded_at >= $4 AND recorded_at < $5 AND ($6 = '' OR id > $6) \
             ORDER BY id LIMIT $7"
        );
        let rows = sqlx::query(AssertSqlSafe(text))
            .bind(filter.program.clone().unwrap_or_default())
            .bind(filter.order.clone().unwrap_or_default())
            .bind(filter.key.clone().unwrap_or_default())
            .bind(filter.from.unwrap_or(0))
            .bind(filter.until.unwrap_or(Millis::MAX))
            .bind(filter.after.clone().unwrap_or_default())
            .bind(filter.limit)
            .fetch_all(self.reading())
            .await?;
        rows.iter().map(Row::read).collect()
    }

    /// Keys with more than one order under one counter, or created more than once: `(key, counter,
    /// orders, creations)`. There is none unless something is badly wrong.
    pub(crate) async fn double_payments(
        &self,
        program: &str,
    ) -> Result<Vec<(String, i64, i64, i64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT idempotency_key, counter, COUNT(DISTINCT order_id) AS orders, \
             COUNT(DISTINCT CASE WHEN kind IN ('create', 'create_again') THEN id END) AS creations \
             FROM audit WHERE program = $1 AND idempotency_key IS NOT NULL \
             GROUP BY idempotency_key, counter \
             HAVING COUNT(DISTINCT order_id) > 1 \
             OR COUNT(DISTINCT CASE WHEN kind IN ('create', 'create_again') THEN id END) > 1 \
             ORDER BY idempotency_key, counter LIMIT 1000",
        )
        .bind(program)
        .fetch_all(self.reading())
        .await?;
        rows.iter()
            .map(|row| {
                Ok((
                    row.try_get("idempotency_key")?,
                    row.try_get("counter")?,
                    row.try_get("orders")?,
                    row.try_get("creations")?,
                ))
            })
            .collect()
    }
}
