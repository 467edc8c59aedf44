//! What reconciliation found.

use axum::extract::State;
use axum::response::Response;
use maud::html;

use super::layout::{PageProblem, page};
use super::session::Operator;
use crate::clock;
use crate::http::App;
use crate::serving::{NoQuery, Params};

/// The page.
pub(super) async fn page_of_all(
    State(app): State<App>,
    operator: Operator,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Response, PageProblem> {
    let findings = app.store.findings(operator.program().as_deref()).await?;
    let content = html! {
        p { "What differs between orders and chain, open findings first." }
        @if findings.is_empty() { p { "Nothing was found." } } @else {
            table aria-label="Findings" {
                thead { tr {
                    th scope="col" { "Finding" } th scope="col" { "Program" } th scope="col" { "About" }
                    th scope="col" { "In words" } th scope="col" { "Seen" } th scope="col" { "Resolved" }
                } }
                tbody {
                    @for finding in &findings {
                        tr {
                            td data-label="Finding" { code { (finding.kind) } }
                            td data-label="Program" { (finding.program) }
                            td data-label="About" { code { (finding.subject) } }
                            td data-label="In words" { (finding.detail) }
                            td data-label="Seen" { (clock::text(finding.first_seen)) " to " (clock::text(finding.last_seen)) }
                            td data-label="Resolved" {
                                @match finding.resolved_at { Some(at) => (clock::text(at)), None => strong { "open" } }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(page("/operator/findings", "Findings", &content))
}
