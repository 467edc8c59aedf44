//! The outbox: what is to be done, and leases on it. A process that is killed loses its leases when
//! they run out, by the database's clock.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::{Store, StoreError, Write};
use crate::clock::Millis;

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// Pay the order.
    Pay,
    /// Void the order's key.
    Void,
}

impl JobKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::Void => "void",
        }
    }

    /// The id of an order's job of this kind.
    pub(crate) fn job(self, order: &str) -> String {
        format!("{}:{order}", self.name())
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Pay, Self::Void]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// A job that this worker has.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) kind: JobKind,
    pub(crate) order_id: String,
    pub(crate) tries: i64,
    /// The lease's name, which nobody else has.
    pub(crate) lease: String,
}

impl Job {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let kind: String = row.try_get("kind")?;
        Ok(Self {
            id: row.try_get("id")?,
            kind: JobKind::from_name(&kind).ok_or_else(|| StoreError::corrupt("the job", kind))?,
            order_id: row.try_get("order_id")?,
            tries: row.try_get("tries")?,
            lease: row.try_get("lease_owner")?,
        })
    }
}

impl Store {
    /// Puts a job into the outbox, or makes the one that is there due: a payment behind those that
    /// wait, a void before them. What is due is judged by the database's clock, so that is what writes
    /// it down.
    pub(crate) async fn add_job(
        &self,
        tx: &mut Write,
        kind: JobKind,
        order_id: &str,
    ) -> Result<(), StoreError> {
        let due = match kind {
            JobKind::Pay => self.clock(),
            JobKind::Void => "0",
        };
        let text = format!(
            "INSERT INTO jobs (id, kind, order_id, due_at, lease_until, tries) \
             VALUES ($1, $2, $3, {due}, 0, 0) \
             ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, tries = 0"
        );
        sqlx::query(AssertSqlSafe(text))
            .bind(kind.job(order_id))
            .bind(kind.name())
            .bind(order_id)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Takes at most `count` jobs that are due and that nobody has, until the lease runs out.
    pub(crate) async fn take_jobs(
        &self,
        lease: &str,
        lease_millis: Millis,
        count: i64,
    ) -> Result<Vec<Job>, StoreError> {
        let clock = self.clock();
        let text = format!(
            "UPDATE jobs SET lease_owner = $1, lease_until = {clock} + $2 WHERE id IN (\
             SELECT id FROM jobs WHERE due_at <= {clock} AND lease_until < {clock} \
             ORDER BY due_at, id LIMIT $3{}) \
             RETURNING id, kind, order_id, tries, lease_owner",
            self.skip_locked()
        );
        let mut tx = self.begin().await?;
        let rows = sqlx::query(AssertSqlSafe(text))
            .bind(lease)
            .bind(lease_millis)
            .bind(count)
            .fetch_all(&mut *tx)
            .await?;
        if rows.is_empty() {
            tx.rollback().await?;
            return Ok(Vec::new());
        }
        tx.commit().await?;
        rows.iter().map(Job::read).collect()
    }

    /// Prolongs a lease. `false`: it is not ours any more.
    pub(crate) async fn keep_job(&self, job: &Job, millis: Millis) -> Result<bool, StoreError> {
        let text = format!(
            "UPDATE jobs SET lease_until = {} + $3 WHERE id = $1 AND lease_owner = $2",
            self.clock()
        );
        let mut tx = self.begin().await?;
        let kept = sqlx::query(AssertSqlSafe(text))
            .bind(&job.id)
            .bind(&job.lease)
            .bind(millis)
            .execute(&mut *tx)
            .await?
            .rows_affected();
        tx.commit().await?;
        Ok(kept == 1)
    }

    /// Goes on only if the lease is still ours, and keeps others from taking it until the
    /// transaction ends.
    pub(crate) async fn fence(&self, tx: &mut Write, job: &Job) -> Result<(), StoreError> {
        let held =
            sqlx::query("UPDATE jobs SET lease_owner = $2 WHERE id = $1 AND lease_owner = $2")
                .bind(&job.id)
                .bind(&job.lease)
                .execute(&mut **tx)
                .await?
                .rows_affected();
        if held == 1 {
            Ok(())
        } else {
            Err(StoreError::Fenced("another worker has the job"))
        }
    }

    /// Gives a job back, due again after `delay`, as one that was tried `tries` times.
    pub(crate) async fn postpone(
        &self,
        tx: &mut Write,
        job: &Job,
        delay: Millis,
        tries: i64,
    ) -> Result<(), StoreError> {
        let text = format!(
            "UPDATE jobs SET lease_owner = NULL, lease_until = 0, tries = $4, \
             due_at = {} + $3 WHERE id = $1 AND lease_owner = $2",
            self.clock()
        );
        sqlx::query(AssertSqlSafe(text))
            .bind(&job.id)
            .bind(&job.lease)
            .bind(delay)
            .bind(tries)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Gives back every job of a process.
    pub(crate) async fn give_back(&self, process: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "UPDATE jobs SET lease_owner = NULL, lease_until = 0 \
             WHERE substr(lease_owner, 1, length($1)) = $1",
        )
        .bind(process)
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    /// The job is done. `false`: another worker has it.
    pub(crate) async fn end_job(&self, tx: &mut Write, job: &Job) -> Result<bool, StoreError> {
        let ended = sqlx::query("DELETE FROM jobs WHERE id = $1 AND lease_owner = $2")
            .bind(&job.id)
            .bind(&job.lease)
            .execute(&mut **tx)
            .await?
            .rows_affected();
        Ok(ended == 1)
    }

    /// Makes the jobs of an order due now: something happened on chain.
    pub(crate) async fn wake_jobs(&self, tx: &mut Write, order_id: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE jobs SET due_at = 0 WHERE order_id = $1")
            .bind(order_id)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// How many jobs are waiting, and how many somebody has.
    pub(crate) async fn job_counts(&self) -> Result<(i64, i64), StoreError> {
        let text = format!(
            "SELECT COUNT(*) AS jobs, COALESCE(SUM(CASE WHEN lease_until >= {} THEN 1 ELSE 0 END), \
             0) AS held FROM jobs",
            self.clock()
        );
        let row = sqlx::query(AssertSqlSafe(text))
            .fetch_one(self.reading())
            .await?;
        let (jobs, held): (i64, i64) = (row.try_get("jobs")?, row.try_get("held")?);
        Ok((jobs - held, held))
    }
}
