//! From the engine's answers to an order's state. `cancelled` and a final `rejected` come from the
//! contract's record, or from the engine's proof, and from nothing else.

use payout_engine::protocol::{Answer, Awaited, Knowledge, Obligation, Phase, Stop};
use payout_engine::{Record, RecordKind};
use serde_json::json;

use crate::audit::Entry;
use crate::states::State;
use crate::store::jobs::{Job, JobKind};
use crate::store::orders::{Change, Order, Paid};
use crate::store::{Store, StoreError, Write};

/// Why an outcome is unknown that the engine is still at.
pub(super) const AWAITED: &str = "awaited";

/// A final phase, and what it rests on.
pub(super) struct Verdict {
    pub(super) phase: Phase,
    pub(super) record: Option<Record>,
    pub(super) ledger: u32,
    /// Whether this database knew of anything signed for it.
    pub(super) ours: bool,
}

fn change(to: State, is_final: bool, reason: Option<&'static str>, why: Option<String>) -> Change {
    Change {
        to,
        is_final,
        reason,
        explanation: why,
        paid: None,
    }
}

/// What the contract's record, or its proven absence, makes of an order.
fn decided(order: &Order, verdict: &Verdict) -> Option<Change> {
    let paid_us = |record: &Record| {
        matches!(record.kind, RecordKind::Single | RecordKind::Batch)
            && record.fingerprint == order.payout.fingerprint()
    };
    match (&verdict.record, verdict.phase) {
        (Some(record), _) if paid_us(record) => Some(Change {
            paid: Some(Paid {
                payout_id: record.payout_id,
                ledger: record.ledger,
            }),
            ..change(State::Confirmed, true, None, None)
        }),
        (Some(record), _) if record.kind == RecordKind::Voided => {
            let why = format!("the key was voided in ledger {}", record.ledger);
            // A rejected order has no way to `cancelled`; it stays what it is, for ever.
            let to = match order.state {
                State::Rejected => State::Rejected,
                _ => State::Cancelled,
            };
            Some(change(to, true, Some("voided"), Some(why)))
        }
        (Some(record), _) if record.kind == RecordKind::Imported => {
            let why = format!(
                "the key was imported in ledger {}: somebody says that another system paid it",
                record.ledger
            );
            Some(change(State::Rejected, true, Some("imported"), Some(why)))
        }
        (Some(record), _) => {
            let why = format!(
                "the key paid something else in ledger {}: its fingerprint is {}",
                record.ledger, record.fingerprint
            );
            Some(change(State::Rejected, true, Some("conflict"), Some(why)))
        }
        (None, Phase::NotPaid) => {
            let why = format!(
                "two nodes show no record at ledger {}, past everything that was signed. Void it before \
                 anything is paid in its place: only the contract keeps that through a restored backup",
                verdict.ledger
            );
            // Not for ever: this database restored from before would take the order up again.
            Some(change(State::Rejected, false, Some("not_paid"), Some(why)))
        }
        (None, _) => None,
    }
}

/// Records a verdict: order, audit row and the void that it ends, in one transaction.
pub(super) async fn record(
    store: &Store,
    job: &Job,
    order: &Order,
    verdict: &Verdict,
) -> Result<(), StoreError> {
    let mut tx = store.begin().await?;
    store.fence(&mut tx, job).await?;
    let Some(order) = store.lock_order(&mut tx, &order.id).await? else {
        return Err(StoreError::corrupt("no order", order.id.clone()));
    };
    if let Some(change) = decided(&order, verdict) {
        settle(store, &mut tx, &order, &change, verdict).await?;
    }
    tx.commit().await
}

async fn settle(
    store: &Store,
    tx: &mut Write,
    order: &Order,
    change: &Change,
    verdict: &Verdict,
) -> Result<(), StoreError> {
    // A payment that this database never signed for: it has forgotten, and the chain has not.
    let kind = if change.to == State::Confirmed && !verdict.ours {
        "found_on_chain"
    } else {
        "verdict"
    };
    let mut entry = Entry::of(order, kind, "worker")
        .detail("phase", verdict.phase.name())
        .detail("ledger", verdict.ledger);
    if let Some(record) = &verdict.record {
        entry = entry
            .detail("record_ledger", record.ledger)
            .detail("payout_id", record.payout_id.to_string())
            .detail("record_fingerprint", record.fingerprint.to_string());
    }
    let moved = store.change_order(tx, order, change, &entry).await?;
    if moved && change.to == State::Confirmed {
        store.receipt_of_event(tx, order).await?;
    }
    if !moved && !order.is_final {
        entry.detail("kept", order.state.name()).record(tx).await?;
    }
    tracing::info!(
        order = order.id,
        correlation = order.correlation,
        state = change.to.name(),
        "verdict"
    );
    let never = change.to != State::Confirmed;
    let state = if never { "done" } else { "refused" };
    let result = json!({
        "state": change.to.name(),
        "reason": if never { change.reason } else { Some("KeyAlreadyConsumed") },
        "ledger": verdict.record.map(|record| record.ledger),
    });
    store
        .end_voids(tx, &order.id, state, &result.to_string())
        .await
}

