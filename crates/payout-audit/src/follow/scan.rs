//! Events into the archive: every ledger once, page by page.

use payout_engine::rpc::{Event, EventFilter, Events, EventsFrom, RpcError};
use payout_keys::Recipient;
use stellar_xdr::{ScSymbol, ScVal};

use super::evidence::{self, Found};
use super::nodes::{Node, Window, pause};
use super::{FollowError, Nodes};
use crate::archive::{Archive, Gap, Page, RawEvent, RawTx};
use crate::model::{EventId, Subject, encoded};

/// Rounds without progress before following ends.
const ROUNDS: u32 = 10;

/// What to follow.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The first ledger of a new archive; without it, the oldest that a node has.
    pub from: Option<u32>,
    /// The ledger that has to be reached.
    pub to: u32,
    /// Events a page.
    pub page: u32,
}

/// What was added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Followed {
    /// Pages.
    pub pages: u64,
    /// Events.
    pub events: u64,
    /// Ranges that no node could give.
    pub gaps: Vec<(u32, u32)>,
}

/// Follows until `plan.to` is read or given up.
///
/// # Errors
/// [`FollowError`]. What was written before is whole, and the next call goes on behind it.
pub async fn follow(
    archive: &mut Archive,
    nodes: &Nodes,
    subject: &Subject,
    plan: Plan,
) -> Result<Followed, FollowError> {
    anchored(archive, nodes).await?;
    let filters = filters(subject)?;
    let mut followed = Followed::default();
    let mut rounds = 0;
    loop {
        let windows = nodes.windows().await?;
        let oldest = windows
            .iter()
            .map(|window| window.oldest)
            .min()
            .unwrap_or(0);
        // Ledger 1 is the network's first and holds no transaction; no node gives it.
        let first = |oldest: u32| if oldest <= 2 { 1 } else { oldest };
        let next = archive
            .next()
            .or(plan.from)
            .unwrap_or_else(|| first(oldest));
        if next > plan.to {
            return Ok(followed);
        }
        let has = |window: &Window| first(window.oldest) <= next && window.latest >= next;
        let order: Vec<(&Node, &Window)> = nodes
            .all()
            .iter()
            .zip(&windows)
            .filter(|(_, window)| has(window))
            .collect();
        if order.is_empty() {
            if first(oldest) > next {
                let gap = Gap {
                    from: next,
                    to: (first(oldest) - 1).min(plan.to),
                };
                archive.gap(gap)?;
                followed.gaps.push((gap.from, gap.to));
                continue;
            }
            rounds += 1;
            if rounds >= ROUNDS {
                let latest = windows
                    .iter()
                    .map(|window| window.latest)
                    .max()
                    .unwrap_or(0);
                return Err(FollowError::Behind {
                    wanted: next,
                    latest,
                });
            }
            pause(rounds).await;
            continue;
        }
        let turn = usize::try_from(rounds).unwrap_or(0) % order.len();
        let Some((node, window)) = order.get(turn) else {
            continue;
        };
        let start = next.max(window.oldest);
        let scan = Scan {
            archive,
            node,
            nodes,
            filters: &filters,
            plan,
        };
        match scan.run(next, start, &mut followed).await {
            Ok(progress) if progress => rounds = 0,
            Ok(_) => rounds += 1,
            Err(error @ FollowError::Unreachable { .. }) => {
                rounds += 1;
                if rounds >= ROUNDS {
                    return Err(error);
                }
            }
            Err(error) => return Err(error),
        }
        if rounds > 0 {
            pause(rounds).await;
        }
    }
}

