//! Channel accounts: one open transaction each, so one job each.

use sqlx::{AssertSqlSafe, Row as _};

use super::jobs::{Job, JobKind};
use super::{Store, StoreError, Write};

impl Store {
    /// Makes the accounts known, and frees those whose order is at its end.
    pub(crate) async fn add_lanes(&self, accounts: &[String]) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        for account in accounts {
            sqlx::query("INSERT INTO lanes (account) VALUES ($1) ON CONFLICT (account) DO NOTHING")
                .bind(account)
                .execute(&mut *tx)
                .await?;
        }
        sqlx::query(
            "UPDATE lanes SET holder = NULL WHERE EXISTS (SELECT 1 FROM orders WHERE final = 1 \
             AND orders.id = substr(lanes.holder, \
             CASE WHEN substr(lanes.holder, 1, 4) = 'pay:' THEN 5 ELSE 6 END))",
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    /// The lane that `job` has, or a free one among `ours`. `None`: all are taken.
    ///
    /// A lane that is not among `ours` any more, as after a leak of its key, is given up for a free one. What was signed
    /// in it may still land; it pays under the same key.
    ///
    /// Where none is free, a void takes the lane of the payment that it voids: nobody goes on with that
    /// payment, so nobody else would ever free it. Whichever of the two transactions is first in the lane,
    /// the contract's record says which.
    pub(crate) async fn take_lane(
        &self,
        job: &Job,
        ours: &[String],
    ) -> Result<Option<String>, StoreError> {
        let mut tx = self.begin().await?;
        // A worker that was held up until another one had ended the job would take a lane that nobody frees.
        self.fence(&mut tx, job).await?;
        let held = sqlx::query("SELECT account FROM lanes WHERE holder = $1")
            .bind(&job.id)
            .fetch_optional(&mut *tx)
            .await?;
        let held: Option<String> = held.map(|row| row.try_get("account")).transpose()?;
        if held.as_ref().is_some_and(|account| ours.contains(account)) {
            tx.commit().await?;
            return Ok(held);
        }
        let places: Vec<String> = (1..=ours.len()).map(|place| format!("${place}")).collect();
        if places.is_empty() {
            tx.rollback().await?;
            return Ok(None);
        }
        let text = format!(
            "SELECT account FROM lanes WHERE holder IS NULL AND account IN ({}) \
             ORDER BY account LIMIT 1{}",
            places.join(", "),
            self.skip_locked()
        );
        let mut free = sqlx::query(AssertSqlSafe(text));
        for account in ours {
            free = free.bind(account);
        }
        let mut taken = None;
        if let Some(row) = free.fetch_optional(&mut *tx).await? {
            let account: String = row.try_get("account")?;
            self.free_lane(&mut tx, &job.id).await?;
            sqlx::query("UPDATE lanes SET holder = $2 WHERE account = $1")
                .bind(&account)
                .bind(&job.id)
                .execute(&mut *tx)
                .await?;
            taken = Some(account);
        } else if job.kind == JobKind::Void {
            let payment = format!("{}:{}", JobKind::Pay.name(), job.order_id);
            let text = "UPDATE lanes SET holder = $2 WHERE holder = $1 RETURNING account";
            let row = sqlx::query(text)
                .bind(payment)
                .bind(&job.id)
                .fetch_optional(&mut *tx)
                .await?;
            taken = row.map(|row| row.try_get("account")).transpose()?;
        }
        tx.commit().await?;
        Ok(taken)
    }

    /// The job's lane is free again. It goes with what ends the job: nobody else would free it.
    pub(crate) async fn free_lane(&self, tx: &mut Write, job: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE lanes SET holder = NULL WHERE holder = $1")
            .bind(job)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// How many lanes there are, and how many are taken.
    pub(crate) async fn lane_counts(&self) -> Result<(i64, i64), StoreError> {
        let row = sqlx::query("SELECT COUNT(*) AS lanes, COUNT(holder) AS taken FROM lanes")
            .fetch_one(self.reading())
            .await?;
        Ok((row.try_get("lanes")?, row.try_get("taken")?))
    }
}
