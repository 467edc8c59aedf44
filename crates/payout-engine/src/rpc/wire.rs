//! What nodes answer, field by field.

use serde::{Deserialize, Serialize};

use super::numbers::{list, maybe, number};

/// The answer of `getHealth`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct Health {
    pub status: String,
    pub latest_ledger: u32,
    pub oldest_ledger: u32,
    pub ledger_retention_window: u32,
}

/// The answer of `getNetwork`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct Network {
    pub passphrase: String,
    pub protocol_version: u32,
    #[serde(default)]
    pub friendbot_url: Option<String>,
}

/// The answer of `getLatestLedger`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct LatestLedger {
    pub id: String,
    pub protocol_version: u32,
    pub sequence: u32,
    /// Left out by older nodes.
    #[serde(default, deserialize_with = "maybe")]
    pub close_time: Option<u64>,
    /// Base64 of a `LedgerHeader`. Left out by older nodes.
    #[serde(default)]
    pub header_xdr: Option<String>,
}

/// The answer of `getLedgerEntries`. What does not exist is left out; an archived entry has
/// `live_until_ledger_seq` 0.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct LedgerEntries {
    #[serde(default, deserialize_with = "list")]
    pub entries: Vec<LedgerEntry>,
    pub latest_ledger: u32,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct LedgerEntry {
    pub key: String,
    pub xdr: String,
    pub last_modified_ledger_seq: u32,
    #[serde(default)]
    pub live_until_ledger_seq: Option<u32>,
}

/// The answer of `simulateTransaction`. A refusal is a result, not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Simulated {
    /// It would succeed.
    Success(SimulationSuccess),
    /// It would not.
    Refused {
        /// The node's text.
        error: String,
        /// The ledger it was simulated on.
        latest_ledger: u32,
    },
}

/// A simulation that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct SimulationSuccess {
    /// Base64 of a `SorobanTransactionData`.
    pub transaction_data: String,
    pub min_resource_fee: i64,
    /// Base64 of each `SorobanAuthorizationEntry`.
    pub auth: Vec<String>,
    /// Base64 of the `ScVal` that the call returns.
    pub returned: Option<String>,
    pub latest_ledger: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RawSimulation {
    latest_ledger: u32,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    transaction_data: Option<String>,
    #[serde(default, deserialize_with = "maybe")]
    min_resource_fee: Option<i64>,
    #[serde(default, deserialize_with = "list")]
    results: Vec<RawResult>,
}

#[derive(Deserialize)]
struct RawResult {
    #[serde(default, deserialize_with = "list")]
    auth: Vec<String>,
    xdr: String,
}

impl RawSimulation {
    pub(super) fn read(self) -> Result<Simulated, &'static str> {
        let latest_ledger = self.latest_ledger;
        if let Some(error) = self.error {
            return Ok(Simulated::Refused {
                error,
                latest_ledger,
            });
        }
        let mut results = self.results.into_iter();
        let first = results.next();
        if results.next().is_some() {
            return Err("more than one result");
        }
        let (auth, returned) = match first {
            Some(result) => (result.auth, Some(result.xdr)),
            None => (Vec::new(), None),
        };
        Ok(Simulated::Success(SimulationSuccess {
            transaction_data: self.transaction_data.ok_or("transactionData is missing")?,
            min_resource_fee: self.min_resource_fee.ok_or("minResourceFee is missing")?,
            auth,
            returned,
            latest_ledger,
        }))
    }
}

/// The answer of `sendTransaction`, whose `hash` is the one that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct Sent {
    pub status: String,
    pub hash: String,
    pub latest_ledger: u32,
    #[serde(deserialize_with = "number")]
    pub latest_ledger_close_time: u64,
    /// Base64 of a `TransactionResult`, with status `ERROR`.
    #[serde(default)]
    pub error_result_xdr: Option<String>,
    #[serde(default, deserialize_with = "list")]
    pub diagnostic_events_xdr: Vec<String>,
}

/// What became of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub enum TransactionStatus {
    Success,
    Failed,
    NotFound,
}

/// The answer of `getTransaction`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct Transaction {
    pub status: TransactionStatus,
    pub latest_ledger: u32,
    #[serde(deserialize_with = "number")]
    pub latest_ledger_close_time: u64,
    pub oldest_ledger: u32,
    #[serde(deserialize_with = "number")]
    pub oldest_ledger_close_time: u64,
    #[serde(default)]
    pub ledger: u32,
    #[serde(default, deserialize_with = "maybe")]
    pub created_at: Option<u64>,
    #[serde(default)]
    pub fee_bump: bool,
    #[serde(default)]
    pub envelope_xdr: Option<String>,
    #[serde(default)]
    pub result_xdr: Option<String>,
    #[serde(default)]
    pub result_meta_xdr: Option<String>,
}

/// Where `getEvents` begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventsFrom {
    /// From this ledger on.
    Ledger(u32),
    /// Right after this cursor.
    Cursor(String),
}

/// What `getEvents` filters by. An empty list restricts nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventFilter {
    /// Contracts, as C….
    pub contract_ids: Vec<String>,
    /// Topics: each a list of base64 `ScVal`, `*` or `**`.
    pub topics: Vec<Vec<String>>,
}

/// A page of `getEvents`. An empty page with a moved cursor is normal: go on from the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct Events {
    #[serde(default, deserialize_with = "list")]
    pub events: Vec<Event>,
    pub cursor: String,
    pub latest_ledger: u32,
    pub oldest_ledger: u32,
    #[serde(deserialize_with = "number")]
    pub latest_ledger_close_time: u64,
    #[serde(deserialize_with = "number")]
    pub oldest_ledger_close_time: u64,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct Event {
    #[serde(rename = "type")]
    pub kind: String,
    pub ledger: u32,
    pub ledger_closed_at: String,
    #[serde(default)]
    pub contract_id: String,
    pub id: String,
    pub tx_hash: String,
    #[serde(default, deserialize_with = "list")]
    pub topic: Vec<String>,
    pub value: String,
}

/// The answer of `getFeeStats`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct FeeStats {
    pub soroban_inclusion_fee: Distribution,
    pub inclusion_fee: Distribution,
    pub latest_ledger: u32,
}

/// How fees were spread over the last ledgers, in stroops.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct Distribution {
    #[serde(deserialize_with = "number")]
    pub min: u64,
    #[serde(deserialize_with = "number")]
    pub max: u64,
    #[serde(deserialize_with = "number")]
    pub mode: u64,
    #[serde(deserialize_with = "number")]
    pub p50: u64,
    #[serde(deserialize_with = "number")]
    pub p90: u64,
    #[serde(deserialize_with = "number")]
    pub p99: u64,
    #[serde(deserialize_with = "number")]
    pub transaction_count: u64,
    pub ledger_count: u32,
}
