//! Channel accounts: one open transaction each, so one job each.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::jobs::{Job, JobKind};
use super::{Store, StoreError, Write};

/// A channel account that a job has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lane {
    pub(crate) account: String,
    /// Its sequence number is to be read in no older ledger.
    pub(crate) horizon: u32,
}

impl Lane {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let horizon: i64 = row.try_get("horizon")?;
        Ok(Self {
            account: row.try_get("account")?,
            horizon: u32::try_from(horizon)
                .map_err(|_| StoreError::corrupt("a lane's horizon", horizon.to_string()))?,
        })
    }
}

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
    ) -> Result<Option<Lane>, StoreError> {
        let mut tx = self.begin().await?;
        // A worker that was held up until another one had ended the job would take a lane that nobody frees.
        self.fence(&mut tx, job).await?;
        let held = sqlx::query("SELECT account, horizon FROM lanes WHERE holder = $1")
            .bind(&job.id)
            .fetch_optional(&mut *tx)
            .await?;
        let held = held.as_ref().map(Lane::read).transpose()?;
        if held
            .as_ref()
            .is_some_and(|lane| ours.contains(&lane.account))
        {
            tx.commit().await?;
            return Ok(held);
        }
        let places: Vec<String> = (1..=ours.len()).map(|place| format!("${place}")).collect();
        if places.is_empty() {
            tx.rollback().await?;
            return Ok(None);
        }
        let text = format!(
            "SELECT account, horizon FROM lanes WHERE holder IS NULL AND account IN ({}) \
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
            let lane = Lane::read(&row)?;
            self.free_lane(&mut tx, job.kind, &job.order_id).await?;
            sqlx::query("UPDATE lanes SET holder = $2 WHERE account = $1")
                .bind(&lane.account)
                .bind(&job.id)
                .execute(&mut *tx)
                .await?;
            taken = Some(lane);
        } else if job.kind == JobKind::Void {
            let text = "UPDATE lanes SET holder = $2 WHERE holder = $1 RETURNING account, horizon";
            let row = sqlx::query(text)
                .bind(JobKind::Pay.job(&job.order_id))
                .bind(&job.id)
                .fetch_optional(&mut *tx)
                .await?;
            taken = row.as_ref().map(Lane::read).transpose()?;
        }
        tx.commit().await?;
        Ok(taken)
    }

    /// The lane of an order's job is free again, from the newest ledger on that the order has seen. It goes with what ends
    /// the job: nobody else would free it.
    pub(crate) async fn free_lane(
        &self,
        tx: &mut Write,
        kind: JobKind,
        order: &str,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE lanes SET holder = NULL, horizon = COALESCE((SELECT CASE WHEN orders.horizon > lanes.horizon \
             THEN orders.horizon ELSE lanes.horizon END FROM orders WHERE orders.id = $2), lanes.horizon) \
             WHERE holder = $1",
        )
        .bind(kind.job(order))
        .bind(order)
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
