//! Void: the order's key shall never pay. Asked for here, decided on chain.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;

use super::operation::{Asked, NothingBody, OperationBody, optional_body};
use crate::audit::Entry;
use crate::auth::{Caller, Scope};
use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::serving::{NoQuery, Params, visible};
use crate::states::State as OrderState;
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
        (status = "4XX", description = "Refused; the key is unused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
        (status = "5XX", description = "Nothing was decided", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    ),
    security(("bearer" = []))
)]
pub(crate) async fn void(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let order = visible(&app, &caller, Scope::Operate, &id).await?;
    let asked = Asked::new(
        &headers,
        OperationKind::Void,
        &order.program,
        Some(&order.id),
        "{}".to_owned(),
    )?;
    let NothingBody {} = optional_body(&headers, &body)?;
    if let Some(answer) = asked.known(&app).await? {
        return Ok(answer);
    }
    let mut tx = app.store.begin().await?;
    let order = app
        .store
        .lock_order(&mut tx, &order.id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let cancelled = order.state == OrderState::Cancelled;
    if order.is_final && !cancelled {
        return Err(ProblemKind::StateForbids
            .with(format!("The order is {} for ever.", order.state))
            .member("state", order.state.name()));
    }
    let done = cancelled.then(|| json!({ "state": order.state.name() }).to_string());
    let state = if cancelled { "done" } else { "open" };
    let operation = app
        .store
        .add_operation(&mut tx, &asked.wanted(), state, done.as_deref())
        .await?;
    if let Some(operation) = operation.as_ref().filter(|_| !cancelled) {
        let entry = Entry::of(&order, "void_requested", &caller.actor())
            .detail("operation", operation.id.as_str());
        app.store.request_void(&mut tx, &order.id).await?;
        app.store.add_job(&mut tx, JobKind::Void, &order.id).await?;
        // What was sent may be paid before the void lands.
        let change = Change {
            to: OrderState::OutcomeUnknown,
            is_final: false,
            reason: Some("void_requested"),
            explanation: Some("a void was asked for; the chain decides which was first".to_owned()),
            paid: None,
        };
        let waits = order.state == OrderState::Submitted
            && app
                .store
                .change_order(&mut tx, &order, &change, &entry)
                .await?;
        if !waits {
            entry.record(&mut tx).await?;
        }
    }
    tx.commit().await?;
    app.wake.notify_one();
    asked.stored(&app, operation).await
}
