//! Filters of `getEvents`.

use serde::Deserialize;
use soroban_env_host::xdr::{
    ContractEvent, ContractEventBody, ContractEventType, ContractId, Hash, ScVal,
};

use super::{RpcError, wire};

/// Filters in one request; any of them may match.
const MAX_FILTERS: usize = 5;
/// Contracts in one filter.
const MAX_CONTRACTS: usize = 5;
/// Topic patterns in one filter.
const MAX_TOPICS: usize = 5;
/// Segments of a pattern, apart from a final `**`.
const MAX_SEGMENTS: usize = 4;
/// Bytes of a topic value that is read from a client.
const MAX_SEGMENT_BYTES: usize = 16 * 1024;

#[derive(Debug, Default, Deserialize)]
pub(super) struct FilterText {
    #[serde(default, rename = "type")]
    kinds: Option<String>,
    #[serde(default, rename = "contractIds")]
    contract_ids: Option<Vec<String>>,
    #[serde(default)]
    topics: Option<Vec<Vec<String>>>,
}

/// One filter: all it says must hold.
pub(super) struct Filter {
    kinds: Vec<ContractEventType>,
    contracts: Vec<ContractId>,
    topics: Vec<Pattern>,
}

struct Pattern {
    segments: Vec<Segment>,
    /// A final `**`: any further topics, or none.
    open_ended: bool,
}

enum Segment {
    Any,
    Exactly(Box<ScVal>),
}

/// Reads the filters of a request.
pub(super) fn read(texts: &[FilterText]) -> Result<Vec<Filter>, RpcError> {
    if texts.len() > MAX_FILTERS {
        return Err(RpcError::invalid_params(format!(
            "maximum {MAX_FILTERS} filters per request"
        )));
    }
    (1..)
        .zip(texts)
        .map(|(number, text)| {
            read_one(text)
                .map_err(|why| RpcError::invalid_params(format!("filter {number} invalid: {why}")))
        })
        .collect()
}

fn read_one(text: &FilterText) -> Result<Filter, String> {
    let kinds = text
        .kinds
        .as_deref()
        .unwrap_or_default()
        .split(',')
        .filter(|kind| !kind.is_empty())
        .map(|kind| match kind {
            "contract" => Ok(ContractEventType::Contract),
            "system" => Ok(ContractEventType::System),
            _ => Err(
                "filter type invalid: if set, type must be either 'system' or 'contract'"
                    .to_owned(),
            ),
        })
        .collect::<Result<_, _>>()?;
    let ids = text.contract_ids.as_deref().unwrap_or_default();
    if ids.len() > MAX_CONTRACTS {
        return Err(format!("maximum {MAX_CONTRACTS} contract IDs per filter"));
    }
    let contracts = (1..)
        .zip(ids)
        .map(|(number, id)| {
            stellar_strkey::Contract::from_string(id)
                .map(|contract| ContractId(Hash(contract.0)))
                .map_err(|_| format!("contract ID {number} invalid"))
        })
        .collect::<Result<_, _>>()?;
    let patterns = text.topics.as_deref().unwrap_or_default();
    if patterns.len() > MAX_TOPICS {
        return Err(format!("maximum {MAX_TOPICS} topics per filter"));
    }
    let topics = (1..)
        .zip(patterns)
        .map(|(number, segments)| {
            read_pattern(segments).map_err(|why| format!("topic {number} invalid: {why}"))
        })
        .collect::<Result<_, _>>()?;
    Ok(Filter {
        kinds,
        contracts,
        topics,
    })
}

fn read_pattern(texts: &[String]) -> Result<Pattern, String> {
    let open_ended = texts.last().is_some_and(|last| last == "**");
    let fixed = if open_ended {
        &texts[..texts.len() - 1]
    } else {
        texts
    };
    if texts.is_empty() {
        return Err("topic must have at least one segment".to_owned());
    }
    if fixed.len() > MAX_SEGMENTS {
        return Err(format!(
            "topic cannot have more than {MAX_SEGMENTS} segments"
        ));
    }
    let segments = (1..)
        .zip(fixed)
        .map(|(number, text)| match text.as_str() {
            "*" => Ok(Segment::Any),
            "**" => Err(format!(
                "segment {number} invalid: wildcard '**' is only allowed as the last segment"
            )),
            text => wire::from_base64(text, MAX_SEGMENT_BYTES)
                .map(|value| Segment::Exactly(Box::new(value)))
                .ok_or_else(|| {
                    format!("segment {number} invalid: '{text}' is no wildcard and no ScVal in XDR")
                }),
        })
        .collect::<Result<_, _>>()?;
    Ok(Pattern {
        segments,
        open_ended,
    })
}

impl Filter {
    pub(super) fn matches(&self, event: &ContractEvent) -> bool {
        let ContractEventBody::V0(body) = &event.body;
        let contract = event.contract_id.as_ref();
        (self.kinds.is_empty() || self.kinds.contains(&event.type_))
            && (self.contracts.is_empty()
                || contract.is_some_and(|contract| self.contracts.contains(contract)))
            && (self.topics.is_empty()
                || self
                    .topics
                    .iter()
                    .any(|pattern| pattern.matches(&body.topics)))
    }
}

impl Pattern {
    fn matches(&self, topics: &[ScVal]) -> bool {
        let enough = topics.len() >= self.segments.len();
        let fits = enough && (self.open_ended || topics.len() == self.segments.len());
        fits && self
            .segments
            .iter()
            .zip(topics)
            .all(|(segment, topic)| match segment {
                Segment::Any => true,
                Segment::Exactly(value) => value.as_ref() == topic,
            })
    }
}
