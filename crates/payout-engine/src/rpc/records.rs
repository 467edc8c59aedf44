//! Many records in one call.

use std::collections::HashMap;

use payout_keys::{ContractId, IdempotencyKey};
use sha2::{Digest, Sha256};
use stellar_xdr::{LedgerEntryData, Limits, ReadXdr, WriteXdr};

use super::client::Client;
use super::convert::LIMITS;
use super::error::RpcError;
use crate::envelope::{record_ledger_key_of, stored_record};
use crate::record::Record;

/// The most keys that a node takes in one call.
pub const MOST_ENTRIES: usize = 200;

/// The records of some keys, as of one ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records {
    /// The oldest ledger that any part of the answer is of. A key without a record had none then.
    pub ledger: u32,
    /// A record or none for each key, in their order.
    pub records: Vec<Option<Record>>,
}

impl Client {
    /// The records of `keys`, archived ones too, in calls of at most [`MOST_ENTRIES`].
    ///
    /// # Errors
    /// [`RpcError`], also where an entry is there and is no record.
    pub async fn records(
        &self,
        contract: ContractId,
        keys: &[IdempotencyKey],
    ) -> Result<Records, RpcError> {
        let digests: Vec<[u8; 32]> = keys
            .iter()
            .map(|key| Sha256::digest(key.as_str().as_bytes()).into())
            .collect();
        self.records_of(contract, &digests).await
    }

    /// The same of keys of which only the SHA-256 digests are at hand.
    ///
    /// # Errors
    /// As [`Client::records`].
    pub async fn records_of(
        &self,
        contract: ContractId,
        digests: &[[u8; 32]],
    ) -> Result<Records, RpcError> {
        let unreadable = |why: String| RpcError::Unreadable {
            method: "getLedgerEntries",
            why,
        };
        let mut ledger = u32::MAX;
        let mut records = Vec::with_capacity(digests.len());
        for page in digests.chunks(MOST_ENTRIES) {
            let ledger_keys = page
                .iter()
                .map(|digest| {
                    record_ledger_key_of(contract, *digest)
                        .map_err(|error| unreadable(error.to_string()))?
                        .to_xdr_base64(Limits::none())
                        .map_err(|error| unreadable(error.to_string()))
                })
                .collect::<Result<Vec<String>, RpcError>>()?;
            let answer = self.ledger_entries(&ledger_keys).await?;
            ledger = ledger.min(answer.latest_ledger);
            let mut found = HashMap::new();
            for entry in answer.entries {
                let data = LedgerEntryData::from_xdr_base64(&entry.xdr, LIMITS)
                    .map_err(|error| unreadable(error.to_string()))?;
                let record = stored_record(&data).map_err(|error| unreadable(error.to_string()))?;
                found.insert(entry.key, record);
            }
            records.extend(ledger_keys.iter().map(|key| found.remove(key)));
        }
        Ok(Records { ledger, records })
    }
}
