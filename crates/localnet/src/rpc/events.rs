//! `getEvents`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use soroban_env_host::xdr::{ContractEventBody, ContractEventType};

use super::event_filter::{self, Filter, FilterText};
use super::params::{self, Format, Pagination, format};
use super::{RpcError, wire};
use crate::faults::Fault;
use crate::ledger::history::EventRecord;
use crate::node::{Node, View};

/// Events on a page, unless told otherwise, and at most.
const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 10_000;
/// Ledgers that one call looks through.
const MAX_SCAN: u32 = 10_000;

#[derive(Default, Deserialize)]
struct Request {
    #[serde(default, rename = "startLedger")]
    start_ledger: Option<u32>,
    #[serde(default, rename = "endLedger")]
    end_ledger: Option<u32>,
    #[serde(default)]
    filters: Option<Vec<FilterText>>,
    #[serde(default)]
    pagination: Option<Pagination>,
    #[serde(default, rename = "xdrFormat")]
    xdr_format: Option<String>,
}

/// A place among all events. Reading goes on behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cursor {
    /// Ledger, transaction and operation.
    place: u64,
    event: u32,
}

impl Cursor {
    fn of(seq: u32, event: &EventRecord<'_>) -> Self {
        Self {
            place: u64::from(seq) << 32
                | u64::from(event.tx_index) << 12
                | u64::from(event.op_index),
            event: event.event_index,
        }
    }

    /// Behind everything in ledger `seq`.
    fn end_of(seq: u32) -> Self {
        Self {
            place: u64::from(seq) << 32 | u64::from(u32::MAX),
            event: u32::MAX,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (place, event) = text.split_once('-')?;
        Some(Self {
            place: place.parse().ok()?,
            event: event.parse().ok()?,
        })
    }

    fn text(self) -> String {
        format!("{:019}-{:010}", self.place, self.event)
    }

    /// The ledger it lies in. Even where nothing of it is left to be read, reading goes on there.
    fn ledger(self) -> u32 {
        u32::try_from(self.place >> 32).unwrap_or(u32::MAX)
    }
}

pub(super) fn get_events(node: &mut Node, params: &Value) -> Result<Value, RpcError> {
    let request: Request = params::read(params)?;
    let format = format(request.xdr_format.as_deref())?;
    let filters = event_filter::read(request.filters.as_deref().unwrap_or_default())?;
    let pagination = request.pagination.as_ref();
    let limit = pagination.map_or(Ok(DEFAULT_LIMIT), |page| {
        page.limit(DEFAULT_LIMIT, MAX_LIMIT)
    })?;
    let cursor = match pagination.and_then(Pagination::cursor) {
        Some(text) => Some(Cursor::parse(text).ok_or_else(|| {
            RpcError::invalid_params(format!("cursor '{text}' has not the form of an event id"))
        })?),
        None => None,
    };
    check_range(&request, cursor)?;
    let view = node.view();
    let first = first_ledger(&request, cursor, view)?;
    let end = request
        .end_ledger
        .filter(|end| *end > 0)
        .unwrap_or(u32::MAX);
    let mut last = first
        .saturating_add(MAX_SCAN - 1)
        .min(view.latest)
        .min(end.saturating_sub(1));
    let wanted = |seq: u32, event: &EventRecord<'_>| {
        cursor.is_none_or(|cursor| Cursor::of(seq, event) > cursor) && is_wanted(event, &filters)
    };
    let speaking = node
        .ledger
        .history
        .range(first, last)
        .find(|(seq, record)| record.events().iter().any(|event| wanted(*seq, event)))
        .map(|(seq, _)| seq);
    // A scan can end before the first ledger that has something to say, but never before the ledger
    // it begins in: there the fault cannot strike.
    if speaking != Some(first) && node.faults.strikes(Fault::EmptyEventPage) {
        last = last.min(speaking.map_or(first, |seq| seq.saturating_sub(1)));
    }
    let history = &node.ledger.history;
    let mut events = Vec::new();
    let mut next = Cursor::end_of(last);
    'scan: for (seq, record) in history.range(first, last) {
        for event in record.events() {
            let place = Cursor::of(seq, &event);
            if !wanted(seq, &event) {
                continue;
            }
            events.push(written(node, seq, &event, place, format));
            if events.len() >= limit {
                next = place;
                break 'scan;
            }
        }
    }
    Ok(json!({
        "events": events,
        "cursor": cursor.map_or(next, |cursor| cursor.max(next)).text(),
        "latestLedger": view.latest,
        "oldestLedger": view.oldest,
        "latestLedgerCloseTime": wire::text(node.close_time(view.latest)),
        "oldestLedgerCloseTime": wire::text(node.close_time(view.oldest)),
    }))
}

