//! Reconciliation, asked for; and what it found.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::operation::{Asked, NothingBody, OperationBody, optional_body};
use crate::audit::Entry;
use crate::auth::{Caller, Scope};
use crate::clock;
use crate::http::App;
use crate::problem::Problem;
use crate::serving::{NoQuery, Params};
use crate::store::findings::StoredFinding;
use crate::store::operations::OperationKind;

/// Compares all orders of a program with the chain, both ways.
#[utoipa::path(
    post,
    path = "/v1/programs/{program}/reconciliations",
    tag = "control",
    params(
        ("program" = String, Path, description = "The program's id"),
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
pub(crate) async fn reconcile(
    State(app): State<App>,
    caller: Caller,
    Path(program): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    caller.may(Scope::Operate, &program)?;
    app.program(&program).ok_or_else(Problem::not_found)?;
    let request = "{}".to_owned();
    let asked = Asked::new(&headers, OperationKind::Reconcile, &program, None, request)?;
    let NothingBody {} = optional_body(&headers, &body)?;
    if let Some(answer) = asked.known(&app).await? {
        return Ok(answer);
    }
    let mut tx = app.store.begin().await?;
    let operation = app
        .store
        .add_operation(&mut tx, &asked.wanted(), "open", None)
        .await?;
    if let Some(operation) = &operation {
        Entry::new("reconciliation_requested", &caller.actor(), &program)
            .detail("operation", operation.id.as_str())
            .record(&mut tx)
            .await?;
    }
    tx.commit().await?;
    app.wake.notify_one();
    asked.stored(&app, operation).await
}

/// A difference between orders and chain.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Finding)]
pub(crate) struct FindingBody {
    /// Its id.
    id: String,
    /// What kind of difference it is.
    kind: String,
    /// The key or order that it is about.
    subject: String,
    /// What differs.
    detail: String,
    /// When it was seen first.
    first_seen: String,
    /// When it was seen last.
    last_seen: String,
    /// When it was gone.
    resolved_at: Option<String>,
}

impl From<&StoredFinding> for FindingBody {
    fn from(finding: &StoredFinding) -> Self {
        Self {
            id: finding.id.clone(),
            kind: finding.kind.clone(),
            subject: finding.subject.clone(),
            detail: finding.detail.clone(),
            first_seen: clock::text(finding.first_seen),
            last_seen: clock::text(finding.last_seen),
            resolved_at: finding.resolved_at.map(clock::text),
        }
    }
}

/// Lists what differs between orders and chain, open findings first.
#[utoipa::path(
    get,
    path = "/v1/programs/{program}/findings",
    tag = "control",
    params(("program" = String, Path, description = "The program's id")),
    responses(
        (status = 200, description = "The findings", body = Vec<FindingBody>),
        (status = "4XX", description = "Refused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
        (status = "5XX", description = "Could not be read", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    ),
    security(("bearer" = []))
)]
pub(crate) async fn findings(
    State(app): State<App>,
    caller: Caller,
    Path(program): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<Vec<FindingBody>>, Problem> {
    caller.may(Scope::Read, &program)?;
    app.program(&program).ok_or_else(Problem::not_found)?;
    let findings = app.store.findings(Some(&program)).await?;
    Ok(Json(findings.iter().map(FindingBody::from).collect()))
}
