//! `getLatestLedger` and `getLedgers`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use soroban_env_host::xdr::{LedgerCloseMeta, LedgerHeader};

use super::params::{self, Format, Pagination, format};
use super::{RpcError, wire};
use crate::limits::PROTOCOL_VERSION;
use crate::meta::close::{history_entry, ledger_close_meta};
use crate::node::{Node, View};

/// Ledgers on a page, unless told otherwise, and at most.
pub(super) const DEFAULT_LIMIT: usize = 50;
pub(super) const MAX_LIMIT: usize = 200;

/// A retained ledger.
struct Ledger {
    hash: [u8; 32],
    header: LedgerHeader,
    meta: LedgerCloseMeta,
}

fn ledger(node: &Node, seq: u32) -> Result<Ledger, RpcError> {
    let chain = &node.ledger.chain;
    let (Some(hash), Some(header)) = (chain.hash(seq), chain.header(seq)) else {
        return Err(RpcError::internal(format!("ledger {seq} is not kept")));
    };
    let meta = ledger_close_meta(header.clone(), hash, node.ledger.history.ledger(seq));
    Ok(Ledger { hash, header, meta })
}

pub(super) fn get_latest_ledger(node: &mut Node, _: &Value) -> Result<Value, RpcError> {
    let view = node.view();
    let ledger = ledger(node, view.latest)?;
    Ok(json!({
        "id": hex::encode(ledger.hash),
        "protocolVersion": PROTOCOL_VERSION,
        "sequence": view.latest,
        "closeTime": wire::text(node.close_time(view.latest)),
        "headerXdr": wire::base64(&ledger.header),
        "metadataXdr": wire::base64(&ledger.meta),
    }))
}

#[derive(Default, Deserialize)]
pub(super) struct Request {
    #[serde(default, rename = "startLedger")]
    start_ledger: Option<u32>,
    #[serde(default)]
    pagination: Option<Pagination>,
    #[serde(default, rename = "xdrFormat")]
    xdr_format: Option<String>,
}

/// Where a list begins.
pub(super) enum Start<'a> {
    Ledger(u32),
    Cursor(&'a str),
}

impl Request {
    pub(super) fn format(&self) -> Result<Format, RpcError> {
        format(self.xdr_format.as_deref())
    }

    pub(super) fn limit(&self) -> Result<usize, RpcError> {
        self.pagination.as_ref().map_or(Ok(DEFAULT_LIMIT), |page| {
            page.limit(DEFAULT_LIMIT, MAX_LIMIT)
                .map_err(|error| RpcError::invalid_request(error.message))
        })
    }

    /// The start, checked against the window.
    pub(super) fn start(&self, view: View) -> Result<Start<'_>, RpcError> {
        let cursor = self.pagination.as_ref().and_then(Pagination::cursor);
        match (cursor, self.start_ledger) {
            (Some(cursor), Some(start)) if start != 0 => Err(RpcError::invalid_request(format!(
                "startLedger ({start}) and cursor ({cursor}) cannot both be set"
            ))),
            (Some(cursor), _) => Ok(Start::Cursor(cursor)),
            (None, start) => {
                let start = start.unwrap_or(0);
                if start < view.oldest || start > view.latest {
                    return Err(RpcError::invalid_request(format!(
                        "start ledger ({start}) must be between the oldest ledger: {} and the \
                         latest ledger: {} for this rpc instance",
                        view.oldest, view.latest
                    )));
                }
                Ok(Start::Ledger(start))
            }
        }
    }
}

pub(super) fn get_ledgers(node: &mut Node, params: &Value) -> Result<Value, RpcError> {
    let request: Request = params::read(params)?;
    let format = request.format()?;
    let limit = request.limit()?;
    let view = node.view();
    let start = match request.start(view)? {
        Start::Ledger(start) => start,
        Start::Cursor(cursor) => after_cursor(cursor, view)?,
    };
    let last = u32::try_from(limit)
        .map_or(u32::MAX, |limit| start.saturating_add(limit))
        .saturating_sub(1)
        .min(view.latest);
    let ledgers = (start..=last)
        .map(|seq| ledger(node, seq).map(|ledger| item(node, seq, ledger, format)))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(json!({
        "ledgers": ledgers,
        "latestLedger": view.latest,
        "latestLedgerCloseTime": node.close_time(view.latest),
        "oldestLedger": view.oldest,
        "oldestLedgerCloseTime": node.close_time(view.oldest),
        "cursor": last.to_string(),
    }))
}

fn after_cursor(cursor: &str, view: View) -> Result<u32, RpcError> {
    let next = cursor
        .parse::<u32>()
        .ok()
        .and_then(|seq| seq.checked_add(1))
        .filter(|next| *next >= view.oldest && *next <= view.latest);
    next.ok_or_else(|| {
        RpcError::invalid_params(format!(
            "cursor ('{cursor}') must be between the oldest ledger: {} and the latest ledger: {} \
             for this rpc instance",
            view.oldest, view.latest
        ))
    })
}

fn item(node: &Node, seq: u32, ledger: Ledger, format: Format) -> Value {
    let mut item = Map::new();
    item.insert("hash".to_owned(), json!(hex::encode(ledger.hash)));
    item.insert("sequence".to_owned(), json!(seq));
    item.insert(
        "ledgerCloseTime".to_owned(),
        wire::text(node.close_time(seq)),
    );
    let header = history_entry(ledger.header, ledger.hash);
    if format == Format::Json {
        // Clients want the XDR fields to be there even then.
        for name in ["headerXdr", "metadataXdr"] {
            item.insert(name.to_owned(), json!(""));
        }
    }
    wire::put(&mut item, "header", &header, format);
    wire::put(&mut item, "metadata", &ledger.meta, format);
    Value::Object(item)
}
