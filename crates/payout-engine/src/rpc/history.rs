//! The ledger's past, for whoever reads all of it: events of several filters and of every type, and
//! closed ledgers.

use serde::Deserialize;
use serde_json::json;

use super::client::Client;
use super::error::RpcError;
use super::numbers::{list, number};
use super::wire::{EventFilter, Events, EventsFrom};

/// A closed ledger.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub struct ClosedLedger {
    pub hash: String,
    pub sequence: u32,
    #[serde(deserialize_with = "number")]
    pub ledger_close_time: u64,
}

#[derive(Deserialize)]
struct Ledgers {
    #[serde(default, deserialize_with = "list")]
    ledgers: Vec<ClosedLedger>,
}

impl Client {
    /// `getEvents` of any of `filters`, those of the host too: a page of at most `limit`.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn events_of_any(
        &self,
        from: &EventsFrom,
        filters: &[EventFilter],
        limit: u32,
    ) -> Result<Events, RpcError> {
        let mut params = json!({ "filters": filters, "pagination": { "limit": limit } });
        match from {
            EventsFrom::Ledger(ledger) => params["startLedger"] = json!(ledger),
            EventsFrom::Cursor(cursor) => params["pagination"]["cursor"] = json!(cursor),
        }
        self.call("getEvents", params).await
    }

    /// `getLedgers` of one ledger.
    ///
    /// # Errors
    /// [`RpcError`], also where the node answers with another ledger.
    pub async fn closed_ledger(&self, sequence: u32) -> Result<ClosedLedger, RpcError> {
        let method = "getLedgers";
        let params = json!({ "startLedger": sequence, "pagination": { "limit": 1 } });
        let answer: Ledgers = self.call(method, params).await?;
        answer
            .ledgers
            .into_iter()
            .find(|ledger| ledger.sequence == sequence)
            .ok_or_else(|| RpcError::Unreadable {
                method,
                why: format!("ledger {sequence} is not in the answer"),
            })
    }
}
