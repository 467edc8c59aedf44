//! What was read of each program's contract, pinned at its first use; and how far its events were
//! followed.

use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{Store, StoreError, Write};
use crate::audit::Entry;
use crate::clock;
use crate::states::State;

/// The facts of a program that must not change behind our back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pins {
    pub(crate) program: String,
    pub(crate) network: String,
    pub(crate) contract: String,
    pub(crate) token: String,
    pub(crate) decimals: u32,
    pub(crate) code_hash: String,
    pub(crate) max_batch: u32,
}

/// How far a program's events were followed.
#[derive(Debug, Clone)]
pub(crate) struct Followed {
    pub(crate) cursor: Option<String>,
    pub(crate) ledger: u32,
}

/// An event of a payout or void.
#[derive(Debug, Clone)]
pub(crate) struct ChainEvent {
    pub(crate) event_id: String,
    pub(crate) kind: String,
    pub(crate) chain_key: String,
    pub(crate) ledger: u32,
    pub(crate) transaction_hash: String,
    pub(crate) total: Option<String>,
}

fn pins(row: &AnyRow) -> Result<Pins, StoreError> {
    let number = |name: &'static str| -> Result<u32, StoreError> {
        let value: i64 = row.try_get(name)?;
        u32::try_from(value).map_err(|_| StoreError::corrupt(name, value.to_string()))
    };
    Ok(Pins {
        program: row.try_get("program")?,
        network: row.try_get("network")?,
        contract: row.try_get("contract")?,
        token: row.try_get("token")?,
        decimals: number("decimals")?,
        code_hash: row.try_get("code_hash")?,
        max_batch: number("max_batch")?,
    })
}

