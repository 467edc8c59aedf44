//! Retry: a rejected order is tried again, under the same key.

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
        (status = "4XX", description = "Refused; the key is unused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
        (status = "5XX", description = "Nothing was decided", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    ),
    security(("bearer" = []))
)]
pub(crate) async fn retry(
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
        OperationKind::Retry,
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
    if order.state != OrderState::Rejected || order.is_final || order.void_requested {
        return Err(ProblemKind::StateForbids
            .with(
                "Only an order that is rejected, not for ever, and without a void can be tried \
                 again.",
            )
            .member("state", order.state.name()));
    }
    let result = json!({ "payout": order.id }).to_string();
    let operation = app
        .store
        .add_operation(&mut tx, &asked.wanted(), "done", Some(&result))
        .await?;
    if let Some(operation) = &operation {
        app.store.add_job(&mut tx, JobKind::Pay, &order.id).await?;
        Entry::of(&order, "retry_requested", &caller.actor())
            .detail("operation", operation.id.as_str())
            .record(&mut tx)
            .await?;
    }
    tx.commit().await?;
    app.wake.notify_one();
    asked.stored(&app, operation).await
}