fn check_range(request: &Request, cursor: Option<Cursor>) -> Result<(), RpcError> {
    let start = request.start_ledger.unwrap_or(0);
    let end = request.end_ledger.unwrap_or(0);
    if cursor.is_some() {
        if start != 0 || end != 0 {
            return Err(RpcError::invalid_params(
                "ledger ranges and cursor cannot both be set",
            ));
        }
        return Ok(());
    }
    if start == 0 {
        return Err(RpcError::invalid_params("startLedger must be positive"));
    }
    if end != 0 && end < start {
        return Err(RpcError::invalid_params(
            "endLedger must be after or the same as startLedger",
        ));
    }
    Ok(())
}

fn first_ledger(request: &Request, cursor: Option<Cursor>, view: View) -> Result<u32, RpcError> {
    let first = cursor.map_or(request.start_ledger.unwrap_or(0), Cursor::ledger);
    if first < view.oldest || first > view.latest {
        return Err(RpcError::invalid_request(format!(
            "startLedger must be within the ledger range: {} - {}",
            view.oldest, view.latest
        )));
    }
    Ok(first)
}

fn is_wanted(event: &EventRecord<'_>, filters: &[Filter]) -> bool {
    filters.is_empty() || filters.iter().any(|filter| filter.matches(event.event))
}

fn written(node: &Node, seq: u32, event: &EventRecord<'_>, place: Cursor, format: Format) -> Value {
    let ContractEventBody::V0(body) = &event.event.body;
    let kind = match event.event.type_ {
        ContractEventType::System => "system",
        ContractEventType::Contract => "contract",
        ContractEventType::Diagnostic => "diagnostic",
    };
    let contract = event
        .event
        .contract_id
        .as_ref()
        .map(|id| stellar_strkey::Contract(id.0.0).to_string().to_string())
        .unwrap_or_default();
    let mut fields = Map::new();
    for (name, value) in [
        ("type", json!(kind)),
        ("ledger", json!(seq)),
        ("ledgerClosedAt", json!(wire::rfc3339(node.close_time(seq)))),
        ("contractId", json!(contract)),
        ("id", json!(place.text())),
        ("operationIndex", json!(event.op_index)),
        ("transactionIndex", json!(event.tx_index)),
        ("txHash", json!(hex::encode(event.tx.hash))),
        ("inSuccessfulContractCall", json!(true)),
    ] {
        fields.insert(name.to_owned(), value);
    }
    let topics = body.topics.iter().map(|topic| wire::value(topic, format));
    let (topic_name, value_name) = match format {
        Format::Base64 => ("topic", "value"),
        Format::Json => ("topicJson", "valueJson"),
    };
    fields.insert(topic_name.to_owned(), Value::Array(topics.collect()));
    fields.insert(value_name.to_owned(), wire::value(&body.data, format));
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_have_the_form_of_event_ids() {
        let end = Cursor::end_of(5);
        assert_eq!(end.text(), "0000000025769803775-4294967295");
        assert_eq!(Cursor::parse(&end.text()), Some(end));
        assert_eq!(end.ledger(), 5);
        assert_eq!(
            Cursor::parse("0000000021474840576-0000000001").map(Cursor::ledger),
            Some(5)
        );
        assert_eq!(Cursor::parse("21474840576"), None);
    }
}
