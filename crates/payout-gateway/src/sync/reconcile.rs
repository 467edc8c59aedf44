//! Reconciliation: every order with its record, and every payout on chain with its order.

use std::collections::BTreeSet;
use std::time::Instant;

use payout_engine::escrow::{self, Wanted};
use payout_engine::rpc::Client;
use payout_engine::{Record, RecordKind};
use payout_keys::IdempotencyKey;
use serde_json::json;

use super::job::Desk;
use crate::audit::Entry;
use crate::chain::Program;
use crate::clock::{self, Millis};
use crate::states::State;
use crate::store::findings::Finding;
use crate::store::jobs::JobKind;
use crate::store::operations::Operation;
use crate::store::orders::{Order, OrderFilter};

const PAGE: i64 = 200;

/// Reconciles when asked and in regular intervals, until it is dropped.
pub(super) async fn run(desk: &Desk) {
    let mut last = Instant::now();
    let duty = Millis::from(desk.settings.lease_seconds) * 1_000;
    loop {
        tokio::time::sleep(desk.settings.poll).await;
        let process = &desk.settings.process;
        match desk.store.hold_duty("reconcile", process, duty).await {
            Ok(true) => {}
            _ => continue,
        }
        if let Ok(asked) = desk.store.open_reconciliations().await {
            for operation in asked {
                answer(desk, &operation).await;
            }
        }
        let due = desk
            .settings
            .reconcile_every
            .is_some_and(|every| last.elapsed() >= every);
        if due {
            last = Instant::now();
            for program in &desk.app.programs {
                if let Err(error) = program_once(desk, program).await {
                    tracing::warn!(program = %program.id, error, "not reconciled");
                }
            }
        }
    }
}

/// What a reconciliation saw.
struct Seen {
    orders: u64,
    paid: u64,
    findings: Vec<Finding>,
    ledger: u32,
}

async fn answer(desk: &Desk, operation: &Operation) {
    let Some(program) = desk.app.program(&operation.program) else {
        return;
    };
    let seen = match program_once(desk, program).await {
        Ok(seen) => seen,
        Err(error) => {
            tracing::warn!(program = %program.id, error, "not reconciled; tried again");
            return;
        }
    };
    let result = json!({
        "orders": seen.orders,
        "paid": seen.paid,
        "findings": seen.findings.len(),
        "ledger": seen.ledger,
    });
    let store = &desk.store;
    let ended = async {
        let mut tx = store.begin().await?;
        store
            .end_operation(&mut tx, &operation.id, "done", &result.to_string())
            .await?;
        tx.commit().await
    };
    if let Err(error) = ended.await {
        tracing::warn!(%error, "a reconciliation's end was not stored; it is done again");
    }
}

async fn program_once(desk: &Desk, program: &Program) -> Result<Seen, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let mut last = "no node is configured".to_owned();
    for node in &desk.app.nodes {
        match compare(desk, program, node).await {
            Ok(seen) => {
                store_findings(desk, program, &seen)
                    .await
                    .map_err(|error| text(&error))?;
                return Ok(seen);
            }
            Err(why) => last = why,
        }
    }
    Err(last)
}

/// The contract's books, to hold the records against.
struct Books {
    count: u64,
    paid: i128,
    ledger: u32,
}

async fn books(desk: &Desk, program: &Program, node: &Client) -> Result<Books, String> {
    let wanted = Wanted {
        passphrase: &desk.settings.passphrase,
        contract: program.deployment.contract,
        delegate: None,
    };
    let facts = escrow::read(node, &wanted)
        .await
        .map_err(|error| error.to_string())?;
    Ok(Books {
        count: facts.program.payout_count,
        paid: facts.program.total_paid,
        ledger: facts.at.ledger,
    })
}

async fn compare(desk: &Desk, program: &Program, node: &Client) -> Result<Seen, String> {
    let before = books(desk, program, node).await?;
    let mut tally = Tally::default();
    let mut seen = Seen {
        orders: 0,
        paid: 0,
        findings: Vec::new(),
        ledger: before.ledger,
    };
    let mut filter = OrderFilter {
        program: Some(program.id.as_str().to_owned()),
        limit: PAGE,
        ..OrderFilter::default()
    };
    loop {
        let orders = desk
            .store
            .orders(&filter)
            .await
            .map_err(|error| error.to_string())?;
        let Some(last) = orders.last() else { break };
        filter.before = Some(last.id.clone());
        let keys: Vec<IdempotencyKey> =
            orders.iter().map(|order| order.chain_key.clone()).collect();
        let records = node
            .records(program.deployment.contract, &keys)
            .await
            .map_err(|error| error.to_string())?;
        for (order, record) in orders.iter().zip(records.records) {
            seen.orders += 1;
            if let Some(record) = record.filter(Record::paid) {
                seen.paid += 1;
                tally.add(&record);
            }
            if let Some(finding) = differs(order, record.as_ref(), records.ledger) {
                catch_up(desk, order, record.as_ref()).await;
                seen.findings.push(finding);
            }
        }
    }
    strangers(desk, program, node, &mut seen, &mut tally).await?;
    let after = books(desk, program, node).await?;
    // Payouts in between would look like unknown ones; the next reconciliation sees them.
    if after.count == before.count {
        seen.findings.extend(tally.against(&before));
    }
    Ok(seen)
}