/// What is awaited, in words.
pub(super) fn awaited(obligation: &Obligation) -> String {
    match obligation.answer() {
        Answer::OutcomeUnknown { awaited } => in_words(&awaited),
        _ => "the contract's record".to_owned(),
    }
}

fn in_words(awaited: &Awaited) -> String {
    let until = awaited.past.map_or_else(
        || "a look at the contract's record".to_owned(),
        |past| {
            format!(
                "the contract's record, or its absence past ledger {} and Unix second {}",
                past.max_ledger, past.max_time
            )
        },
    );
    format!("awaited: {until}; {}", awaited.reason)
}

/// Shows that the outcome is unknown.
pub(super) async fn outcome_unknown(
    store: &Store,
    job: &Job,
    order_id: &str,
    why: String,
) -> Result<(), StoreError> {
    let mut tx = store.begin().await?;
    store.fence(&mut tx, job).await?;
    if let Some(order) = store.lock_order(&mut tx, order_id).await?
        && order.state == State::Submitted
    {
        let entry = Entry::of(&order, "outcome_unknown", "worker").detail("why", why.as_str());
        let change = change(State::OutcomeUnknown, false, Some(AWAITED), Some(why));
        store.change_order(&mut tx, &order, &change, &entry).await?;
    }
    tx.commit().await
}

/// What is to become of a job whose obligation stopped without a verdict.
pub(super) enum Next {
    /// Try again later.
    Later,
    /// Nothing, until somebody asks.
    Rest,
}

/// Records that an obligation stopped. `lane_free`: nothing that was signed may land in its lane.
pub(super) async fn stopped(
    store: &Store,
    job: &Job,
    order: &Order,
    obligation: &Obligation,
    lane_free: bool,
) -> Result<Next, StoreError> {
    let mut tx = store.begin().await?;
    store.fence(&mut tx, job).await?;
    let Some(order) = store.lock_order(&mut tx, &order.id).await? else {
        return Err(StoreError::corrupt("no order", order.id.clone()));
    };
    let (change, next) = resting(job, &order, &obligation.answer());
    if let Some(change) = change {
        let entry = Entry::of(&order, "stopped", "worker")
            .detail("why", change.explanation.clone().unwrap_or_default())
            .detail("purpose", job.kind.name());
        store.change_order(&mut tx, &order, &change, &entry).await?;
    }
    // With the state that lets somebody ask for another try: the job of that try must not be ended
    // by this one.
    if matches!(next, Next::Rest) {
        store.end_job(&mut tx, job).await?;
    }
    if lane_free {
        store.free_lane(&mut tx, job.kind, &job.order_id).await?;
    }
    tx.commit().await?;
    Ok(next)
}

fn resting(job: &Job, order: &Order, answer: &Answer) -> (Option<Change>, Next) {
    let (stop, knowledge) = match answer {
        Answer::Stopped {
            stop, knowledge, ..
        } => (stop, knowledge),
        Answer::Working { phase } if *phase == Phase::AwaitingConsent => {
            let why = "it would restore archived entries, and the configuration forbids that";
            let change = change(
                State::Rejected,
                false,
                Some("restores"),
                Some(why.to_owned()),
            );
            return (Some(change), Next::Rest);
        }
        _ => return (None, Next::Later),
    };
    // The void decides; and what could not be stored was not ours to decide.
    if job.kind == JobKind::Void || matches!(stop, Stop::Store(_)) {
        return (None, Next::Later);
    }
    match knowledge {
        Knowledge::Unknown(awaited) => {
            let why = format!("{stop}; {}", in_words(awaited));
            let change = change(State::OutcomeUnknown, false, Some(name(stop)), Some(why));
            (Some(change), Next::Later)
        }
        // Nothing was signed and no node could be asked: it waits, as created.
        Knowledge::UnpaidAsOf { .. }
            if order.state == State::Created && matches!(stop, Stop::NoProgress { .. }) =>
        {
            (None, Next::Later)
        }
        Knowledge::UnpaidAsOf { ledger } => {
            let at = ledger.map_or_else(String::new, |ledger| format!(" (as of ledger {ledger})"));
            let why = format!("{stop}{at}");
            let change = change(State::Rejected, false, Some(name(stop)), Some(why));
            (Some(change), Next::Rest)
        }
    }
}

/// A stop's name.
fn name(stop: &Stop) -> &'static str {
    match stop {
        Stop::Refused(_) => "refused",
        Stop::SendRefused { .. } => "send_refused",
        Stop::BidCeiling { .. } => "bid_ceiling",
        Stop::ResourceFeeCeiling { .. } => "resource_fee_ceiling",
        Stop::NoProgress { .. } => "no_progress",
        Stop::Attempts { .. } => "expired",
        Stop::Sign(_) | Stop::BadEnvelope(_) => "not_signed",
        Stop::Contradiction { .. } => "contradiction",
        Stop::OnlyVoidIsFinal { .. } => "only_void_is_final",
        _ => "stopped",
    }
}
