//! Programs with balance and breaker state.

use axum::extract::State;
use axum::response::Response;
use maud::html;

use super::layout::{PageProblem, page};
use super::session::Operator;
use crate::http::App;
use crate::serving::{NoQuery, Params};

/// The page.
pub(super) async fn page_of_all(
    State(app): State<App>,
    operator: Operator,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Response, PageProblem> {
    let (lanes, taken) = app.store.lane_counts().await?;
    let (waiting, held) = app.store.job_counts().await?;
    let programs = app
        .programs
        .iter()
        .filter(|program| operator.0.serves(program.id.as_str()));
    let content = html! {
        p { (waiting) " jobs wait, " (held) " are under way; " (taken) " of " (lanes) " lanes are taken." }
        @for program in programs {
            @let known = program.known();
            section aria-label=(program.id) {
                h2 { (program.id) }
                @match &known.waiting {
                    Some(why) => p.alert { "Payouts wait: " (why) },
                    None => p { "Payouts are carried out." },
                }
                dl {
                    dt { "Contract" } dd { code { (program.deployment.contract) } }
                    dt { "Payout key" } dd { code { (program.caller) } }
                    @if let Some(facts) = &known.facts {
                        dt { "Token" } dd { code { (facts.token) } " (" (facts.decimals) " decimals)" }
                        dt { "Life" } dd { (facts.status) }
                        dt { "Can still be paid" } dd { (facts.remaining_balance) " units" }
                        dt { "Paid" } dd { (facts.total_paid) " units in " (facts.payout_count) " payouts" }
                        dt { "Payouts paused" } dd { (if facts.paused { "yes" } else { "no" }) }
                        dt { "Circuit breaker" } dd { (if facts.breaker_open { "open" } else { "closed" }) }
                        dt { "As of ledger" } dd { (facts.ledger) ", events " (known.event_lag) " ledgers behind" }
                    }
                }
                p { a href={ "/operator/payouts?program=" (program.id) } { "Its payouts" } }
            }
        }
    };
    Ok(page("/operator/programs", "Programs", &content))
}