/// Payouts that the contract's events show and that no order stands for.
async fn strangers(
    desk: &Desk,
    program: &Program,
    node: &Client,
    seen: &mut Seen,
    tally: &mut Tally,
) -> Result<(), String> {
    let strangers = desk
        .store
        .strangers(program.id.as_str())
        .await
        .map_err(|error| error.to_string())?;
    for (key, ledger, transaction) in strangers {
        let Ok(key) = IdempotencyKey::new(&key) else {
            continue;
        };
        let records = node
            .records(program.deployment.contract, std::slice::from_ref(&key))
            .await
            .map_err(|error| error.to_string())?;
        if let Some(record) = records.records.into_iter().flatten().find(Record::paid) {
            tally.add(&record);
        }
        seen.findings.push(Finding {
            kind: "payout_without_order",
            subject: key.as_str().to_owned(),
            detail: format!("paid in ledger {ledger} by transaction {transaction}"),
        });
    }
    Ok(())
}

/// The records that were seen, held against the contract's books.
#[derive(Default)]
struct Tally {
    ids: BTreeSet<u64>,
    sum: i128,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        if self.ids.insert(record.payout_id) {
            self.sum = self.sum.saturating_add(record.total);
        }
    }

    fn against(&self, books: &Books) -> Option<Finding> {
        let known = u64::try_from(self.ids.len()).unwrap_or(u64::MAX);
        if known == books.count && self.sum == books.paid {
            return None;
        }
        Some(Finding {
            kind: "payouts_unknown",
            subject: "books".to_owned(),
            detail: format!(
                "the contract counts {} payouts of {} units; {known} of {} units are known here",
                books.count, books.paid, self.sum
            ),
        })
    }
}

/// What differs between an order and its record. What is still under way differs from nothing.
fn differs(order: &Order, record: Option<&Record>, ledger: u32) -> Option<Finding> {
    let finding = |kind: &'static str, detail: String| {
        Some(Finding {
            kind,
            subject: order.id.clone(),
            detail,
        })
    };
    let confirmed = matches!(order.state, State::Confirmed | State::Refunded);
    match record {
        None if confirmed => finding(
            "confirmed_not_on_chain",
            format!(
                "the order is {}, and there is no record at ledger {ledger}",
                order.state
            ),
        ),
        None => None,
        Some(record) => match record.kind {
            RecordKind::Single | RecordKind::Batch => {
                let same = record.fingerprint == order.payout.fingerprint();
                match (
                    same,
                    confirmed,
                    order.is_final || order.state == State::Rejected,
                ) {
                    (true, true, _) | (true, false, false) => None,
                    (true, false, true) => finding(
                        "paid_not_confirmed",
                        format!(
                            "the order is {}, and ledger {} paid it",
                            order.state, record.ledger
                        ),
                    ),
                    (false, ..) => finding(
                        "conflict",
                        format!("its key paid something else in ledger {}", record.ledger),
                    ),
                }
            }
            RecordKind::Voided if confirmed => finding(
                "confirmed_not_on_chain",
                format!("the order is {}, and its key is void", order.state),
            ),
            RecordKind::Imported if confirmed => finding(
                "confirmed_not_on_chain",
                format!("the order is {}, and its key was imported", order.state),
            ),
            RecordKind::Voided | RecordKind::Imported => None,
        },
    }
}

/// An order that may be tried again, whose record is there, only has to look.
async fn catch_up(desk: &Desk, order: &Order, record: Option<&Record>) {
    if order.state != State::Rejected || order.is_final || record.is_none() {
        return;
    }
    let store = &desk.store;
    let looked = async {
        let mut tx = store.begin().await?;
        store.add_job(&mut tx, JobKind::Pay, &order.id).await?;
        tx.commit().await
    };
    if let Err(error) = looked.await {
        tracing::warn!(order = order.id, %error, "a look was not stored");
    }
}

async fn store_findings(
    desk: &Desk,
    program: &Program,
    seen: &Seen,
) -> Result<(), crate::store::StoreError> {
    let store = &desk.store;
    let id = program.id.as_str();
    let at = clock::now();
    let mut tx = store.begin().await?;
    for finding in &seen.findings {
        store.raise(&mut tx, id, finding, at).await?;
    }
    store.resolve_before(&mut tx, id, at).await?;
    Entry::new("reconciled", "system", id)
        .detail("orders", seen.orders)
        .detail("paid", seen.paid)
        .detail("findings", seen.findings.len())
        .detail("ledger", seen.ledger)
        .record(&mut tx)
        .await?;
    tx.commit().await
}
