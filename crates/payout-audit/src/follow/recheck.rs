//! The archive against what nodes still remember of its range.

use std::collections::HashMap;
use std::path::Path;

use payout_engine::rpc::{Event, EventsFrom};
use sha2::{Digest, Sha256};

use super::scan::{filters, plausible};
use super::{FollowError, Nodes};
use crate::archive::{self, RawEvent, Record};
use crate::checks::Chain;
use crate::model::Subject;

/// Reads again, from every node, the ledgers of the archive that it still has, and notes in `chain`
/// every event that is there and not here, here and not there, or different.
///
/// # Errors
/// [`FollowError`].
pub async fn recheck(
    path: &Path,
    nodes: &Nodes,
    subject: &Subject,
    page: u32,
    chain: &mut Chain,
) -> Result<(), FollowError> {
    let filters = filters(subject)?;
    for (node, window) in nodes.all().iter().zip(nodes.windows().await?) {
        let mut archived: HashMap<String, [u8; 32]> = HashMap::new();
        let mut range: Option<(u32, u32)> = None;
        archive::read(path, |record, _, _| {
            if let Record::Page(page) = record {
                let from = page.from.max(window.oldest);
                if from <= page.to {
                    range = Some((range.map_or(from, |(first, _)| first), page.to));
                }
                for tx in &page.transactions {
                    for event in tx.events.iter().filter(|_| tx.ledger >= window.oldest) {
                        archived.insert(event.id.to_owned(), digest(event, tx.hash));
                    }
                }
            }
            Ok(())
        })?;
        let Some((from, to)) = range else { continue };
        let to = to.min(window.latest);
        let mut start = EventsFrom::Ledger(from);
        let mut last = None;
        let mut whole = 0;
        while whole < to {
            let answer = node
                .ask(async |client| client.events_of_any(&start, &filters, page).await)
                .await?;
            whole = plausible(node, &answer, page, from, &mut last)?;
            for event in answer.events.iter().filter(|event| event.ledger <= to) {
                let differs = match archived.remove(&event.id) {
                    None => Some("is not in the archive"),
                    Some(known) if known != digest_of(event) => {
                        Some("is another one in the archive")
                    }
                    Some(_) => None,
                };
                if let Some(how) = differs {
                    chain
                        .contradictions
                        .push(format!("event {} of node {} {how}", event.id, node.host));
                }
            }
            if matches!(&start, EventsFrom::Cursor(cursor) if *cursor == answer.cursor) {
                break;
            }
            start = EventsFrom::Cursor(answer.cursor);
        }
        let mut left: Vec<String> = archived.into_keys().collect();
        left.sort();
        for id in left {
            let ledger = id
                .parse::<crate::model::EventId>()
                .map_or(0, crate::model::EventId::ledger);
            if ledger <= whole {
                chain.contradictions.push(format!(
                    "event {id} of the archive is not at node {}",
                    node.host
                ));
            }
        }
    }
    Ok(())
}

fn digest_of(event: &Event) -> [u8; 32] {
    let raw = RawEvent {
        id: &event.id,
        contract: &event.contract_id,
        system: event.kind == "system",
        topics: event.topic.iter().map(String::as_str).collect(),
        value: &event.value,
    };
    digest(&raw, &event.tx_hash)
}

fn digest(event: &RawEvent<'_>, transaction: &str) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in [transaction, event.id, event.contract, event.value] {
        digest.update(part);
        digest.update([0, u8::from(event.system)]);
    }
    for topic in &event.topics {
        digest.update(topic);
        digest.update([0]);
    }
    digest.finalize().into()
}
