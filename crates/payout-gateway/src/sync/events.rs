//! Follows a contract's events: they wake the orders they are about, and show payouts that no order
//! here stands for.

use payout_engine::rpc::{Client, Event, EventFilter, EventsFrom, RpcError};
use payout_keys::KeyForm;
use payout_keys::{IdempotencyKey, ProgramId};
use serde_json::json;
use stellar_xdr::{Limits, ReadXdr, ScVal};

use crate::audit::Entry;
use crate::chain::Program;
use crate::control::evidence::{field, integer};
use crate::store::findings::Finding;
use crate::store::programs::ChainEvent;
use crate::store::{Store, StoreError};

const PAGE: u32 = 1_000;
/// Pages of one look; more are read at the next.
const PAGES: usize = 20;
/// A JSON-RPC answer to a ledger or cursor that the node has no more.
const OUTSIDE: i64 = -32_600;

const LIMITS: Limits = Limits {
    depth: 100,
    len: 64 * 1024,
};

/// Why events were not followed.
#[derive(Debug, thiserror::Error)]
pub(super) enum FollowError {
    #[error("events could not be read: {0}")]
    Rpc(#[from] RpcError),
    #[error("events could not be stored: {0}")]
    Store(#[from] StoreError),
    #[error("events of {0} ledgers are still to be read")]
    Behind(u32),
    #[error("the node is at ledger {node}, and ledger {known} is known")]
    Lagging { node: u32, known: u32 },
}

/// Reads what there is of new events. Gives how many ledgers are still to be read: none.
pub(super) async fn follow(
    store: &Store,
    program: &Program,
    node: &Client,
) -> Result<u32, FollowError> {
    let id = program.id.as_str();
    let Some(followed) = store.followed(id).await? else {
        return Ok(0);
    };
    let mut from = match followed.cursor {
        Some(cursor) => EventsFrom::Cursor(cursor),
        None => EventsFrom::Ledger(followed.ledger.saturating_add(1)),
    };
    let filter = EventFilter {
        contract_ids: vec![program.deployment.contract.to_string()],
        topics: Vec::new(),
    };
    for _ in 0..PAGES {
        let page = match node.events(&from, None, &filter, PAGE).await {
            Ok(page) => page,
            Err(RpcError::Rpc { code: OUTSIDE, .. }) => {
                let latest = node.latest_ledger().await?.sequence;
                if latest <= followed.ledger {
                    return Err(FollowError::Lagging {
                        node: latest,
                        known: followed.ledger,
                    });
                }
                let oldest = node.health().await?.oldest_ledger;
                missed(store, id, followed.ledger, oldest).await?;
                from = EventsFrom::Ledger(oldest);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let events: Vec<ChainEvent> = page.events.iter().filter_map(read).collect();
        let full = page.events.len() >= PAGE as usize;
        let scanned = ledger_of(&page.cursor).unwrap_or(followed.ledger);
        let unknown = store
            .add_events(
                id,
                &events,
                Some(&page.cursor),
                scanned.min(page.latest_ledger),
            )
            .await?;
        forgotten(store, &program.id, &unknown).await?;
        if !full && scanned >= page.latest_ledger {
            return Ok(0);
        }
        from = EventsFrom::Cursor(page.cursor);
    }
    let at = store.followed(id).await?.map_or(0, |now| now.ledger);
    let latest = node.latest_ledger().await?.sequence;
    Err(FollowError::Behind(latest.saturating_sub(at)))
}

/// The ledger up to which a cursor has read.
fn ledger_of(cursor: &str) -> Option<u32> {
    let toid: u64 = cursor.split('-').next()?.parse().ok()?;
    u32::try_from(toid >> 32).ok()
}

fn read(event: &Event) -> Option<ChainEvent> {
    let value = |text: &String| ScVal::from_xdr_base64(text, LIMITS).ok();
    let [name, key, ..] = event.topic.as_slice() else {
        return None;
    };
    let ScVal::Symbol(name) = value(name)? else {
        return None;
    };
    let kind = ["BatchPay", "Payout", "IdmVoid", "IdmConfl"]
        .into_iter()
        .find(|known| known.as_bytes() == name.0.as_slice())?;
    let ScVal::String(key) = value(key)? else {
        return None;
    };
    let data = value(&event.value)?;
    let total = field(&data, "total_amount").or_else(|| field(&data, "amount"));
    Some(ChainEvent {
        event_id: event.id.clone(),
        kind: kind.to_owned(),
        chain_key: String::from_utf8(key.0.to_vec()).ok()?,
        ledger: event.ledger,
        transaction_hash: event.tx_hash.clone(),
        total: total.and_then(integer).map(|total| total.to_string()),
    })
}

/// Whether a key is one that a gateway derives for this program.
fn ours(program: &ProgramId, key: &str) -> bool {
    let form = IdempotencyKey::new(key).map(|key| key.form());
    matches!(form, Ok(KeyForm::Gateway { program: of, .. }) if of == *program)
}

/// A gateway's payouts that nothing here was signed for: this database is older than the chain, or
/// another gateway pays from the same contract.
async fn forgotten(
    store: &Store,
    program: &ProgramId,
    unknown: &[ChainEvent],
) -> Result<(), StoreError> {
    let payouts: Vec<&ChainEvent> = unknown
        .iter()
        .filter(|event| ours(program, &event.chain_key))
        .collect();
    let (Some(first), Some(last)) = (payouts.first(), payouts.last()) else {
        return Ok(());
    };
    let names: Vec<&str> = payouts
        .iter()
        .map(|event| event.chain_key.as_str())
        .collect();
    tracing::error!(
        program = %program,
        keys = payouts.len(),
        "the chain has payouts of a gateway that this database does not know"
    );
    let mut tx = store.begin().await?;
    Entry::new("restore_detected", "system", program.as_str())
        .detail("first_ledger", first.ledger)
        .detail("last_ledger", last.ledger)
        .detail("chain_keys", json!(names))
        .record(&mut tx)
        .await?;
    tx.commit().await
}

/// The node has forgotten ledgers whose events were not read. Reconciliation reads the records.
async fn missed(store: &Store, program: &str, known: u32, oldest: u32) -> Result<(), StoreError> {
    let finding = Finding {
        kind: "events_missed",
        subject: format!("{}-{}", known.saturating_add(1), oldest.saturating_sub(1)),
        detail: "the node has forgotten these ledgers before their events were read; the records \
                 of all orders are read all the same"
            .to_owned(),
    };
    let at = crate::clock::now();
    let mut tx = store.begin().await?;
    store.raise(&mut tx, program, &finding, at).await?;
    tx.commit().await
}
