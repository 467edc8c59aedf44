//! Writing: one transaction for each call, durable when it returns.

use rusqlite::{OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::{Intent, Journal, JournalError};
use crate::protocol::{Entry, Phase, Signed, TxHash};

impl Journal {
    /// Stores what [`Effect::Store`](crate::protocol::Effect::Store) asks for, for the offer of
    /// `intent`.
    ///
    /// # Errors
    /// [`JournalError`]; then nothing of it is stored.
    pub fn store(&mut self, intent: &Intent, entry: &Entry) -> Result<(), JournalError> {
        match entry {
            Entry::Intent { .. } => self.write(|changes| offer(changes, intent).map(|_| Ok(())))?,
            Entry::Envelope { signed, .. } => {
                self.write(|changes| envelope(changes, offer(changes, intent)?, signed))?
            }
            Entry::Verdict { phase, ledger, .. } => {
                self.write(|changes| verdict(changes, offer(changes, intent)?, *phase, *ledger))?
            }
            Entry::Receipt { hash, ledger, .. } => {
                self.write(|changes| receipt(changes, offer(changes, intent)?, *hash, *ledger))?
            }
        }
    }

    /// Pins `name` to `value` at the first use; afterwards it has to be the same. For network,
    /// contract, token and the contract's code.
    ///
    /// # Errors
    /// [`JournalError::PinDiffers`], or that it cannot be written.
    pub fn pin(&mut self, name: &str, value: &str) -> Result<(), JournalError> {
        let pinned = self.write(|changes| {
            let setting = format!("pin.{name}");
            changes.execute(
                "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                params![setting, value],
            )?;
            let sql = "SELECT value FROM setting WHERE name = ?1";
            changes.query_row(sql, params![setting], |row| row.get::<_, String>(0))
        })?;
        if pinned == value {
            return Ok(());
        }
        Err(JournalError::PinDiffers {
            name: name.to_owned(),
            pinned,
            found: value.to_owned(),
        })
    }

    /// Keeps the newest ledger that anything told of. It never goes back.
    ///
    /// # Errors
    /// [`JournalError`], if it cannot be written.
    pub fn note_ledger(&mut self, ledger: u32) -> Result<(), JournalError> {
        self.write(|changes| {
            changes.execute(
                "INSERT INTO setting (name, value) VALUES ('ledger', ?1) ON CONFLICT (name) DO \
                 UPDATE SET value = excluded.value
                 WHERE CAST(excluded.value AS INTEGER) > CAST(value AS INTEGER)",
                params![ledger.to_string()],
            )
        })
        .map(|_| ())
    }

    fn write<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        let path = self.path.clone();
        let of = |error| JournalError::of(&path, error);
        let changes = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(of)?;
        let value = change(&changes).map_err(of)?;
        changes.commit().map_err(of)?;
        Ok(value)
    }
}

/// The number of an offer, which is written if it is new.
fn offer(changes: &Transaction<'_>, intent: &Intent) -> rusqlite::Result<i64> {
    let fingerprint = intent.fingerprint();
    let (run, slot) = match &intent.slot {
        Some((run, slot)) => (Some(run.as_str()), Some(*slot)),
        None => (None, None),
    };
    let payout = intent.payout.as_ref().map(crate::Payout::to_json);
    changes.execute(
        "INSERT INTO offer (key, fingerprint, payout, run, slot) VALUES (?1, ?2, ?3, ?4, ?5) ON \
         CONFLICT DO NOTHING",
        params![intent.key.as_str(), fingerprint, payout, run, slot],
    )?;
    let sql = "SELECT number FROM offer WHERE key = ?1 AND fingerprint = ?2";
    changes.query_row(sql, params![intent.key.as_str(), fingerprint], |row| {
        row.get(0)
    })
}

fn envelope(
    changes: &Transaction<'_>,
    offer: i64,
    signed: &Signed,
) -> rusqlite::Result<Result<(), JournalError>> {
    let stored: Option<(i64, Vec<u8>)> = changes
        .query_row(
            "SELECT offer, xdr FROM envelope WHERE hash = ?1",
            params![signed.hash.0],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    if let Some(stored) = stored {
        let same = stored == (offer, signed.xdr.clone());
        return Ok(if same {
            Ok(())
        } else {
            Err(JournalError::Differs {
                what: format!("envelope {}", signed.hash),
            })
        });
    }
    // Unix seconds fit for as long as there are ledgers.
    let max_time = i64::try_from(signed.bounds.max_time).unwrap_or(i64::MAX);
    changes.execute(
        "INSERT INTO envelope (offer, hash, inner_hash, xdr, source, sequence, bid, resource_fee, \
         max_time, max_ledger, authorised_until)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            offer,
            signed.hash.0,
            signed.inner.0,
            signed.xdr,
            signed.source,
            signed.sequence,
            signed.bid.0,
            signed.resource_fee,
            max_time,
            signed.bounds.max_ledger,
            signed.bounds.authorised_until,
        ],
    )?;
    Ok(Ok(()))
}

fn verdict(
    changes: &Transaction<'_>,
    offer: i64,
    phase: Phase,
    ledger: u32,
) -> rusqlite::Result<Result<(), JournalError>> {
    changes.execute(
        "INSERT INTO verdict (offer, phase, ledger) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        params![offer, phase.name(), ledger],
    )?;
    Ok(Ok(()))
}

fn receipt(
    changes: &Transaction<'_>,
    offer: i64,
    hash: TxHash,
    ledger: u32,
) -> rusqlite::Result<Result<(), JournalError>> {
    changes.execute(
        "INSERT INTO receipt (offer, hash, ledger) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        params![offer, hash.0, ledger],
    )?;
    Ok(Ok(()))
}
