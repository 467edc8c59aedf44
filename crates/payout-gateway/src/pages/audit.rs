//! The audit log, and its export.

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::layout::{PageProblem, page};
use super::orders::{escaped, given};
use super::session::Operator;
use crate::audit::{AuditFilter, Row};
use crate::clock;
use crate::http::App;
use crate::serving::Params;

const LIMIT: i64 = 100;
/// Rows of an export that are read at a time, and the most of one.
const PAGE: i64 = 1_000;
const MOST: usize = 100_000;

/// The filters.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Filters {
    order: String,
    idempotency_key: String,
    after: String,
}

impl Filters {
    fn audit(&self, operator: &Operator, limit: i64) -> AuditFilter {
        AuditFilter {
            program: operator.program(),
            order: given(&self.order),
            key: given(&self.idempotency_key),
            after: given(&self.after),
            limit,
            ..AuditFilter::default()
        }
    }

    fn query(&self, after: &str) -> String {
        format!(
            "order={}&idempotency_key={}&after={}",
            escaped(&self.order),
            escaped(&self.idempotency_key),
            escaped(after)
        )
    }
}

/// The page.
pub(super) async fn page_of_rows(
    State(app): State<App>,
    operator: Operator,
    Params(filters): Params<Filters>,
) -> Result<Response, PageProblem> {
    let rows = app
        .store
        .audit_rows(&filters.audit(&operator, LIMIT))
        .await?;
    let next = rows
        .last()
        .filter(|_| rows.len() >= usize::try_from(LIMIT).unwrap_or(usize::MAX));
    let content = html! {
        form.filter method="get" action="/operator/audit" {
            label { "Payout" input name="order" value=(filters.order) autocomplete="off"; }
            label { "Idempotency key"
                input name="idempotency_key" value=(filters.idempotency_key) autocomplete="off";
            }
            button { "Show" }
        }
        p { a href={ "/operator/audit.ndjson?" (filters.query(&filters.after)) } { "Export as lines of JSON" } }
        (table(&rows))
        @if let Some(last) = next {
            p { a href={ "/operator/audit?" (filters.query(&last.id)) } { "Later ones" } }
        }
    };
    Ok(page("/operator/audit", "Audit log", &content))
}

/// The rows as lines of JSON, with their place in the hash chain.
pub(super) async fn export(
    State(app): State<App>,
    operator: Operator,
    Params(filters): Params<Filters>,
) -> Result<Response, PageProblem> {
    let mut filter = filters.audit(&operator, PAGE);
    let mut lines = String::new();
    let mut count = 0;
    loop {
        let rows = app.store.audit_rows(&filter).await?;
        let Some(last) = rows.last() else { break };
        filter.after = Some(last.id.clone());
        for row in &rows {
            lines.push_str(&row.to_json().to_string());
            lines.push('\n');
        }
        count += rows.len();
        if count >= MOST {
            break;
        }
    }
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"audit.ndjson\"",
        ),
    ];
    Ok((headers, Body::from(lines)).into_response())
}

/// Rows as a table.
pub(super) fn table(rows: &[Row]) -> Markup {
    html! {
        @if rows.is_empty() { p { "There are none." } } @else {
            table aria-label="Audit rows" {
                thead { tr {
                    th scope="col" { "When" } th scope="col" { "What" } th scope="col" { "Who" }
                    th scope="col" { "State" } th scope="col" { "Details" } th scope="col" { "Sealed as" }
                } }
                tbody {
                    @for row in rows {
                        tr {
                            td data-label="When" { (clock::text(row.recorded_at)) }
                            td data-label="What" { (row.kind) }
                            td data-label="Who" { code { (row.actor) } }
                            td data-label="State" {
                                @if let Some(from) = &row.from_state { (from) " to " }
                                (row.to_state.as_deref().unwrap_or("–"))
                            }
                            td data-label="Details" { details { summary { "Show" } code { (row.detail) } } }
                            td data-label="Sealed as" {
                                @match row.position { Some(position) => (position), None => "not yet" }
                            }
                        }
                    }
                }
            }
        }
    }
}
