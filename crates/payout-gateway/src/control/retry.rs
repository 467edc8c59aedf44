//! Retry: a rejected order is tried again, under the same key.

use axum::response::Response;
use serde_json::json;

use super::opening::{Ended, Incoming, NothingBody, Opening};
use super::operation::OperationBody;
use crate::audit::Entry;
use crate::problem::ProblemKind;
use crate::states::State;
use crate::store::jobs::JobKind;
use crate::store::operations::OperationKind;

/// Tries a rejected order again, under its own key.
#[utoipa::path(
    post,
    path = "/v1/payouts/{id}/retry",
    tag = "control",
    params(
        ("id" = String, Path, description = "The order's id"),
        ("Idempotency-Key" = String, Header, description = "The operation's own key"),
    ),
    request_body(content = Option<NothingBody>, content_type = "application/json"),
    responses(
        (status = 202, description = "It is tried again", body = OperationBody),
        (status = 200, description = "The key is known: its operation", body = OperationBody),
        crate::problem::Undecided,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn retry(incoming: Incoming) -> Result<Response, Ended> {
    let (opening, order) = Opening::<NothingBody>::on_order(OperationKind::Retry, incoming).await?;
    let (mut tx, order) = opening.lock(&order).await?;
    if order.state != State::Rejected || order.is_final || order.void_requested {
        return Err(ProblemKind::StateForbids
            .with(
                "Only an order that is rejected, not for ever, and without a void can be tried \
                 again.",
            )
            .member("state", order.state.name())
            .into());
    }
    let result = json!({ "payout": order.id }).to_string();
    let operation = opening.store(&mut tx, "done", Some(&result)).await?;
    if let Some(operation) = &operation {
        let store = &opening.app.store;
        store.add_job(&mut tx, JobKind::Pay, &order.id, 0).await?;
        Entry::of(&order, "retry_requested", &opening.caller.actor())
            .detail("operation", operation.id.as_str())
            .record(&mut tx)
            .await?;
    }
    opening.end(tx, operation).await
}
