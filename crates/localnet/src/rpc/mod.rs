//! The JSON-RPC of the public Stellar RPC: names, types, codes and texts as real clients expect
//! them.

mod error;
mod event_filter;
mod events;
mod fee_stats;
mod health;
mod ledger_entries;
mod ledgers;
mod params;
mod send;
mod simulate;
mod transactions;
mod wire;

pub(crate) use error::RpcError;
pub(crate) use wire::base64;

use serde_json::{Value, json};

use crate::faults::Fault;
use crate::node::Node;

/// Bytes of answers after which the rest of a batch is not looked at: a small batch can ask for much.
const MAX_BATCH_ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// What a request gets.
#[derive(Debug)]
pub(crate) enum Reply {
    /// HTTP 200 with a body.
    Json(Value),
    /// HTTP 204: nothing but notifications.
    Nothing,
    /// HTTP 503.
    Unavailable,
    /// HTTP 504.
    GatewayTimeout,
    /// The connection breaks.
    Dropped,
}

/// The outcome of one method.
pub(crate) enum Outcome {
    Result(Value),
    Unavailable,
    GatewayTimeout,
    Dropped,
}

/// Answers a request body: one request or a batch.
pub(crate) fn handle(node: &mut Node, body: &[u8]) -> Reply {
    let Ok(request) = serde_json::from_slice::<Value>(body) else {
        return Reply::Json(failure(&Value::Null, &RpcError::parse()));
    };
    let Value::Array(requests) = request else {
        return single(node, &request);
    };
    if requests.is_empty() {
        return Reply::Json(failure(
            &Value::Null,
            &RpcError::invalid_request("empty request batch"),
        ));
    }
    let mut answers = Vec::new();
    let mut bytes = 0_usize;
    for request in &requests {
        if bytes > MAX_BATCH_ANSWER_BYTES {
            let id = request.get("id").unwrap_or(&Value::Null);
            answers.push(failure(id, &RpcError::too_much()));
            continue;
        }
        match single(node, request) {
            Reply::Json(answer) => {
                bytes = bytes.saturating_add(answer.to_string().len());
                answers.push(answer);
            }
            Reply::Nothing => {}
            broken => return broken,
        }
    }
    if answers.is_empty() {
        Reply::Nothing
    } else {
        Reply::Json(Value::Array(answers))
    }
}

fn single(node: &mut Node, request: &Value) -> Reply {
    let Value::Object(fields) = request else {
        let error = RpcError::invalid_request("request is not a JSON object");
        return Reply::Json(failure(&Value::Null, &error));
    };
    let id = fields.get("id");
    let valid_id = id.is_none_or(|id| id.is_null() || id.is_string() || id.is_number());
    let version = fields.get("jsonrpc").and_then(Value::as_str);
    let method = fields.get("method").and_then(Value::as_str);
    let (true, Some("2.0"), Some(method)) = (valid_id, version, method) else {
        let id = id.filter(|_| valid_id).unwrap_or(&Value::Null);
        let error = RpcError::invalid_request("not a JSON-RPC 2.0 request");
        return Reply::Json(failure(id, &error));
    };
    let params = fields.get("params").unwrap_or(&Value::Null);
    let outcome = call(node, method, params);
    let Some(id) = id else {
        // A notification is obeyed and not answered.
        return Reply::Nothing;
    };
    match outcome {
        Ok(Outcome::Result(result)) => {
            Reply::Json(json!({"jsonrpc": "2.0", "id": id, "result": result}))
        }
        Ok(Outcome::Unavailable) => Reply::Unavailable,
        Ok(Outcome::GatewayTimeout) => Reply::GatewayTimeout,
        Ok(Outcome::Dropped) => Reply::Dropped,
        Err(error) => Reply::Json(failure(id, &error)),
    }
}

fn failure(id: &Value, error: &RpcError) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

fn call(node: &mut Node, method: &str, params: &Value) -> Result<Outcome, RpcError> {
    if method == "sendTransaction" {
        return send::send_transaction(node, params);
    }
    let answer: fn(&mut Node, &Value) -> Result<Value, RpcError> = match method {
        "getHealth" => health::get_health,
        "getNetwork" => health::get_network,
        "getVersionInfo" => health::get_version_info,
        "getLatestLedger" => ledgers::get_latest_ledger,
        "getLedgers" => ledgers::get_ledgers,
        "getLedgerEntries" => ledger_entries::get_ledger_entries,
        "getFeeStats" => fee_stats::get_fee_stats,
        "simulateTransaction" => simulate::simulate_transaction,
        "getTransaction" => transactions::get_transaction,
        "getTransactions" => transactions::get_transactions,
        "getEvents" => events::get_events,
        _ => return Err(RpcError::method_not_found(method)),
    };
    if node.faults.strikes(Fault::Unavailable) {
        return Ok(Outcome::Unavailable);
    }
    answer(node, params).map(Outcome::Result)
}