impl Store {
    /// Pins what was found of a program, or compares it with what was pinned.
    pub(crate) async fn pin(&self, found: &Pins, ledger: u32) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        let added = sqlx::query(
            "INSERT INTO programs (program, network, contract, token, decimals, code_hash, \
             max_batch, pinned_at, event_ledger) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
             ON CONFLICT (program) DO NOTHING",
        )
        .bind(&found.program)
        .bind(&found.network)
        .bind(&found.contract)
        .bind(&found.token)
        .bind(i64::from(found.decimals))
        .bind(&found.code_hash)
        .bind(i64::from(found.max_batch))
        .bind(clock::now())
        .bind(i64::from(ledger))
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if added == 1 {
            Entry::new("program_pinned", "system", &found.program)
                .detail("network", found.network.as_str())
                .detail("contract", found.contract.as_str())
                .detail("token", found.token.as_str())
                .detail("code_hash", found.code_hash.as_str())
                .record(&mut tx)
                .await?;
        }
        tx.commit().await?;
        let Some(stored) = self.pins(&found.program).await? else {
            return Err(StoreError::corrupt("no program", &found.program));
        };
        let facts = [
            ("network", &stored.network, &found.network),
            ("contract", &stored.contract, &found.contract),
            ("token", &stored.token, &found.token),
            ("code hash", &stored.code_hash, &found.code_hash),
        ];
        match facts.into_iter().find(|(_, stored, found)| stored != found) {
            None => Ok(()),
            Some((what, stored, now)) => Err(StoreError::Pin {
                program: found.program.clone(),
                what,
                stored: stored.clone(),
                found: now.clone(),
            }),
        }
    }

    /// An operator says that the contract's new code is the right one. `false`: there is no such
    /// program.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn accept_code(&self, program: &str, code: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let changed = sqlx::query("UPDATE programs SET code_hash = $2 WHERE program = $1")
            .bind(program)
            .bind(code)
            .execute(&mut *tx)
            .await?
            .rows_affected();
        Entry::new("code_accepted", "command", program)
            .detail("code_hash", code)
            .record(&mut tx)
            .await?;
        tx.commit().await?;
        Ok(changed == 1)
    }

    /// The pinned facts of a program.
    pub(crate) async fn pins(&self, program: &str) -> Result<Option<Pins>, StoreError> {
        let row = sqlx::query(
            "SELECT program, network, contract, token, decimals, code_hash, max_batch \
             FROM programs WHERE program = $1",
        )
        .bind(program)
        .fetch_optional(self.reading())
        .await?;
        row.as_ref().map(pins).transpose()
    }

    /// How far a program's events were followed.
    pub(crate) async fn followed(&self, program: &str) -> Result<Option<Followed>, StoreError> {
        let row = sqlx::query("SELECT event_cursor, event_ledger FROM programs WHERE program = $1")
            .bind(program)
            .fetch_optional(self.reading())
            .await?;
        let Some(row) = row else { return Ok(None) };
        let ledger: i64 = row.try_get("event_ledger")?;
        Ok(Some(Followed {
            cursor: row.try_get("event_cursor")?,
            ledger: u32::try_from(ledger)
                .map_err(|_| StoreError::corrupt("event_ledger", ledger.to_string()))?,
        }))
    }

    /// Stores a page of events with the cursor behind it, and wakes the orders they are about.
    /// Gives the payouts among them that nothing here was signed for.
    pub(crate) async fn add_events(
        &self,
        program: &str,
        events: &[ChainEvent],
        cursor: Option<&str>,
        ledger: u32,
    ) -> Result<Vec<ChainEvent>, StoreError> {
        let mut unknown = Vec::new();
        let mut tx = self.begin().await?;
        for event in events {
            let added = sqlx::query(
                "INSERT INTO chain_events (program, event_id, kind, chain_key, ledger, \
                 transaction_hash, total) VALUES ($1, $2, $3, $4, $5, $6, $7) \
                 ON CONFLICT (program, event_id) DO NOTHING",
            )
            .bind(program)
            .bind(&event.event_id)
            .bind(&event.kind)
            .bind(&event.chain_key)
            .bind(i64::from(event.ledger))
            .bind(&event.transaction_hash)
            .bind(event.total.clone())
            .execute(&mut *tx)
            .await?
            .rows_affected();
            if added == 0 {
                continue;
            }
            let order = order_of(&mut tx, &event.chain_key).await?;
            if let Some((id, _)) = &order {
                self.wake_jobs(&mut tx, id).await?;
            }
            let paid = matches!(event.kind.as_str(), "BatchPay" | "Payout");
            if paid
                && let Some((id, _)) = &order
                && let Some(order) = self.lock_order(&mut tx, id).await?
                && matches!(order.state, State::Confirmed | State::Refunded)
            {
                self.receipt_of_event(&mut tx, &order).await?;
            }
            if paid && order.is_none_or(|(_, signed)| signed == 0) {
                unknown.push(event.clone());
            }
        }
        sqlx::query(
            "UPDATE programs SET event_cursor = COALESCE($2, event_cursor), event_ledger = \
             CASE WHEN event_ledger < $3 THEN $3 ELSE event_ledger END WHERE program = $1",
        )
        .bind(program)
        .bind(cursor)
        .bind(i64::from(ledger))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(unknown)
    }

    /// The events about a key on chain.
    pub(crate) async fn events_of(&self, chain_key: &str) -> Result<Vec<ChainEvent>, StoreError> {
        let rows = sqlx::query(
            "SELECT event_id, kind, chain_key, ledger, transaction_hash, total FROM chain_events \
             WHERE chain_key = $1 ORDER BY event_id",
        )
        .bind(chain_key)
        .fetch_all(self.reading())
        .await?;
        rows.iter()
            .map(|row| {
                let ledger: i64 = row.try_get("ledger")?;
                Ok(ChainEvent {
                    event_id: row.try_get("event_id")?,
                    kind: row.try_get("kind")?,
                    chain_key: row.try_get("chain_key")?,
                    ledger: u32::try_from(ledger)
                        .map_err(|_| StoreError::corrupt("ledger", ledger.to_string()))?,
                    transaction_hash: row.try_get("transaction_hash")?,
                    total: row.try_get("total")?,
                })
            })
            .collect()
    }

    /// Keys of payouts on chain that no order has: `(key, ledger, transaction)`.
    pub(crate) async fn strangers(
        &self,
        program: &str,
    ) -> Result<Vec<(String, i64, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT e.chain_key, e.ledger, e.transaction_hash FROM chain_events e \
             LEFT JOIN orders o ON o.chain_key = e.chain_key \
             WHERE e.program = $1 AND e.kind IN ('BatchPay', 'Payout') AND o.id IS NULL \
             ORDER BY e.ledger, e.event_id",
        )
        .bind(program)
        .fetch_all(self.reading())
        .await?;
        rows.iter()
            .map(|row| {
                Ok((
                    row.try_get("chain_key")?,
                    row.try_get("ledger")?,
                    row.try_get("transaction_hash")?,
                ))
            })
            .collect()
    }
}

/// The order with this key on chain, and how many envelopes were signed for it.
async fn order_of(tx: &mut Write, chain_key: &str) -> Result<Option<(String, i64)>, StoreError> {
    let row = sqlx::query(
        "SELECT o.id, COUNT(e.hash) AS signed FROM orders o LEFT JOIN envelopes e \
         ON e.order_id = o.id AND e.purpose = 'pay' WHERE o.chain_key = $1 GROUP BY o.id",
    )
    .bind(chain_key)
    .fetch_optional(&mut **tx)
    .await?;
    row.map(|row| Ok((row.try_get("id")?, row.try_get("signed")?)))
        .transpose()
}
