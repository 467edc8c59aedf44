//! Operations as answers show them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;

use crate::auth::{Caller, Scope};
use crate::clock;
use crate::http::App;
use crate::problem::Problem;
use crate::serving::{NoQuery, Params};
use crate::store::operations::Operation;

/// An operation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Operation)]
pub(crate) struct OperationBody {
    /// Its id.
    id: String,
    /// The program.
    program: String,
    /// `void`, `retry`, `refund` or `reconcile`.
    kind: &'static str,
    /// The order it is about.
    payout: Option<String>,
    /// Its own key.
    idempotency_key: String,
    /// `open`, `done`, or `refused` by the contract.
    state: String,
    /// How it ended.
    #[schema(value_type = Option<Object>)]
    result: Option<Value>,
    /// When it was asked for.
    created_at: String,
    /// When it last changed.
    updated_at: String,
}

impl From<&Operation> for OperationBody {
    fn from(operation: &Operation) -> Self {
        Self {
            id: operation.id.clone(),
            program: operation.program.clone(),
            kind: operation.kind.name(),
            payout: operation.order_id.clone(),
            idempotency_key: operation.key.clone(),
            state: operation.state.clone(),
            result: operation
                .result
                .as_deref()
                .and_then(|text| serde_json::from_str(text).ok()),
            created_at: clock::text(operation.created_at),
            updated_at: clock::text(operation.updated_at),
        }
    }
}

/// The answer that shows an operation, and where it is asked for again.
pub(super) fn answer(status: StatusCode, operation: &Operation) -> Response {
    let mut response = (status, Json(OperationBody::from(operation))).into_response();
    if let Ok(location) = HeaderValue::from_str(&format!("/v1/operations/{}", operation.id)) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// Reads an operation.
#[utoipa::path(
    get,
    path = "/v1/operations/{id}",
    tag = "control",
    params(("id" = String, Path, description = "The operation's id")),
    responses(
        (status = 200, description = "The operation", body = OperationBody),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn read(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<OperationBody>, Problem> {
    if !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Problem::not_found());
    }
    let operation = app
        .store
        .operation(&id)
        .await?
        .ok_or_else(Problem::not_found)?;
    caller.may(Scope::Read, &operation.program)?;
    Ok(Json(OperationBody::from(&operation)))
}
