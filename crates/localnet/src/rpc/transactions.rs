//! `getTransaction` and `getTransactions`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use soroban_env_host::xdr::TransactionMeta;

use super::ledgers::{Request as ListRequest, Start};
use super::params::{self, Format, format};
use super::{RpcError, wire};
use crate::ledger::history::TxRecord;
use crate::node::Node;

#[derive(Default, Deserialize)]
struct Request {
    #[serde(default)]
    hash: String,
    #[serde(default, rename = "xdrFormat")]
    xdr_format: Option<String>,
}

pub(super) fn get_transaction(node: &mut Node, params: &Value) -> Result<Value, RpcError> {
    let request: Request = params::read(params)?;
    let format = format(request.xdr_format.as_deref())?;
    if request.hash.len() != 64 {
        return Err(RpcError::invalid_params(format!(
            "unexpected hash length ({})",
            request.hash.len()
        )));
    }
    let mut hash = [0; 32];
    hex::decode_to_slice(&request.hash, &mut hash)
        .map_err(|error| RpcError::invalid_params(format!("incorrect hash: {error}")))?;
    let view = node.view();
    let mut answer = Map::new();
    for (name, value) in [
        ("latestLedger", json!(view.latest)),
        (
            "latestLedgerCloseTime",
            wire::text(node.close_time(view.latest)),
        ),
        ("oldestLedger", json!(view.oldest)),
        (
            "oldestLedgerCloseTime",
            wire::text(node.close_time(view.oldest)),
        ),
        ("txHash", json!(request.hash)),
    ] {
        answer.insert(name.to_owned(), value);
    }
    let found = node
        .ledger
        .history
        .transaction(&hash)
        .filter(|(seq, ..)| *seq >= view.oldest && *seq <= view.latest);
    match found {
        Some((seq, position, tx)) => {
            let created = wire::text(node.close_time(seq));
            describe(&mut answer, seq, position, tx, created, format);
        }
        None => {
            for (name, value) in [
                ("status", json!("NOT_FOUND")),
                ("applicationOrder", json!(0)),
                ("feeBump", json!(false)),
                ("events", json!({})),
                ("ledger", json!(0)),
                ("createdAt", json!("0")),
            ] {
                answer.insert(name.to_owned(), value);
            }
        }
    }
    Ok(Value::Object(answer))
}

fn describe(
    answer: &mut Map<String, Value>,
    seq: u32,
    position: u32,
    tx: &TxRecord,
    created_at: Value,
    format: Format,
) {
    let status = if tx.succeeded { "SUCCESS" } else { "FAILED" };
    answer.insert("status".to_owned(), json!(status));
    answer.insert("ledger".to_owned(), json!(seq));
    answer.insert("createdAt".to_owned(), created_at);
    answer.insert("applicationOrder".to_owned(), json!(position));
    answer.insert("feeBump".to_owned(), json!(tx.inner_hash.is_some()));
    wire::put(answer, "envelope", &tx.envelope, format);
    wire::put(answer, "result", &tx.result, format);
    let meta = TransactionMeta::V4(tx.meta.clone());
    wire::put(answer, "resultMeta", &meta, format);
    if !tx.meta.diagnostic_events.is_empty() {
        wire::put_list(
            answer,
            "diagnosticEvents",
            tx.meta.diagnostic_events.iter(),
            format,
        );
    }
    let mut events = Map::new();
    wire::put_list(
        &mut events,
        "transactionEvents",
        tx.meta.events.iter(),
        format,
    );
    if tx.succeeded {
        let lists: Vec<Value> = tx
            .meta
            .operations
            .iter()
            .map(|operation| {
                let list = operation
                    .events
                    .iter()
                    .map(|event| wire::value(event, format));
                Value::Array(list.collect())
            })
            .collect();
        let name = match format {
            Format::Base64 => "contractEventsXdr",
            Format::Json => "contractEventsJson",
        };
        events.insert(name.to_owned(), Value::Array(lists));
    }
    answer.insert("events".to_owned(), Value::Object(events));
}

pub(super) fn get_transactions(node: &mut Node, params: &Value) -> Result<Value, RpcError> {
    let request: ListRequest = params::read(params)?;
    let format = request.format()?;
    let limit = request.limit()?;
    let view = node.view();
    let (first_ledger, first_position) = match request.start(view)? {
        Start::Ledger(start) => (start, 1),
        Start::Cursor(cursor) => {
            let position = cursor.parse::<u64>().ok().map(split_cursor);
            let (seq, position) = position
                .filter(|(seq, _)| *seq >= view.oldest && *seq <= view.latest)
                .ok_or_else(|| {
                    RpcError::invalid_params(format!(
                        "cursor ('{cursor}') must be between the oldest ledger: {} and the latest \
                         ledger: {} for this rpc instance",
                        view.oldest, view.latest
                    ))
                })?;
            (seq, position.saturating_add(1))
        }
    };
    let mut items = Vec::new();
    let mut cursor = cursor_of(view.latest, 0);
    'ledgers: for (seq, record) in node.ledger.history.range(first_ledger, view.latest) {
        for (position, tx) in (1_u32..).zip(&record.transactions) {
            if seq == first_ledger && position < first_position {
                continue;
            }
            let mut item = Map::new();
            let created = json!(node.close_time(seq));
            describe(&mut item, seq, position, tx, created, format);
            item.insert("txHash".to_owned(), json!(hex::encode(tx.hash)));
            items.push(Value::Object(item));
            cursor = cursor_of(seq, position);
            if items.len() >= limit {
                break 'ledgers;
            }
        }
    }
    Ok(json!({
        "transactions": items,
        "latestLedger": view.latest,
        "latestLedgerCloseTimestamp": node.close_time(view.latest),
        "oldestLedger": view.oldest,
        "oldestLedgerCloseTimestamp": node.close_time(view.oldest),
        "cursor": cursor.to_string(),
    }))
}

/// A position in the order of all transactions.
fn cursor_of(seq: u32, position: u32) -> u64 {
    u64::from(seq) << 32 | u64::from(position) << 12 | 1
}

fn split_cursor(cursor: u64) -> (u32, u32) {
    let seq = u32::try_from(cursor >> 32).unwrap_or(u32::MAX);
    let position = u32::try_from(cursor >> 12 & 0xF_FFFF).unwrap_or(u32::MAX);
    (seq, position)
}
