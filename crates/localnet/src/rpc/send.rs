//! `sendTransaction`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use soroban_env_host::xdr::TransactionEnvelope;

use super::params::{self, format};
use super::{Outcome, RpcError, wire};
use crate::node::{Answer, Delivery, Node, Status};

/// Bytes of an envelope that is read from a client.
pub(super) const MAX_ENVELOPE_BYTES: usize = 1024 * 1024;

#[derive(Default, Deserialize)]
struct Request {
    #[serde(default)]
    transaction: String,
    #[serde(default, rename = "xdrFormat")]
    xdr_format: Option<String>,
}

pub(super) fn send_transaction(node: &mut Node, params: &Value) -> Result<Outcome, RpcError> {
    let request: Request = params::read(params)?;
    let format = format(request.xdr_format.as_deref())?;
    let envelope: TransactionEnvelope = wire::from_base64(&request.transaction, MAX_ENVELOPE_BYTES)
        .ok_or_else(|| RpcError::invalid_params("invalid_xdr"))?;
    let delivery = node
        .send(envelope)
        .map_err(|_| RpcError::invalid_params("invalid_xdr"))?;
    Ok(match delivery {
        Delivery::GatewayTimeout => Outcome::GatewayTimeout,
        Delivery::Dropped => Outcome::Dropped,
        Delivery::Answer(answer) => Outcome::Result(written(&answer, format)),
    })
}

fn written(answer: &Answer, format: params::Format) -> Value {
    let status = match answer.status {
        Status::Pending => "PENDING",
        Status::Duplicate => "DUPLICATE",
        Status::TryAgainLater => "TRY_AGAIN_LATER",
        Status::Error => "ERROR",
    };
    let mut fields = Map::new();
    fields.insert("status".to_owned(), json!(status));
    fields.insert("hash".to_owned(), json!(hex::encode(answer.hash)));
    fields.insert("latestLedger".to_owned(), json!(answer.latest));
    fields.insert(
        "latestLedgerCloseTime".to_owned(),
        wire::text(answer.latest_close_time),
    );
    if let Some(result) = &answer.error {
        wire::put(&mut fields, "errorResult", result, format);
        if !answer.diagnostics.is_empty() {
            wire::put_list(&mut fields, "diagnosticEvents", &answer.diagnostics, format);
        }
    }
    Value::Object(fields)
}
