//! `getHealth`, `getNetwork`, `getVersionInfo`.

use serde_json::{Value, json};

use super::RpcError;
use crate::config::CloseMode;
use crate::limits::PROTOCOL_VERSION;
use crate::node::Node;

/// Seconds without a ledger after which a node that closes them by itself calls itself ill.
const MAX_LATENCY_SECONDS: u64 = 30;

pub(super) fn get_health(node: &mut Node, _: &Value) -> Result<Value, RpcError> {
    let view = node.view();
    let latency = node
        .clock
        .now()
        .saturating_sub(node.ledger.chain.latest_time());
    let closes_regularly = matches!(node.close_mode, CloseMode::Every { .. });
    if closes_regularly && latency > MAX_LATENCY_SECONDS {
        return Err(RpcError::internal(format!(
            "latency ({latency}s) since last known ledger closed is too high \
             (>{MAX_LATENCY_SECONDS}s)"
        )));
    }
    Ok(json!({
        "status": "healthy",
        "latestLedger": view.latest,
        "latestLedgerCloseTime": node.close_time(view.latest),
        "oldestLedger": view.oldest,
        "oldestLedgerCloseTime": node.close_time(view.oldest),
        "ledgerRetentionWindow": node.ledger.chain.window(),
    }))
}

#[allow(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(super) fn get_network(node: &mut Node, _: &Value) -> Result<Value, RpcError> {
    Ok(json!({
        "friendbotUrl": node.friendbot_url,
        "passphrase": node.ledger.network.passphrase(),
        "protocolVersion": PROTOCOL_VERSION,
    }))
}

#[allow(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(super) fn get_version_info(_: &mut Node, _: &Value) -> Result<Value, RpcError> {
    Ok(json!({
        "version": concat!(env!("CARGO_PKG_VERSION"), "-localnet"),
        "commitHash": "",
        "buildTimestamp": "",
        "captiveCoreVersion": "none: this is a local ledger, not a validator",
        "protocolVersion": PROTOCOL_VERSION,
    }))
}
