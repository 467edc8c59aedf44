//! The accepting transaction: key, fingerprint, order, outbox row and audit row, all or nothing.

use payout_engine::Payout;
use payout_keys::{IdempotencyKey, ProgramId};
use sqlx::{AssertSqlSafe, Row as _};

use super::jobs::JobKind;
use super::orders::{COLUMNS, Order};
use super::{Store, StoreError};
use crate::audit::Entry;
use crate::chain::Program;
use crate::clock::{self, Millis};
use crate::ids::order_id;
use crate::states::State;

/// A request that is well-formed.
pub(crate) struct Request<'a> {
    pub(crate) program: &'a Program,
    pub(crate) key: &'a IdempotencyKey,
    pub(crate) fingerprint: &'a str,
    pub(crate) correlation: &'a str,
    pub(crate) actor: &'a str,
}

/// What became of it.
#[derive(Debug)]
pub(crate) enum Accepted {
    /// A new order.
    New(Order),
    /// The key has an order: this one.
    Known(Order),
}

/// What the look-up of a key says.
#[derive(Debug)]
pub(crate) enum Found {
    /// Its order, which the key stands for.
    Order(Box<Order>),
    /// The key is free under this counter.
    Free(u32),
}

impl Store {
    /// Looks a key up. After `window` milliseconds from its order's end a key is free again, under
    /// the next counter; without a window it never is. That is counted on the database's clock alone: a
    /// process whose clock is ahead must not take a key for free.
    pub(crate) async fn find_key(
        &self,
        program: &ProgramId,
        key: &IdempotencyKey,
        window: Option<Millis>,
    ) -> Result<Found, StoreError> {
        let text = format!(
            "SELECT {COLUMNS}, CASE WHEN final = 1 AND ended_at + $3 < {} THEN 1 ELSE 0 END AS \
             expired FROM orders WHERE program = $1 AND caller_key = $2 \
             ORDER BY counter DESC LIMIT 1",
            self.clock()
        );
        let row = sqlx::query(AssertSqlSafe(text))
            .bind(program.as_str())
            .bind(key.as_str())
            .bind(window)
            .fetch_optional(self.reading())
            .await?;
        let Some(row) = row else {
            return Ok(Found::Free(0));
        };
        let order = Order::read(&row)?;
        let expired = row.try_get::<i64, _>("expired")? != 0;
        Ok(match order.counter.checked_add(1) {
            Some(next) if expired => Found::Free(next),
            _ => Found::Order(Box::new(order)),
        })
    }

    /// Stores an order under a key that was found free. If another request was faster, the unique
    /// index makes this one wait for its commit, and its order is the answer.
    pub(crate) async fn accept(
        &self,
        request: &Request<'_>,
        payout: &Payout,
        counter: u32,
    ) -> Result<Accepted, StoreError> {
        let now = clock::now();
        let id = order_id(&request.program.id, request.key, counter, now);
        let chain_key = request.program.chain_key(request.key, counter);
        let mut tx = self.begin().await?;
        let inserted = sqlx::query(
            "INSERT INTO orders (id, program, caller_key, counter, chain_key, fingerprint, lines, \
             total, state, final, void_requested, correlation, horizon, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, 0, $11, $11) \
             ON CONFLICT (program, caller_key, counter) DO NOTHING",
        )
        .bind(&id)
        .bind(request.program.id.as_str())
        .bind(request.key.as_str())
        .bind(i64::from(counter))
        .bind(chain_key.as_str())
        .bind(request.fingerprint)
        .bind(payout.to_json())
        .bind(payout.total().to_string())
        .bind(State::Created.name())
        .bind(request.correlation)
        .bind(now)
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if inserted == 0 {
            tx.rollback().await?;
            return match self
                .find_key(&request.program.id, request.key, None)
                .await?
            {
                Found::Order(order) => Ok(Accepted::Known(*order)),
                Found::Free(_) => Err(StoreError::corrupt(
                    "no order for the key",
                    request.key.as_str(),
                )),
            };
        }
        self.add_job(&mut tx, JobKind::Pay, &id).await?;
        let kind = if counter == 0 {
            "create"
        } else {
            "create_again"
        };
        Entry::new(kind, request.actor, request.program.id.as_str())
            .order(&id)
            .key(request.key.as_str(), counter)
            .correlation(request.correlation)
            .reaching(State::Created)
            .detail("chain_key", chain_key.as_str())
            .detail("fingerprint", request.fingerprint)
            .detail("total", payout.total().to_string())
            .record(&mut tx)
            .await?;
        tx.commit().await?;
        Ok(Accepted::New(Order {
            id,
            program: request.program.id.as_str().to_owned(),
            caller_key: request.key.clone(),
            counter,
            chain_key,
            fingerprint: request.fingerprint.to_owned(),
            payout: payout.clone(),
            state: State::Created,
            is_final: false,
            reason: None,
            explanation: None,
            void_requested: false,
            correlation: request.correlation.to_owned(),
            payout_id: None,
            paid_ledger: None,
            paid_transaction: None,
            horizon: 0,
            created_at: now,
            updated_at: now,
        }))
    }
}
