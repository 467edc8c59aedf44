//! `getLedgerEntries`.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use soroban_env_host::ledger_info::get_key_durability;
use soroban_env_host::xdr::{ContractDataDurability, LedgerKey};

use super::params::{self, format};
use super::{RpcError, wire};
use crate::node::Node;

/// Keys that one request may ask for.
const MAX_KEYS: usize = 200;
/// Bytes of a ledger key that is read from a client.
const MAX_KEY_BYTES: usize = 16 * 1024;

#[derive(Default, Deserialize)]
struct Request {
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default, rename = "xdrFormat")]
    xdr_format: Option<String>,
}

pub(super) fn get_ledger_entries(node: &mut Node, params: &Value) -> Result<Value, RpcError> {
    let request: Request = params::read(params)?;
    let format = format(request.xdr_format.as_deref())?;
    if request.keys.len() > MAX_KEYS {
        return Err(RpcError::invalid_params(format!(
            "key count ({}) exceeds maximum supported ({MAX_KEYS})",
            request.keys.len()
        )));
    }
    let mut keys = Vec::with_capacity(request.keys.len());
    for (index, text) in request.keys.iter().enumerate() {
        let key: LedgerKey = wire::from_base64(text, MAX_KEY_BYTES).ok_or_else(|| {
            RpcError::invalid_params(format!(
                "cannot unmarshal key value {text} at index {index}"
            ))
        })?;
        if matches!(key, LedgerKey::Ttl(_)) {
            return Err(RpcError::invalid_params(
                "ledger ttl entries cannot be queried directly",
            ));
        }
        keys.push(key);
    }
    if keys.iter().collect::<BTreeSet<_>>().len() != keys.len() {
        return Err(RpcError::internal("the same key was asked for twice"));
    }
    let view = node.view();
    let mut entries = Vec::new();
    for key in &keys {
        let Some(stored) = node.ledger.state.get_at(key, view.latest) else {
            continue;
        };
        let live = stored.is_live(view.latest);
        if !live && get_key_durability(key) == Some(ContractDataDurability::Temporary) {
            continue;
        }
        let mut entry = Map::new();
        match format {
            params::Format::Base64 => {
                entry.insert("key".to_owned(), wire::value(key, format));
                entry.insert("xdr".to_owned(), wire::value(&stored.entry.data, format));
                entry.insert("extXdr".to_owned(), wire::value(&stored.entry.ext, format));
            }
            params::Format::Json => {
                entry.insert("keyJson".to_owned(), wire::value(key, format));
                entry.insert(
                    "dataJson".to_owned(),
                    wire::value(&stored.entry.data, format),
                );
                entry.insert("extJson".to_owned(), wire::value(&stored.entry.ext, format));
            }
        }
        entry.insert(
            "lastModifiedLedgerSeq".to_owned(),
            json!(stored.entry.last_modified_ledger_seq),
        );
        if let Some(ttl) = stored.ttl {
            // Archived entries are found, with a life that is over.
            let live_until = if live { ttl.live_until } else { 0 };
            entry.insert("liveUntilLedgerSeq".to_owned(), json!(live_until));
        }
        entries.push(Value::Object(entry));
    }
    Ok(json!({"entries": entries, "latestLedger": view.latest}))
}