/// Whether the nodes have the same past as the archive, where they remember it. One of them has to be
/// as far as the archive is.
async fn anchored(archive: &Archive, nodes: &Nodes) -> Result<(), FollowError> {
    let Some(reached) = archive.next().and_then(|next| next.checked_sub(1)) else {
        return Ok(());
    };
    let mut tries = 0;
    let windows = loop {
        let windows = nodes.windows().await?;
        let latest = windows
            .iter()
            .map(|window| window.latest)
            .max()
            .unwrap_or(0);
        if latest >= reached {
            break windows;
        }
        tries += 1;
        if tries >= ROUNDS {
            return Err(FollowError::Behind {
                wanted: reached,
                latest,
            });
        }
        pause(tries).await;
    };
    let Some((ledger, archived)) = archive.anchor() else {
        return Ok(());
    };
    for (node, window) in nodes.all().iter().zip(windows) {
        if !(window.oldest..=window.latest).contains(&ledger) {
            continue;
        }
        let found = node
            .ask(async |client| client.closed_ledger(ledger).await)
            .await?
            .hash;
        if found != archived {
            return Err(FollowError::OtherHistory {
                ledger,
                archived: archived.to_owned(),
                found: found.chars().take(64).collect(),
                node: node.host.clone(),
            });
        }
    }
    Ok(())
}

/// All events of the contract, and those of the token that name it as a side.
pub(super) fn filters(subject: &Subject) -> Result<Vec<EventFilter>, FollowError> {
    let contract = |why: String| FollowError::Contract {
        contract: subject.contract.to_string(),
        why,
    };
    let Recipient::Contract(id) = subject.party() else {
        return Err(contract("it is no contract".to_owned()));
    };
    let us = ScVal::Address(stellar_xdr::ScAddress::Contract(stellar_xdr::ContractId(
        stellar_xdr::Hash(id),
    )));
    let us = encoded(&us).map_err(|error| contract(error.to_string()))?;
    let [any, rest] = ["*".to_owned(), "**".to_owned()];
    Ok(vec![
        EventFilter {
            contract_ids: vec![subject.contract.to_string()],
            topics: Vec::new(),
        },
        EventFilter {
            contract_ids: vec![subject.token.to_string()],
            topics: vec![
                vec![any.clone(), us.clone(), rest.clone()],
                vec![any.clone(), any, us, rest],
            ],
        },
    ])
}

struct Scan<'a> {
    archive: &'a mut Archive,
    node: &'a Node,
    nodes: &'a Nodes,
    filters: &'a [EventFilter],
    plan: Plan,
}

impl Scan<'_> {
    /// Reads from one node until the plan is fulfilled, it has no more, or it fails. Whether anything
    /// was written.
    async fn run(
        mut self,
        mut next: u32,
        start: u32,
        followed: &mut Followed,
    ) -> Result<bool, FollowError> {
        let mut from = EventsFrom::Ledger(start);
        let mut waiting: Vec<Event> = Vec::new();
        let mut last = None;
        let mut progress = false;
        while next <= self.plan.to {
            let asked = self
                .node
                .client
                .events_of_any(&from, self.filters, self.plan.page)
                .await;
            let page = match asked {
                Ok(page) => page,
                // The window has moved, or the node is behind what it said: the windows are read anew.
                Err(RpcError::Rpc { .. }) if progress => return Ok(true),
                Err(source) => {
                    return Err(FollowError::Unreachable {
                        node: self.node.host.clone(),
                        source,
                    });
                }
            };
            let whole = plausible(self.node, &page, self.plan.page, start, &mut last)?;
            let moved = matches!(&from, EventsFrom::Cursor(cursor) if *cursor == page.cursor);
            from = EventsFrom::Cursor(page.cursor);
            let latest = page.latest_ledger;
            waiting.extend(page.events);
            if whole >= next {
                let later = waiting.partition_point(|event| event.ledger <= whole);
                let rest = waiting.split_off(later);
                self.write(next, whole, latest, &waiting).await?;
                followed.pages += 1;
                followed.events += u64::try_from(waiting.len()).unwrap_or(0);
                waiting = rest;
                next = whole.saturating_add(1);
                progress = true;
            } else if moved {
                // Nothing new: the node has no more at present.
                return Ok(progress);
            }
        }
        Ok(progress)
    }

    async fn write(
        &mut self,
        from: u32,
        to: u32,
        latest: u32,
        events: &[Event],
    ) -> Result<(), FollowError> {
        let hash = self
            .node
            .ask(async |client| match client.closed_ledger(to).await {
                Ok(ledger) => Ok(ledger.hash),
                // A ledger whose contents are too large to be sent has no hash here.
                Err(RpcError::TooLarge(_) | RpcError::Rpc { .. }) => Ok(String::new()),
                Err(error) => Err(error),
            })
            .await?;
        let mut found: Vec<(usize, usize, Option<Found>)> = Vec::new();
        let mut at = 0;
        while let Some(first) = events.get(at) {
            let count = events
                .get(at..)
                .unwrap_or_default()
                .iter()
                .take_while(|event| event.tx_hash == first.tx_hash && event.ledger == first.ledger)
                .count();
            let group = events.get(at..at + count).unwrap_or_default();
            let ours = self
                .filters
                .first()
                .and_then(|filter| filter.contract_ids.first());
            let evidence = if group.iter().any(|event| Some(&event.contract_id) == ours) {
                evidence::find(self.node, self.nodes, group).await?
            } else {
                None
            };
            found.push((at, count, evidence));
            at += count;
        }
        let transactions = found
            .iter()
            .filter_map(|(at, count, evidence)| {
                let group = events.get(*at..at + count)?;
                let first = group.first()?;
                Some(RawTx {
                    hash: &first.tx_hash,
                    ledger: first.ledger,
                    closed: &first.ledger_closed_at,
                    evidence: evidence.as_ref().map(Found::raw),
                    events: group.iter().map(raw).collect(),
                })
            })
            .collect();
        self.archive.page(Page {
            from,
            to,
            latest: latest.max(to),
            node: &self.node.host,
            ledger_hash: &hash,
            transactions,
        })?;
        Ok(())
    }
}

