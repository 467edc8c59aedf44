//! Signed envelopes: stored, with the order's state and the audit row, before anything is sent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payout_engine::protocol::{Bid, Bounds, Signed, TxHash};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::jobs::{Job, JobKind};
use super::orders::{Change, Order};
use super::{Store, StoreError, Write};
use crate::audit::Entry;
use crate::clock::Millis;
use crate::states::State;

/// An envelope, why it was signed, and when.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) purpose: String,
    pub(crate) signed: Signed,
    pub(crate) signed_at: Millis,
}

fn hash(row: &AnyRow, name: &'static str) -> Result<TxHash, StoreError> {
    let text: String = row.try_get(name)?;
    let mut bytes = [0; 32];
    hex::decode_to_slice(&text, &mut bytes).map_err(|_| StoreError::corrupt(name, text))?;
    Ok(TxHash(bytes))
}

fn number<T: TryFrom<i64>>(row: &AnyRow, name: &'static str) -> Result<T, StoreError> {
    let value: i64 = row.try_get(name)?;
    T::try_from(value).map_err(|_| StoreError::corrupt(name, value.to_string()))
}

fn attempt(row: &AnyRow) -> Result<Attempt, StoreError> {
    let xdr: String = row.try_get("xdr")?;
    let authorised: Option<i64> = row.try_get("authorised_until")?;
    let authorised_until = authorised
        .map(|ledger| {
            u32::try_from(ledger)
                .map_err(|_| StoreError::corrupt("authorised_until", ledger.to_string()))
        })
        .transpose()?;
    Ok(Attempt {
        purpose: row.try_get("purpose")?,
        signed: Signed {
            hash: hash(row, "hash")?,
            inner: hash(row, "inner_hash")?,
            xdr: STANDARD
                .decode(&xdr)
                .map_err(|_| StoreError::corrupt("an envelope", xdr))?,
            source: row.try_get("source")?,
            sequence: row.try_get("sequence")?,
            bid: Bid(number(row, "bid")?),
            resource_fee: row.try_get("resource_fee")?,
            bounds: Bounds {
                max_time: number(row, "max_time")?,
                max_ledger: number(row, "max_ledger")?,
                authorised_until,
            },
        },
        signed_at: row.try_get("signed_at")?,
    })
}

impl Store {
    /// Everything that was signed for an order, in order.
    pub(crate) async fn attempts(&self, order_id: &str) -> Result<Vec<Attempt>, StoreError> {
        let rows = sqlx::query(
            "SELECT hash, inner_hash, purpose, xdr, source, sequence, bid, resource_fee, max_time, \
             max_ledger, authorised_until, signed_at FROM envelopes WHERE order_id = $1 \
             ORDER BY signed_at, sequence, bid",
        )
        .bind(order_id)
        .fetch_all(self.reading())
        .await?;
        rows.iter().map(attempt).collect()
    }

