//! Duties that one process at a time has: sealing, following events, reconciling.

use sqlx::AssertSqlSafe;

use super::{Store, StoreError};
use crate::clock::Millis;

impl Store {
    /// Takes or keeps a duty for `millis`. `false`: another process has it.
    pub(crate) async fn hold_duty(
        &self,
        name: &str,
        owner: &str,
        millis: Millis,
    ) -> Result<bool, StoreError> {
        let clock = self.clock();
        let text = format!(
            "INSERT INTO duties (name, owner, lease_until) VALUES ($1, $2, {clock} + $3) \
             ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, \
             lease_until = excluded.lease_until \
             WHERE duties.owner = excluded.owner OR duties.lease_until < {clock}"
        );
        let mut tx = self.begin().await?;
        let held = sqlx::query(AssertSqlSafe(text))
            .bind(name)
            .bind(owner)
            .bind(millis)
            .execute(&mut *tx)
            .await?
            .rows_affected();
        tx.commit().await?;
        Ok(held == 1)
    }
}
