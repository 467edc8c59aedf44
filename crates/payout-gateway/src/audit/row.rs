//! One row.

use serde_json::{Map, Value};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::clock::{self, Millis};
use crate::ids::timed_id;
use crate::states::State;
use crate::store::orders::Order;
use crate::store::{StoreError, Write};

/// A row that is to be written.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    kind: String,
    actor: String,
    program: String,
    order_id: Option<String>,
    key: Option<(String, u32)>,
    states: Option<(Option<State>, State)>,
    correlation: Option<String>,
    detail: Map<String, Value>,
}

impl Entry {
    /// About a program.
    pub(crate) fn new(kind: &str, actor: &str, program: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            actor: actor.to_owned(),
            program: program.to_owned(),
            order_id: None,
            key: None,
            states: None,
            correlation: None,
            detail: Map::new(),
        }
    }

    /// About an order.
    pub(crate) fn of(order: &Order, kind: &str, actor: &str) -> Self {
        Self::new(kind, actor, &order.program)
            .order(&order.id)
            .key(order.caller_key.as_str(), order.counter)
            .correlation(&order.correlation)
    }

    pub(crate) fn order(mut self, id: &str) -> Self {
        self.order_id = Some(id.to_owned());
        self
    }

    pub(crate) fn key(mut self, key: &str, counter: u32) -> Self {
        self.key = Some((key.to_owned(), counter));
        self
    }

    pub(crate) fn correlation(mut self, id: &str) -> Self {
        self.correlation = Some(id.to_owned());
        self
    }

    /// The state that it begins with.
    pub(crate) fn reaching(mut self, to: State) -> Self {
        self.states = Some((None, to));
        self
    }

    /// The same with a step from one state to another.
    pub(crate) fn transition(&self, from: State, to: State) -> Self {
        Self {
            states: Some((Some(from), to)),
            ..self.clone()
        }
    }

    pub(crate) fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }

    /// Writes it, as part of the transaction of what it records.
    pub(crate) async fn record(&self, tx: &mut Write) -> Result<(), StoreError> {
        let now = clock::now();
        let (from, to) = self.states.unzip();
        sqlx::query(
            "INSERT INTO audit (id, recorded_at, kind, actor, program, order_id, idempotency_key, \
             counter, from_state, to_state, correlation, detail) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(timed_id(now)?)
        .bind(now)
        .bind(&self.kind)
        .bind(&self.actor)
        .bind(&self.program)
        .bind(self.order_id.clone())
        .bind(self.key.as_ref().map(|(key, _)| key.clone()))
        .bind(self.key.as_ref().map(|(_, counter)| i64::from(*counter)))
        .bind(from.flatten().map(State::name))
        .bind(to.map(State::name))
        .bind(self.correlation.clone())
        .bind(Value::Object(self.detail.clone()).to_string())
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

/// A row as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) recorded_at: Millis,
    pub(crate) kind: String,
    pub(crate) actor: String,
    pub(crate) program: String,
    pub(crate) order_id: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) counter: Option<i64>,
    pub(crate) from_state: Option<String>,
    pub(crate) to_state: Option<String>,
    pub(crate) correlation: Option<String>,
    pub(crate) detail: String,
    pub(crate) position: Option<i64>,
    pub(crate) hash: Option<String>,
}

pub(crate) const COLUMNS: &str = "id, recorded_at, kind, actor, program, order_id, \
    idempotency_key, counter, from_state, to_state, correlation, detail, position, hash";

impl Row {
    pub(crate) fn read(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            recorded_at: row.try_get("recorded_at")?,
            kind: row.try_get("kind")?,
            actor: row.try_get("actor")?,
            program: row.try_get("program")?,
            order_id: row.try_get("order_id")?,
            idempotency_key: row.try_get("idempotency_key")?,
            counter: row.try_get("counter")?,
            from_state: row.try_get("from_state")?,
            to_state: row.try_get("to_state")?,
            correlation: row.try_get("correlation")?,
            detail: row.try_get("detail")?,
            position: row.try_get("position")?,
            hash: row.try_get("hash")?,
        })
    }

    /// The row as JSON, as answers and archives have it.
    pub(crate) fn to_json(&self) -> Value {
        let detail: Value = serde_json::from_str(&self.detail).unwrap_or_default();
        serde_json::json!({
            "id": self.id,
            "recorded_at": clock::text(self.recorded_at),
            "recorded_at_ms": self.recorded_at.to_string(),
            "kind": self.kind,
            "actor": self.actor,
            "program": self.program,
            "order": self.order_id,
            "idempotency_key": self.idempotency_key,
            "counter": self.counter,
            "from_state": self.from_state,
            "to_state": self.to_state,
            "correlation": self.correlation,
            "detail": detail,
            "position": self.position,
            "hash": self.hash,
        })
    }
}
