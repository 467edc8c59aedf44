//! Orders with filters, unknown outcomes first.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;

use super::layout::PageProblem;
use super::session::Operator;
use crate::clock;
use crate::http::App;
use crate::serving::Params;
use crate::states::State as OrderState;
use crate::store::orders::{Order, OrderFilter};

const LIMIT: i64 = 50;

/// The filters.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Filters {
    program: String,
    state: String,
    idempotency_key: String,
    before: String,
}

/// What was filled in. Ids and keys are printable ASCII; anything else finds nothing anyway.
pub(super) fn given(text: &str) -> Option<String> {
    let text: String = text.chars().filter(char::is_ascii_graphic).collect();
    (!text.is_empty()).then_some(text)
}

async fn content(app: &App, operator: &Operator, filters: &Filters) -> Result<Markup, PageProblem> {
    let program = operator.program().or_else(|| given(&filters.program));
    let filter = OrderFilter {
        program: program.clone(),
        key: given(&filters.idempotency_key),
        state: OrderState::from_name(&filters.state),
        before: given(&filters.before),
        limit: LIMIT,
    };
    let orders = app.store.orders(&filter).await?;
    let unfiltered =
        filters.state.is_empty() && filters.idempotency_key.is_empty() && filters.before.is_empty();
    let unknown = if unfiltered {
        let unknown = OrderFilter {
            program,
            state: Some(OrderState::OutcomeUnknown),
            limit: LIMIT,
            ..OrderFilter::default()
        };
        app.store.orders(&unknown).await?
    } else {
        Vec::new()
    };
    let next = orders
        .last()
        .filter(|_| orders.len() >= usize::try_from(LIMIT).unwrap_or(usize::MAX));
    Ok(html! {
        @if !unknown.is_empty() {
            section.alert aria-labelledby="unknown" {
                h2 #unknown { "Unknown outcomes" }
                p { "They may be paid or become paid. Never pay the same thing under another key." }
                (table(&unknown, "Unknown outcomes"))
            }
        }
        (form(app, operator, filters))
        h2 { "Payouts" }
        @if orders.is_empty() { p { "There are none." } } @else { (table(&orders, "Payouts")) }
        @if let Some(last) = next { p { a href=(older(filters, &last.id)) { "Older ones" } } }
    })
}

/// The page.
pub(super) async fn page(
    State(app): State<App>,
    operator: Operator,
    Params(filters): Params<Filters>,
) -> Result<Response, PageProblem> {
    let content = content(&app, &operator, &filters).await?;
    Ok(super::layout::page(
        "/operator/payouts",
        "Payouts",
        &content,
    ))
}

fn older(filters: &Filters, before: &str) -> String {
    let query = [
        ("program", filters.program.as_str()),
        ("state", &filters.state),
        ("idempotency_key", &filters.idempotency_key),
        ("before", before),
    ];
    let parts: Vec<String> = query
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}", escaped(value)))
        .collect();
    format!("/operator/payouts?{}", parts.join("&"))
}

/// Percent-encoded, as a query takes it.
pub(super) fn escaped(value: &str) -> String {
    value
        .bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

fn form(app: &App, operator: &Operator, filters: &Filters) -> Markup {
    html! {
        form.filter method="get" action="/operator/payouts" {
            label { "Program"
                select name="program" {
                    option value="" { "all" }
                    @for program in &app.programs {
                        @if operator.0.serves(program.id.as_str()) {
                            option value=(program.id) selected[filters.program == program.id.as_str()] { (program.id) }
                        }
                    }
                }
            }
            label { "State"
                select name="state" {
                    option value="" { "all" }
                    @for state in OrderState::ALL {
                        option value=(state) selected[filters.state == state.name()] { (state) }
                    }
                }
            }
            label { "Idempotency key"
                input name="idempotency_key" value=(filters.idempotency_key) autocomplete="off";
            }
            button { "Show" }
        }
    }
}

fn table(orders: &[Order], caption: &str) -> Markup {
    html! {
        table aria-label=(caption) {
            thead { tr {
                th scope="col" { "Payout" } th scope="col" { "Program" } th scope="col" { "Key" }
                th scope="col" { "State" } th scope="col" { "Sum in units" }
                th scope="col" { "Created" }
            } }
            tbody {
                @for order in orders {
                    tr {
                        td data-label="Payout" { a href={ "/operator/payouts/" (order.id) } { (order.id) } }
                        td data-label="Program" { (order.program) }
                        td data-label="Key" { code { (order.caller_key) } }
                        td data-label="State" { (state(order)) }
                        td data-label="Sum in units" { (order.payout.total()) }
                        td data-label="Created" { (clock::text(order.created_at)) }
                    }
                }
            }
        }
    }
}

/// A state, and whether it stays.
pub(super) fn state(order: &Order) -> Markup {
    html! {
        span class={ "state state-" (order.state) } { (order.state) }
        @if order.is_final { " (final)" }
    }
}
