//! Void: the order's key shall never pay. Asked for here, decided on chain.

use axum::response::Response;
use serde_json::json;

use super::opening::{Ended, Incoming, NothingBody, Opening};
use super::operation::OperationBody;
use crate::audit::Entry;
use crate::problem::ProblemKind;
use crate::states::State;
use crate::store::jobs::JobKind;
use crate::store::operations::OperationKind;
use crate::store::orders::Change;

/// Voids an order's key.
///
/// The answer comes at once; the verdict comes from the chain: the order ends `cancelled`, or, if
/// the payment was faster, `confirmed`, and the operation `refused`.
#[utoipa::path(
    post,
    path = "/v1/payouts/{id}/void",
    tag = "control",
    params(
        ("id" = String, Path, description = "The order's id"),
        ("Idempotency-Key" = String, Header, description = "The operation's own key"),
    ),
    request_body(content = Option<NothingBody>, content_type = "application/json"),
    responses(
        (status = 202, description = "Asked for", body = OperationBody),
        (status = 200, description = "The key is known: its operation", body = OperationBody),
        crate::problem::Undecided,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn void(incoming: Incoming) -> Result<Response, Ended> {
    let (opening, order) = Opening::<NothingBody>::on_order(OperationKind::Void, incoming).await?;
    let (mut tx, order) = opening.lock(&order).await?;
    let cancelled = order.state == State::Cancelled;
    if order.is_final && !cancelled {
        return Err(ProblemKind::StateForbids
            .with(format!("The order is {} for ever.", order.state))
            .member("state", order.state.name())
            .into());
    }
    let done = cancelled.then(|| json!({ "state": order.state.name() }).to_string());
    let state = if cancelled { "done" } else { "open" };
    let operation = opening.store(&mut tx, state, done.as_deref()).await?;
    if let Some(operation) = operation.as_ref().filter(|_| !cancelled) {
        let store = &opening.app.store;
        let entry = Entry::of(&order, "void_requested", &opening.caller.actor())
            .detail("operation", operation.id.as_str());
        store.request_void(&mut tx, &order.id).await?;
        store.add_job(&mut tx, JobKind::Void, &order.id, 0).await?;
        // What was sent may be paid before the void lands.
        let change = Change {
            to: State::OutcomeUnknown,
            is_final: false,
            reason: Some("void_requested"),
            explanation: Some("a void was asked for; the chain decides which was first".to_owned()),
            paid: None,
        };
        let waits = order.state == State::Submitted
            && store.change_order(&mut tx, &order, &change, &entry).await?;
        if !waits {
            entry.record(&mut tx).await?;
        }
    }
    opening.end(tx, operation).await
}
