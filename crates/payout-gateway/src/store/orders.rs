//! Orders as they are stored.

use payout_engine::Payout;
use payout_keys::IdempotencyKey;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::jobs::Job;
use super::{Store, StoreError, Write};
use crate::audit::Entry;
use crate::clock::{self, Millis};
use crate::states::{State, path};

/// One order.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) id: String,
    pub(crate) program: String,
    pub(crate) caller_key: IdempotencyKey,
    pub(crate) counter: u32,
    pub(crate) chain_key: IdempotencyKey,
    pub(crate) fingerprint: String,
    pub(crate) payout: Payout,
    pub(crate) state: State,
    pub(crate) is_final: bool,
    pub(crate) reason: Option<String>,
    pub(crate) explanation: Option<String>,
    pub(crate) void_requested: bool,
    pub(crate) correlation: String,
    pub(crate) payout_id: Option<String>,
    pub(crate) paid_ledger: Option<i64>,
    pub(crate) paid_transaction: Option<String>,
    pub(crate) horizon: u32,
    pub(crate) created_at: Millis,
    pub(crate) updated_at: Millis,
}

pub(crate) const COLUMNS: &str = "id, program, caller_key, counter, chain_key, fingerprint, lines, \
    state, final, reason, explanation, void_requested, correlation, payout_id, paid_ledger, \
    paid_transaction, horizon, created_at, updated_at";

impl Order {
    pub(crate) fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let text = |name: &str| row.try_get::<String, _>(name);
        let key = |name: &'static str| -> Result<IdempotencyKey, StoreError> {
            let value = text(name)?;
            IdempotencyKey::new(&value).map_err(|_| StoreError::corrupt("the key", value))
        };
        let state = text("state")?;
        let lines = text("lines")?;
        let number = |name: &'static str| -> Result<u32, StoreError> {
            let value: i64 = row.try_get(name)?;
            u32::try_from(value).map_err(|_| StoreError::corrupt(name, value.to_string()))
        };
        Ok(Self {
            id: text("id")?,
            program: text("program")?,
            caller_key: key("caller_key")?,
            counter: number("counter")?,
            chain_key: key("chain_key")?,
            fingerprint: text("fingerprint")?,
            payout: Payout::from_json(&lines)
                .map_err(|_| StoreError::corrupt("the payout", lines.clone()))?,
            state: State::from_name(&state)
                .ok_or_else(|| StoreError::corrupt("the state", state))?,
            is_final: row.try_get::<i64, _>("final")? != 0,
            reason: row.try_get("reason")?,
            explanation: row.try_get("explanation")?,
            void_requested: row.try_get::<i64, _>("void_requested")? != 0,
            correlation: text("correlation")?,
            payout_id: row.try_get("payout_id")?,
            paid_ledger: row.try_get("paid_ledger")?,
            paid_transaction: row.try_get("paid_transaction")?,
            horizon: number("horizon")?,
            created_at: row.try_get("created_at")?,
            updated_at: row.try_get("updated_at")?,
        })
    }
}

/// Which orders to list.
#[derive(Debug, Clone, Default)]
pub(crate) struct OrderFilter {
    /// Programs that may be seen; `None` for all.
    pub(crate) program: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) state: Option<State>,
    /// Those before this id, newest first.
    pub(crate) before: Option<String>,
    pub(crate) limit: i64,
}

/// What becomes of an order.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) to: State,
    pub(crate) is_final: bool,
    pub(crate) reason: Option<&'static str>,
    pub(crate) explanation: Option<String>,
    pub(crate) paid: Option<Paid>,
}

/// Which payout paid it.
#[derive(Debug, Clone)]
pub(crate) struct Paid {
    pub(crate) payout_id: u64,
    pub(crate) ledger: u32,
}

