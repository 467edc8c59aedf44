//! One order with its whole story: request, attempts, events, operations, audit rows.

use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, html};

use super::audit::table;
use super::layout::{PageProblem, page};
use super::orders::state;
use super::session::Operator;
use crate::audit::AuditFilter;
use crate::auth::Scope;
use crate::clock;
use crate::http::App;
use crate::serving::{NoQuery, Params, visible};
use crate::store::envelopes::Attempt;
use crate::store::operations::Operation;
use crate::store::orders::Order;
use crate::store::programs::ChainEvent;

const ROWS: i64 = 1_000;

/// The page.
pub(super) async fn page_of_one(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Response, PageProblem> {
    let order = visible(&app, &operator.0, Scope::Operate, &id).await?;
    let attempts = app.store.attempts(&order.id).await?;
    let events = app.store.events_of(order.chain_key.as_str()).await?;
    let operations = app.store.operations_on(&order.id).await?;
    let rows = app
        .store
        .audit_rows(&AuditFilter {
            order: Some(order.id.clone()),
            limit: ROWS,
            ..AuditFilter::default()
        })
        .await?;
    let content = html! {
        (request(&order))
        h2 { "Recipients" } (recipients(&order))
        h2 { "Signed transactions" } (attempts_table(&attempts))
        h2 { "Events of the contract" } (events_table(&events))
        h2 { "Operations" } (operations_table(&operations))
        h2 { "Audit rows" } (table(&rows))
        p { a href="/operator/payouts" { "All payouts" } }
    };
    let title = format!("Payout {}", order.id);
    Ok(page("/operator/payouts", &title, &content))
}

fn request(order: &Order) -> Markup {
    html! {
        dl {
            dt { "State" } dd { (state(order)) }
            @if let Some(reason) = &order.reason { dt { "Reason" } dd { code { (reason) } } }
            @if let Some(why) = &order.explanation { dt { "In words" } dd { (why) } }
            dt { "What to do" } dd { (order.state.next()) }
            @if order.void_requested { dt { "Void" } dd { "asked for" } }
            dt { "Program" } dd { (order.program) }
            dt { "Idempotency key" } dd { code { (order.caller_key) } " (use " (order.counter) ")" }
            dt { "Key on chain" } dd { code { (order.chain_key) } }
            dt { "Sum in units" } dd { (order.payout.total()) }
            @if let Some(id) = &order.payout_id { dt { "Payout number" } dd { (id) } }
            @if let Some(ledger) = order.paid_ledger { dt { "Paid in ledger" } dd { (ledger) } }
            @if let Some(hash) = &order.paid_transaction { dt { "Paid by transaction" } dd { code { (hash) } } }
            dt { "Request" } dd { code { (order.fingerprint) } }
            dt { "Correlation" } dd { code { (order.correlation) } }
            dt { "Created" } dd { (clock::text(order.created_at)) }
            dt { "Changed" } dd { (clock::text(order.updated_at)) }
        }
    }
}

fn recipients(order: &Order) -> Markup {
    html! {
        table aria-label="Recipients" {
            thead { tr { th scope="col" { "Recipient" } th scope="col" { "Units" } } }
            tbody {
                @for line in order.payout.lines() {
                    tr {
                        td data-label="Recipient" { code { (line.recipient) } }
                        td data-label="Units" { (line.amount) }
                    }
                }
            }
        }
    }
}

fn attempts_table(attempts: &[Attempt]) -> Markup {
    html! {
        @if attempts.is_empty() { p { "Nothing was signed." } } @else {
            table aria-label="Signed transactions" {
                thead { tr {
                    th scope="col" { "For" } th scope="col" { "Hash" } th scope="col" { "Inner hash" }
                    th scope="col" { "Account and sequence" } th scope="col" { "Bid" }
                    th scope="col" { "Runs out" } th scope="col" { "Signed" }
                } }
                tbody {
                    @for attempt in attempts {
                        tr {
                            td data-label="For" { (attempt.purpose) }
                            td data-label="Hash" { code { (attempt.signed.hash) } }
                            td data-label="Inner hash" { code { (attempt.signed.inner) } }
                            td data-label="Account and sequence" { code { (attempt.signed.source) " " (attempt.signed.sequence) } }
                            td data-label="Bid" { (attempt.signed.bid.0) }
                            td data-label="Runs out" { "ledger " (attempt.signed.bounds.max_ledger) }
                            td data-label="Signed" { (clock::text(attempt.signed_at)) }
                        }
                    }
                }
            }
        }
    }
}

fn events_table(events: &[ChainEvent]) -> Markup {
    html! {
        @if events.is_empty() { p { "None seen." } } @else {
            table aria-label="Events of the contract" {
                thead { tr {
                    th scope="col" { "Event" } th scope="col" { "Ledger" }
                    th scope="col" { "Transaction" } th scope="col" { "Sum" }
                } }
                tbody {
                    @for event in events {
                        tr {
                            td data-label="Event" { (event.kind) }
                            td data-label="Ledger" { (event.ledger) }
                            td data-label="Transaction" { code { (event.transaction_hash) } }
                            td data-label="Sum" { (event.total.as_deref().unwrap_or("–")) }
                        }
                    }
                }
            }
        }
    }
}

fn operations_table(operations: &[Operation]) -> Markup {
    html! {
        @if operations.is_empty() { p { "None." } } @else {
            table aria-label="Operations" {
                thead { tr {
                    th scope="col" { "Operation" } th scope="col" { "State" } th scope="col" { "Key" }
                    th scope="col" { "Result" } th scope="col" { "Asked for" }
                } }
                tbody {
                    @for operation in operations {
                        tr {
                            td data-label="Operation" { (operation.kind.name()) }
                            td data-label="State" { (operation.state) }
                            td data-label="Key" { code { (operation.key) } }
                            td data-label="Result" { code { (operation.result.as_deref().unwrap_or("–")) } }
                            td data-label="Asked for" { (clock::text(operation.created_at)) }
                        }
                    }
                }
            }
        }
    }
}