    /// Stores an envelope that `job` signed. It is refused where the job is not ours any more, and,
    /// for a payment, where a void was asked for: then nobody ever sees it.
    pub(crate) async fn add_envelope(
        &self,
        job: &Job,
        order: &Order,
        signed: &Signed,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        self.fence(&mut tx, job).await?;
        let Some(current) = self.lock_order(&mut tx, &order.id).await? else {
            return Err(StoreError::corrupt("no order", order.id.clone()));
        };
        if job.kind == JobKind::Pay {
            if current.void_requested {
                return Err(StoreError::Fenced("a void was asked for"));
            }
            if current.is_final {
                return Err(StoreError::Fenced("the order has its verdict"));
            }
        }
        let bounds = signed.bounds;
        let max_time = i64::try_from(bounds.max_time)
            .map_err(|_| StoreError::corrupt("max_time", bounds.max_time.to_string()))?;
        // Envelopes are read in the order of this time, whichever process signed them.
        let text = format!(
            "INSERT INTO envelopes (hash, inner_hash, order_id, purpose, xdr, source, sequence, \
             bid, resource_fee, max_time, max_ledger, authorised_until, signed_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, {})",
            self.clock()
        );
        sqlx::query(AssertSqlSafe(text))
            .bind(signed.hash.to_string())
            .bind(signed.inner.to_string())
            .bind(&order.id)
            .bind(job.kind.name())
            .bind(STANDARD.encode(&signed.xdr))
            .bind(&signed.source)
            .bind(signed.sequence)
            .bind(i64::from(signed.bid.0))
            .bind(signed.resource_fee)
            .bind(max_time)
            .bind(i64::from(bounds.max_ledger))
            .bind(bounds.authorised_until.map(i64::from))
            .execute(&mut *tx)
            .await?;
        let entry = Entry::of(&current, "envelope_signed", "worker")
            .detail("purpose", job.kind.name())
            .detail("hash", signed.hash.to_string())
            .detail("inner_hash", signed.inner.to_string())
            .detail("source", signed.source.as_str())
            .detail("sequence", signed.sequence.to_string())
            .detail("max_ledger", bounds.max_ledger)
            .detail("max_time", bounds.max_time);
        let submits = job.kind == JobKind::Pay && current.state.may_become(State::Submitted);
        let change = Change {
            to: State::Submitted,
            is_final: false,
            reason: None,
            explanation: None,
            paid: None,
        };
        if !(submits
            && self
                .change_order(&mut tx, &current, &change, &entry)
                .await?)
        {
            entry.record(&mut tx).await?;
        }
        tx.commit().await
    }

    /// Keeps the newest ledger that anything told of an order. It never goes back.
    pub(crate) async fn note_horizon(&self, order_id: &str, ledger: u32) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query("UPDATE orders SET horizon = $2 WHERE id = $1 AND horizon < $2")
            .bind(order_id)
            .bind(i64::from(ledger))
            .execute(&mut *tx)
            .await?;
        tx.commit().await
    }

    /// Which transaction paid. Nothing depends on it.
    pub(crate) async fn add_receipt(
        &self,
        order_id: &str,
        hash: TxHash,
        ledger: u32,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        if let Some(order) = self.lock_order(&mut tx, order_id).await? {
            let (hash, ledger) = (hash.to_string(), i64::from(ledger));
            note_receipt(&mut tx, &order, &hash, ledger).await?;
        }
        tx.commit().await
    }

    /// The same, from the contract's event of the payment, for an order that has just been confirmed or
    /// whose event has just been read. So the transaction is found as well if a crash or a void kept its
    /// job from looking.
    pub(crate) async fn receipt_of_event(
        &self,
        tx: &mut Write,
        order: &Order,
    ) -> Result<(), StoreError> {
        let event = sqlx::query(
            "SELECT transaction_hash, ledger FROM chain_events \
             WHERE chain_key = $1 AND kind IN ('BatchPay', 'Payout') LIMIT 1",
        )
        .bind(order.chain_key.as_str())
        .fetch_optional(&mut **tx)
        .await?;
        let Some(event) = event else { return Ok(()) };
        let hash: String = event.try_get("transaction_hash")?;
        note_receipt(tx, order, &hash, event.try_get("ledger")?).await
    }
}

/// Notes which transaction paid a locked order, if that is not known yet.
async fn note_receipt(
    tx: &mut Write,
    order: &Order,
    hash: &str,
    ledger: i64,
) -> Result<(), StoreError> {
    if order.paid_transaction.is_some() {
        return Ok(());
    }
    sqlx::query("UPDATE orders SET paid_transaction = $2, paid_ledger = $3 WHERE id = $1")
        .bind(&order.id)
        .bind(hash)
        .bind(ledger)
        .execute(&mut **tx)
        .await?;
    Entry::of(order, "receipt_found", "worker")
        .detail("hash", hash)
        .detail("ledger", ledger)
        .record(tx)
        .await
}