impl Store {
    /// The order with this id.
    pub(crate) async fn order(&self, id: &str) -> Result<Option<Order>, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM orders WHERE id = $1");
        let row = sqlx::query(AssertSqlSafe(text))
            .bind(id)
            .fetch_optional(self.reading())
            .await?;
        row.as_ref().map(Order::read).transpose()
    }

    /// Orders, newest first.
    pub(crate) async fn orders(&self, filter: &OrderFilter) -> Result<Vec<Order>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} FROM orders WHERE ($1 = '' OR program = $1) \
             AND ($2 = '' OR caller_key = $2) AND ($3 = '' OR state = $3) \
             AND ($4 = '' OR id < $4) ORDER BY id DESC LIMIT $5"
        );
        let rows = sqlx::query(AssertSqlSafe(text))
            .bind(filter.program.clone().unwrap_or_default())
            .bind(filter.key.clone().unwrap_or_default())
            .bind(filter.state.map_or("", State::name))
            .bind(filter.before.clone().unwrap_or_default())
            .bind(filter.limit)
            .fetch_all(self.reading())
            .await?;
        rows.iter().map(Order::read).collect()
    }

    /// How many orders each state has, and since when the oldest unknown outcome waits.
    pub(crate) async fn order_counts(&self) -> Result<Vec<(State, i64, Millis)>, StoreError> {
        let text = "SELECT state, COUNT(*) AS orders, MIN(updated_at) AS oldest \
                    FROM orders GROUP BY state";
        let rows = sqlx::query(text).fetch_all(self.reading()).await?;
        rows.iter()
            .map(|row| {
                let name: String = row.try_get("state")?;
                let state = State::from_name(&name)
                    .ok_or_else(|| StoreError::corrupt("the state", name))?;
                Ok((state, row.try_get("orders")?, row.try_get("oldest")?))
            })
            .collect()
    }

    /// The order, locked until the transaction ends.
    pub(crate) async fn lock_order(
        &self,
        tx: &mut Write,
        id: &str,
    ) -> Result<Option<Order>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} FROM orders WHERE id = $1{}",
            self.for_update()
        );
        let row = sqlx::query(AssertSqlSafe(text))
            .bind(id)
            .fetch_optional(&mut **tx)
            .await?;
        row.as_ref().map(Order::read).transpose()
    }

    /// Gives an order the key that it has on the contract which is configured now, with an audit row.
    pub(crate) async fn rekey(
        &self,
        job: &Job,
        order: &Order,
        key: &IdempotencyKey,
    ) -> Result<Order, StoreError> {
        let mut tx = self.begin().await?;
        self.fence(&mut tx, job).await?;
        sqlx::query("UPDATE orders SET chain_key = $2 WHERE id = $1")
            .bind(&order.id)
            .bind(key.as_str())
            .execute(&mut *tx)
            .await?;
        Entry::of(order, "chain_key_changed", "worker")
            .detail("before", order.chain_key.as_str())
            .detail("chain_key", key.as_str())
            .record(&mut tx)
            .await?;
        tx.commit().await?;
        Ok(Order {
            chain_key: key.clone(),
            ..order.clone()
        })
    }

    /// Moves a locked order on, step by step, each step with its audit row. `entry` is what every
    /// row says beside the states. Gives whether anything changed: a verdict that is there already
    /// changes nothing.
    pub(crate) async fn change_order(
        &self,
        tx: &mut Write,
        order: &Order,
        change: &Change,
        entry: &Entry,
    ) -> Result<bool, StoreError> {
        let same = order.state == change.to
            && order.is_final == change.is_final
            && order.reason.as_deref() == change.reason
            && order.explanation == change.explanation;
        // A final verdict stays. Only what was paid may still be given back.
        let open =
            !order.is_final || (order.state, change.to) == (State::Confirmed, State::Refunded);
        let Some(steps) = path(order.state, change.to).filter(|_| open && !same) else {
            return Ok(false);
        };
        let now = clock::now();
        let mut from = order.state;
        for to in steps {
            entry.transition(from, to).record(tx).await?;
            from = to;
        }
        if order.state == change.to {
            entry.transition(from, from).record(tx).await?;
        }
        // From its end on a key's window is counted, by the clock that all processes share.
        let text = format!(
            "UPDATE orders SET state = $2, final = $3, reason = $4, explanation = $5, \
             payout_id = COALESCE($6, payout_id), paid_ledger = COALESCE($7, paid_ledger), \
             updated_at = $8, ended_at = CASE WHEN $3 = 1 THEN {} ELSE ended_at END WHERE id = $1",
            self.clock()
        );
        sqlx::query(AssertSqlSafe(text))
            .bind(&order.id)
            .bind(change.to.name())
            .bind(i64::from(change.is_final))
            .bind(change.reason)
            .bind(change.explanation.clone())
            .bind(change.paid.as_ref().map(|paid| paid.payout_id.to_string()))
            .bind(change.paid.as_ref().map(|paid| i64::from(paid.ledger)))
            .bind(now)
            .execute(&mut **tx)
            .await?;
        Ok(true)
    }
}
