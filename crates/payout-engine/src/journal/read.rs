//! Reading: what a start begins from.

use payout_keys::{IdempotencyKey, RunName};
use rusqlite::{Row, params};

use super::{Intent, Journal, JournalError, StoredOffer};
use crate::Payout;
use crate::protocol::{Bid, Bounds, Phase, Signed, TxHash};

const OFFERS: &str = "SELECT offer.number, offer.key, offer.payout, offer.run, offer.slot, \
                      verdict.phase, verdict.ledger, receipt.hash, receipt.ledger
                      FROM offer LEFT JOIN verdict ON verdict.offer = offer.number
                      LEFT JOIN receipt ON receipt.offer = offer.number";

/// A row of [`OFFERS`] as it is stored.
struct RawOffer {
    number: i64,
    key: String,
    payout: Option<String>,
    run: Option<String>,
    slot: Option<u32>,
    verdict: Option<(String, u32)>,
    receipt: Option<([u8; 32], u32)>,
}

impl RawOffer {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let phase: Option<String> = row.get(5)?;
        let hash: Option<[u8; 32]> = row.get(7)?;
        let verdict = match phase {
            Some(phase) => Some((phase, row.get(6)?)),
            None => None,
        };
        let receipt = match hash {
            Some(hash) => Some((hash, row.get(8)?)),
            None => None,
        };
        Ok(Self {
            number: row.get(0)?,
            key: row.get(1)?,
            payout: row.get(2)?,
            run: row.get(3)?,
            slot: row.get(4)?,
            verdict,
            receipt,
        })
    }
}

impl Journal {
    /// Every offer without a verdict: after a start, each key is read from the contract before
    /// anything is sent.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn undecided(&self) -> Result<Vec<StoredOffer>, JournalError> {
        self.offers(
            &format!("{OFFERS} WHERE verdict.phase IS NULL ORDER BY offer.number"),
            [],
        )
    }

    /// Every offer.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn all(&self) -> Result<Vec<StoredOffer>, JournalError> {
        self.offers(&format!("{OFFERS} ORDER BY offer.number"), [])
    }

    /// Every offer of `run`, in the order they were stored.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn of_run(&self, run: &RunName) -> Result<Vec<StoredOffer>, JournalError> {
        let sql = format!("{OFFERS} WHERE offer.run = ?1 ORDER BY offer.number");
        self.offers(&sql, params![run.as_str()])
    }

    /// The transactions that paid slots of `run`, as far as they were found.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn transactions(&self, run: &RunName) -> Result<Vec<(u32, TxHash)>, JournalError> {
        let of = |error| self.error(error);
        let sql = "SELECT offer.slot, receipt.hash FROM offer JOIN receipt ON receipt.offer = \
                   offer.number WHERE offer.run = ?1 AND offer.slot IS NOT NULL ORDER BY offer.slot";
        let mut statement = self.connection.prepare(sql).map_err(of)?;
        let rows = statement
            .query_map(params![run.as_str()], |row| {
                Ok((row.get(0)?, TxHash(row.get(1)?)))
            })
            .map_err(of)?;
        rows.collect::<Result<_, _>>().map_err(of)
    }

    /// The newest ledger that anything told of, 0 if none.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn ledger(&self) -> Result<u32, JournalError> {
        self.connection
            .query_row(
                "SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM setting WHERE name = \
                 'ledger'",
                [],
                |row| row.get(0),
            )
            .map_err(|error| self.error(error))
    }

    fn offers(
        &self,
        sql: &str,
        of_which: impl rusqlite::Params,
    ) -> Result<Vec<StoredOffer>, JournalError> {
        let of = |error| self.error(error);
        let mut statement = self.connection.prepare(sql).map_err(of)?;
        let rows = statement.query_map(of_which, RawOffer::read).map_err(of)?;
        let raw: Vec<RawOffer> = rows.collect::<Result<_, _>>().map_err(of)?;
        raw.into_iter().map(|raw| self.offer(raw)).collect()
    }

    fn offer(&self, raw: RawOffer) -> Result<StoredOffer, JournalError> {
        let unreadable = |what: &'static str, why: String| JournalError::Unreadable { what, why };
        let payout = raw
            .payout
            .map(|text| Payout::from_json(&text))
            .transpose()
            .map_err(|error| unreadable("payout", error.to_string()))?;
        let key =
            IdempotencyKey::new(&raw.key).map_err(|error| unreadable("key", error.to_string()))?;
        let slot = match (raw.run, raw.slot) {
            (Some(run), Some(slot)) => {
                let run =
                    RunName::new(&run).map_err(|error| unreadable("run", error.to_string()))?;
                Some((run, slot))
            }
            _ => None,
        };
        let verdict = raw
            .verdict
            .map(|(name, ledger)| {
                Phase::ALL
                    .into_iter()
                    .find(|phase| phase.name() == name)
                    .map(|phase| (phase, ledger))
                    .ok_or_else(|| unreadable("verdict", name))
            })
            .transpose()?;
        Ok(StoredOffer {
            intent: Intent { key, payout, slot },
            envelopes: self.envelopes(raw.number)?,
            verdict,
            receipt: raw.receipt.map(|(hash, ledger)| (TxHash(hash), ledger)),
        })
    }

    fn envelopes(&self, offer: i64) -> Result<Vec<Signed>, JournalError> {
        let of = |error| self.error(error);
        let sql = "SELECT hash, inner_hash, xdr, source, sequence, bid, resource_fee, max_time, \
                   max_ledger, authorised_until FROM envelope WHERE offer = ?1 ORDER BY number";
        let mut statement = self.connection.prepare(sql).map_err(of)?;
        let rows = statement
            .query_map(params![offer], |row| {
                let max_time: i64 = row.get(7)?;
                Ok(Signed {
                    hash: TxHash(row.get(0)?),
                    inner: TxHash(row.get(1)?),
                    xdr: row.get(2)?,
                    source: row.get(3)?,
                    sequence: row.get(4)?,
                    bid: Bid(row.get(5)?),
                    resource_fee: row.get(6)?,
                    bounds: Bounds {
                        max_time: u64::try_from(max_time).unwrap_or_default(),
                        max_ledger: row.get(8)?,
                        authorised_until: row.get(9)?,
                    },
                })
            })
            .map_err(of)?;
        rows.collect::<Result<_, _>>().map_err(of)
    }
}
