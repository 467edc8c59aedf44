//! Operations on orders, each idempotent under a key of its own.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::{Store, StoreError, Write};
use crate::clock::{self, Millis};
use crate::ids::timed_id;

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperationKind {
    Void,
    Refund,
    Retry,
    Reconcile,
}

impl OperationKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Refund => "refund",
            Self::Retry => "retry",
            Self::Reconcile => "reconcile",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Void, Self::Refund, Self::Retry, Self::Reconcile]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// An operation as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) program: String,
    pub(crate) key: String,
    pub(crate) kind: OperationKind,
    pub(crate) order_id: Option<String>,
    pub(crate) fingerprint: String,
    /// `open`, `done`, or `refused`.
    pub(crate) state: String,
    pub(crate) result: Option<String>,
    pub(crate) created_at: Millis,
    pub(crate) updated_at: Millis,
}

const COLUMNS: &str = "id, program, operation_key, kind, order_id, fingerprint, state, result, created_at, updated_at";

impl Operation {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let kind: String = row.try_get("kind")?;
        Ok(Self {
            id: row.try_get("id")?,
            program: row.try_get("program")?,
            key: row.try_get("operation_key")?,
            kind: OperationKind::from_name(&kind)
                .ok_or_else(|| StoreError::corrupt("the operation", kind))?,
            order_id: row.try_get("order_id")?,
            fingerprint: row.try_get("fingerprint")?,
            state: row.try_get("state")?,
            result: row.try_get("result")?,
            created_at: row.try_get("created_at")?,
            updated_at: row.try_get("updated_at")?,
        })
    }
}

/// An operation that is asked for.
pub(crate) struct Wanted<'a> {
    pub(crate) program: &'a str,
    pub(crate) key: &'a str,
    pub(crate) kind: OperationKind,
    pub(crate) order_id: Option<&'a str>,
    pub(crate) fingerprint: &'a str,
    pub(crate) request: &'a str,
}

impl Store {
    /// The operation with this id.
    pub(crate) async fn operation(&self, id: &str) -> Result<Option<Operation>, StoreError> {
        Ok(self.operations("id = $1", &[id]).await?.pop())
    }

    /// The operation under this key.
    pub(crate) async fn operation_by_key(
        &self,
        program: &str,
        key: &str,
    ) -> Result<Option<Operation>, StoreError> {
        let which = "program = $1 AND operation_key = $2";
        Ok(self.operations(which, &[program, key]).await?.pop())
    }

    /// The operations on an order.
    pub(crate) async fn operations_on(&self, order_id: &str) -> Result<Vec<Operation>, StoreError> {
        self.operations("order_id = $1", &[order_id]).await
    }

    /// Open reconciliations.
    pub(crate) async fn open_reconciliations(&self) -> Result<Vec<Operation>, StoreError> {
        let which = "kind = $1 AND state = 'open'";
        self.operations(which, &[OperationKind::Reconcile.name()])
            .await
    }

    /// Operations, oldest first.
    async fn operations(
        &self,
        which: &'static str,
        values: &[&str],
    ) -> Result<Vec<Operation>, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM operations WHERE {which} ORDER BY id");
        let mut query = sqlx::query(AssertSqlSafe(text));
        for value in values {
            query = query.bind((*value).to_owned());
        }
        let rows = query.fetch_all(self.reading()).await?;
        rows.iter().map(Operation::read).collect()
    }

    /// Stores an operation under its key. `None`: the key was taken meanwhile.
    pub(crate) async fn add_operation(
        &self,
        tx: &mut Write,
        wanted: &Wanted<'_>,
        state: &str,
        result: Option<&str>,
    ) -> Result<Option<Operation>, StoreError> {
        let now = clock::now();
        let id = timed_id(now)?;
        let added = sqlx::query(
            "INSERT INTO operations (id, program, operation_key, kind, order_id, fingerprint, \
             request, state, result, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) \
             ON CONFLICT (program, operation_key) DO NOTHING",
        )
        .bind(&id)
        .bind(wanted.program)
        .bind(wanted.key)
        .bind(wanted.kind.name())
        .bind(wanted.order_id)
        .bind(wanted.fingerprint)
        .bind(wanted.request)
        .bind(state)
        .bind(result)
        .bind(now)
        .execute(&mut **tx)
        .await?
        .rows_affected();
        Ok((added == 1).then(|| Operation {
            id,
            program: wanted.program.to_owned(),
            key: wanted.key.to_owned(),
            kind: wanted.kind,
            order_id: wanted.order_id.map(str::to_owned),
            fingerprint: wanted.fingerprint.to_owned(),
            state: state.to_owned(),
            result: result.map(str::to_owned),
            created_at: now,
            updated_at: now,
        }))
    }

    /// How an operation ended. It ends once.
    pub(crate) async fn end_operation(
        &self,
        tx: &mut Write,
        id: &str,
        state: &str,
        result: &str,
    ) -> Result<(), StoreError> {
        end(tx, ("id = $1", id), state, result).await
    }

    /// How every open void of an order ended: one verdict ends them all.
    pub(crate) async fn end_voids(
        &self,
        tx: &mut Write,
        order: &str,
        state: &str,
        result: &str,
    ) -> Result<(), StoreError> {
        end(
            tx,
            ("order_id = $1 AND kind = 'void'", order),
            state,
            result,
        )
        .await
    }

    /// From now on no envelope that pays this order is signed.
    pub(crate) async fn request_void(&self, tx: &mut Write, order: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE orders SET void_requested = 1, updated_at = $2 WHERE id = $1")
            .bind(order)
            .bind(clock::now())
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Takes a transaction as evidence for an order. `false`: it was taken before, in whichever role.
    pub(crate) async fn take_evidence(
        &self,
        tx: &mut Write,
        hash: &str,
        order: &str,
    ) -> Result<bool, StoreError> {
        let taken = sqlx::query(
            "INSERT INTO refund_transactions (transaction_hash, order_id) VALUES ($1, $2) \
             ON CONFLICT (transaction_hash) DO NOTHING",
        )
        .bind(hash)
        .bind(order)
        .execute(&mut **tx)
        .await?
        .rows_affected();
        Ok(taken == 1)
    }
}

async fn end(
    tx: &mut Write,
    (which, of): (&'static str, &str),
    state: &str,
    result: &str,
) -> Result<(), StoreError> {
    let text = format!(
        "UPDATE operations SET state = $2, result = $3, updated_at = $4 \
         WHERE {which} AND state = 'open'"
    );
    sqlx::query(AssertSqlSafe(text))
        .bind(of)
        .bind(state)
        .bind(result)
        .bind(clock::now())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
