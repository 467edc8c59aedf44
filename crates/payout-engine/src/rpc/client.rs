//! The calls.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::error::RpcError;
use super::wire::{
    EventFilter, Events, EventsFrom, FeeStats, Health, LatestLedger, LedgerEntries, Network,
    RawSimulation, Sent, Simulated, Transaction,
};
use crate::protocol::TxHash;
use crate::record::{Moment, NodeId};

/// The longest answer that is read, in bytes.
const LONGEST: usize = 10 * 1024 * 1024;

/// How long to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// For a connection.
    pub connect: Duration,
    /// For a whole call.
    pub call: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            call: Duration::from_secs(30),
        }
    }
}

/// One node. Clones share connections.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: reqwest::Url,
    node: NodeId,
    calls: Arc<AtomicU64>,
}

#[derive(Deserialize)]
struct Answer {
    id: Value,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    code: i64,
    #[serde(default)]
    message: String,
}

impl Client {
    /// A client of the node at `url`, which is `node` among those that are asked.
    ///
    /// # Errors
    /// [`RpcError::Url`], [`RpcError::Client`].
    pub fn new(url: &str, node: NodeId, options: Options) -> Result<Self, RpcError> {
        Self::with_headers(url, node, options, &[])
    }

    /// The same, and every call has these headers, name and value: an API key, for example.
    ///
    /// # Errors
    /// [`RpcError::Url`], [`RpcError::Header`], [`RpcError::Client`].
    pub fn with_headers(
        url: &str,
        node: NodeId,
        options: Options,
        headers: &[(String, String)],
    ) -> Result<Self, RpcError> {
        let parsed = reqwest::Url::parse(url)
            .ok()
            .filter(|parsed| matches!(parsed.scheme(), "http" | "https"))
            .ok_or_else(|| {
                // No more than the scheme: the rest may hold a key.
                let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
                RpcError::Url(scheme.chars().take(12).collect())
            })?;
        let headers = headers.iter().map(header).collect::<Result<_, _>>()?;
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .connect_timeout(options.connect)
            .timeout(options.call)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| RpcError::Client(error.to_string()))?;
        Ok(Self {
            http,
            url: parsed,
            node,
            calls: Arc::default(),
        })
    }

    /// Which node this is.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Host and port alone, which are safe to show: paths and queries hold keys.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// `getHealth`.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn health(&self) -> Result<Health, RpcError> {
        self.call("getHealth", json!({})).await
    }

    /// `getNetwork`.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn network(&self) -> Result<Network, RpcError> {
        self.call("getNetwork", json!({})).await
    }

    /// `getLatestLedger`.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn latest_ledger(&self) -> Result<LatestLedger, RpcError> {
        self.call("getLatestLedger", json!({})).await
    }

    /// The node's clock: its latest ledger and when that closed. Nodes that leave the time out of
    /// `getLatestLedger` are asked by a hash that nobody has, whose answer always has it.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn clock(&self) -> Result<Moment, RpcError> {
        let latest = self.latest_ledger().await?;
        if let Some(time) = latest.close_time.filter(|time| *time > 0) {
            return Ok(Moment {
                ledger: latest.sequence,
                close_time: Some(time),
            });
        }
        let nobody = self.transaction(TxHash([0; 32])).await?;
        Ok(Moment {
            ledger: nobody.latest_ledger,
            close_time: Some(nobody.latest_ledger_close_time),
        })
    }

    /// `getLedgerEntries`, for at most 200 keys in base64.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn ledger_entries(&self, keys: &[String]) -> Result<LedgerEntries, RpcError> {
        self.call("getLedgerEntries", json!({ "keys": keys })).await
    }

    /// `simulateTransaction` of an envelope in base64.
    ///
    /// # Errors
    /// [`RpcError`]; that it is refused is no error.
    pub async fn simulate(&self, envelope: &str) -> Result<Simulated, RpcError> {
        let method = "simulateTransaction";
        let params = json!({ "transaction": envelope });
        let raw: RawSimulation = self.call(method, params).await?;
        raw.read().map_err(|why| RpcError::Unreadable {
            method,
            why: why.to_owned(),
        })
    }

    /// `sendTransaction` of an envelope in base64, whose hash is `hash`.
    ///
    /// # Errors
    /// [`RpcError`]. It may have been accepted all the same.
    pub async fn send(&self, envelope: &str, hash: TxHash) -> Result<Sent, RpcError> {
        let params = json!({ "transaction": envelope });
        let sent: Sent = self.call("sendTransaction", params).await?;
        if sent.hash != hash.to_string() {
            return Err(RpcError::OtherTransaction {
                sent: hash.to_string(),
                answered: sent.hash.chars().take(64).collect(),
            });
        }
        Ok(sent)
    }

    /// `getTransaction`, by outer or inner hash.
    ///
    /// # Errors
    /// [`RpcError`]; that it is not found is no error, and says nothing.
    pub async fn transaction(&self, hash: TxHash) -> Result<Transaction, RpcError> {
        let params = json!({ "hash": hash.to_string() });
        self.call("getTransaction", params).await
    }

    /// `getEvents` of one filter: a page of at most `limit`, up to before ledger `end` if one is
    /// given.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn events(
        &self,
        from: &EventsFrom,
        end: Option<u32>,
        filter: &EventFilter,
        limit: u32,
    ) -> Result<Events, RpcError> {
        let mut filter = json!(filter);
        filter["type"] = json!("contract");
        let mut params = json!({ "filters": [filter], "pagination": { "limit": limit } });
        match from {
            EventsFrom::Ledger(ledger) => {
                params["startLedger"] = json!(ledger);
                if let Some(end) = end {
                    params["endLedger"] = json!(end);
                }
            }
            EventsFrom::Cursor(cursor) => params["pagination"]["cursor"] = json!(cursor),
        }
        self.call("getEvents", params).await
    }

    /// `getFeeStats`.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn fee_stats(&self) -> Result<FeeStats, RpcError> {
        self.call("getFeeStats", json!({})).await
    }

    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, RpcError> {
        let id = self.calls.fetch_add(1, Ordering::Relaxed);
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let response = self
            .http
            .post(self.url.clone())
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .body(body.to_string())
            .send()
            .await
            .map_err(|error| transport(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(RpcError::Status(status));
        }
        let bytes = read(response).await?;
        let unreadable = |error: serde_json::Error| RpcError::Unreadable {
            method,
            why: error.to_string(),
        };
        let answer: Answer = serde_json::from_slice(&bytes).map_err(unreadable)?;
        if answer.id != json!(id) {
            return Err(RpcError::OtherCall { method });
        }
        if let Some(fault) = answer.error {
            return Err(RpcError::Rpc {
                method,
                code: fault.code,
                message: fault.message.chars().take(500).collect(),
            });
        }
        let result = answer.result.ok_or_else(|| RpcError::Unreadable {
            method,
            why: "neither a result nor an error".to_owned(),
        })?;
        serde_json::from_value(result).map_err(unreadable)
    }
}

impl fmt::Debug for Client {
    /// Host and port alone: the rest of the address may have a key in it, and so may headers.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Client({}, {})", self.node.0, self.host())
    }
}

/// A header whose value is not shown anywhere.
fn header((name, value): &(String, String)) -> Result<(HeaderName, HeaderValue), RpcError> {
    let wrong = || RpcError::Header(name.chars().take(60).collect());
    let name = HeaderName::try_from(name).map_err(|_| wrong())?;
    let mut value = HeaderValue::try_from(value).map_err(|_| wrong())?;
    value.set_sensitive(true);
    Ok((name, value))
}

async fn read(mut response: reqwest::Response) -> Result<Vec<u8>, RpcError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| transport(&error))? {
        if bytes.len().saturating_add(chunk.len()) > LONGEST {
            return Err(RpcError::TooLarge(LONGEST));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The error without the address, which may have a key in it.
fn transport(error: &reqwest::Error) -> RpcError {
    if error.is_timeout() {
        return RpcError::Timeout;
    }
    let mut text = String::new();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    RpcError::Transport(text)
}
