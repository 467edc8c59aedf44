//! The side channel under `/localnet/`: what scripts and other processes use to drive the network.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use soroban_env_host::xdr::{LedgerEntry, LedgerEntryData, LedgerEntryExt};

use crate::config::CloseMode;
use crate::faults::{Fault, FaultPlan, Magnitudes, Profile, Trigger, UnknownProfile};
use crate::friendbot::Answer;
use crate::node::Node;

/// Answers a request to `/localnet/{path}`.
pub(crate) fn handle(node: &mut Node, method: &str, path: &str, body: &[u8]) -> Answer {
    let answered = match (method, path) {
        ("GET", "status") => Ok(status(node)),
        ("POST", "close") => read(body).and_then(|Close { ledgers }| {
            node.close_many(ledgers)
                .map_err(|error| error.to_string())?;
            Ok(status(node))
        }),
        ("POST", "advance") => read(body).and_then(|Advance { seconds }| {
            node.advance(seconds).map_err(|error| error.to_string())?;
            Ok(status(node))
        }),
        ("GET", "faults") => Ok(faults(node)),
        ("POST", "faults") => read(body).and_then(|change| set_faults(node, change)),
        ("DELETE", "faults") => {
            node.faults.clear();
            Ok(faults(node))
        }
        ("POST", "entries") => read(body).and_then(|Entries { entries }| {
            put_entries(node, entries)?;
            Ok(status(node))
        }),
        ("POST", "save") => node
            .save()
            .map(|path| json!({"saved": path}))
            .map_err(|error| error.to_string()),
        _ => {
            return (
                404,
                json!({"error": format!(
                    "there is no {method} /localnet/{path}; there are GET status, POST close, \
                     POST advance, GET, POST and DELETE faults, POST entries, POST save"
                )}),
            );
        }
    };
    match answered {
        Ok(answer) => (200, answer),
        Err(error) => (400, json!({"error": error})),
    }
}

/// Reads a body; an empty one is `{}`.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let body: &[u8] = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Close {
    #[serde(default = "one")]
    ledgers: u32,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    seconds: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultChange {
    #[serde(default)]
    profile: Option<String>,
    #[serde(default)]
    triggers: BTreeMap<Fault, Trigger>,
    #[serde(default)]
    magnitudes: Option<Magnitudes>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    entries: Vec<EntryText>,
}

/// An entry in the JSON form of its XDR.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryText {
    data: LedgerEntryData,
    #[serde(default)]
    live_until: Option<u32>,
}

fn set_faults(node: &mut Node, change: FaultChange) -> Result<Value, String> {
    if let Some(profile) = change.profile {
        let profile: Profile = profile
            .parse()
            .map_err(|error: UnknownProfile| error.to_string())?;
        node.faults.clear();
        node.faults.update(FaultPlan::profile(profile));
    }
    node.faults.update(FaultPlan {
        triggers: change.triggers,
        magnitudes: change.magnitudes.unwrap_or(node.faults.plan.magnitudes),
    });
    Ok(faults(node))
}

fn put_entries(node: &mut Node, texts: Vec<EntryText>) -> Result<(), String> {
    let last_modified_ledger_seq = node.ledger.latest();
    let entries = texts
        .into_iter()
        .map(|EntryText { data, live_until }| {
            let entry = LedgerEntry {
                last_modified_ledger_seq,
                data,
                ext: LedgerEntryExt::V0,
            };
            (entry, live_until)
        })
        .collect();
    node.put_entries(entries).map_err(|error| error.to_string())
}

fn faults(node: &Node) -> Value {
    json!({"plan": node.faults.plan, "struck": node.faults.struck()})
}

fn status(node: &Node) -> Value {
    let chain = &node.ledger.chain;
    let close = match node.close_mode {
        CloseMode::OnDemand => "on demand".to_owned(),
        CloseMode::AtOnce => "at once".to_owned(),
        CloseMode::Every { seconds } => format!("every {seconds} seconds"),
    };
    json!({
        "latestLedger": chain.latest(),
        "latestLedgerCloseTime": chain.latest_time(),
        "oldestLedger": chain.oldest(),
        "now": node.clock.now(),
        "closes": close,
        "pending": node.queue.len(),
        "struck": node.faults.struck(),
    })
}
