//! Operations as answers show them, and what all of them have in common.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::auth::{Caller, Scope};
use crate::clock;
use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::serving::{NoQuery, Params, fingerprint, idempotency_key, json_body};
use crate::store::operations::{Operation, OperationKind, Wanted};

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

/// A body without anything in it. It may be left out.
#[derive(Debug, Default, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NothingBody {}

/// A body that may be left out.
pub(crate) fn optional_body<T: DeserializeOwned + Default>(
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<T, Problem> {
    if body.is_empty() {
        return Ok(T::default());
    }
    json_body(headers, body)
}

/// An operation's own key and what it asks for.
pub(crate) struct Asked {
    pub(crate) key: String,
    pub(crate) kind: OperationKind,
    pub(crate) program: String,
    pub(crate) order_id: Option<String>,
    pub(crate) request: String,
    print: String,
}

impl Asked {
    pub(crate) fn new(
        headers: &HeaderMap,
        kind: OperationKind,
        program: &str,
        order_id: Option<&str>,
        request: String,
    ) -> Result<Self, Problem> {
        let key = idempotency_key(headers)?.as_str().to_owned();
        let meaning = format!("{}/{}/{request}", kind.name(), order_id.unwrap_or("-"));
        Ok(Self {
            key,
            kind,
            program: program.to_owned(),
            order_id: order_id.map(str::to_owned),
            request,
            print: fingerprint(&meaning),
        })
    }

    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted {
            program: &self.program,
            key: &self.key,
            kind: self.kind,
            order_id: self.order_id.as_deref(),
            fingerprint: &self.print,
            request: &self.request,
        }
    }

    /// The answer to a key that is known: the look-up comes before every other check.
    pub(crate) async fn known(&self, app: &App) -> Result<Option<Response>, Problem> {
        let Some(found) = app.store.operation_by_key(&self.program, &self.key).await? else {
            return Ok(None);
        };
        if found.fingerprint != self.print {
            return Err(ProblemKind::KeyReused
                .with(format!(
                    "Key {} has operation {}, which is another one.",
                    self.key, found.id
                ))
                .member("recorded_fingerprint", found.fingerprint.as_str())
                .member("presented_fingerprint", self.print.as_str()));
        }
        let mut response = answer(StatusCode::OK, &found);
        response
            .headers_mut()
            .insert("idempotent-replayed", HeaderValue::from_static("true"));
        Ok(Some(response))
    }

    /// The answer once the operation is stored, or once another request was faster.
    pub(crate) async fn stored(
        &self,
        app: &App,
        operation: Option<Operation>,
    ) -> Result<Response, Problem> {
        match operation {
            Some(operation) => Ok(answer(StatusCode::ACCEPTED, &operation)),
            None => self.known(app).await?.ok_or_else(|| {
                ProblemKind::Internal.with("The operation was stored and cannot be read.")
            }),
        }
    }
}

fn answer(status: StatusCode, operation: &Operation) -> Response {
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
        (status = "4XX", description = "Refused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
        (status = "5XX", description = "Could not be read", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
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