fn raw(event: &Event) -> RawEvent<'_> {
    RawEvent {
        id: &event.id,
        contract: &event.contract_id,
        system: event.kind == "system",
        topics: event.topic.iter().map(String::as_str).collect(),
        value: &event.value,
    }
}

/// Checks a page against the protocol and returns the last ledger that it completes.
pub(super) fn plausible(
    node: &Node,
    page: &Events,
    limit: u32,
    start: u32,
    last: &mut Option<EventId>,
) -> Result<u32, FollowError> {
    if page.events.len() > usize::try_from(limit).unwrap_or(usize::MAX) {
        return Err(node.lying(format!(
            "{} events where {limit} were asked for",
            page.events.len()
        )));
    }
    for event in &page.events {
        let id: EventId = event
            .id
            .parse()
            .map_err(|_| node.lying(format!("event id {:?}", event.id)))?;
        if id.ledger() != event.ledger || event.ledger < start || event.ledger > page.latest_ledger
        {
            return Err(node.lying(format!("event {id} in ledger {}", event.ledger)));
        }
        if last.is_some_and(|last| id <= last) {
            return Err(node.lying(format!("event {id} again, or behind a later one")));
        }
        if event.kind != "contract" && event.kind != "system" {
            return Err(node.lying(format!("event {id} of type {:?}", event.kind)));
        }
        *last = Some(id);
    }
    let cursor: EventId = page
        .cursor
        .parse()
        .map_err(|_| node.lying(format!("cursor {:?}", page.cursor)))?;
    if last.is_some_and(|last| cursor < last) {
        return Err(node.lying(format!("cursor {cursor} before an event that it gave")));
    }
    let end_of_ledger = cursor.place & u64::from(u32::MAX) == u64::from(u32::MAX);
    let whole = if end_of_ledger {
        cursor.ledger()
    } else {
        cursor.ledger().saturating_sub(1)
    };
    if whole > page.latest_ledger {
        return Err(node.lying(format!(
            "everything up to ledger {whole}, being at ledger {}",
            page.latest_ledger
        )));
    }
    Ok(whole)
}

/// A symbol, for keys of entries.
pub(super) fn symbol(text: &str) -> Option<ScVal> {
    Some(ScVal::Symbol(ScSymbol(text.try_into().ok()?)))
}
