//! Reconciliation, asked for; and what it found.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;

use super::opening::{Ended, Incoming, NothingBody, Opening};
use super::operation::OperationBody;
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
        crate::problem::Undecided,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn reconcile(incoming: Incoming) -> Result<Response, Ended> {
    let opening = Opening::<NothingBody>::on_program(OperationKind::Reconcile, incoming).await?;
    let mut tx = opening.app.store.begin().await?;
    let operation = opening.store(&mut tx, "open", None).await?;
    if let Some(operation) = &operation {
        let actor = opening.caller.actor();
        Entry::new("reconciliation_requested", &actor, &operation.program)
            .detail("operation", operation.id.as_str())
            .record(&mut tx)
            .await?;
    }
    opening.end(tx, operation).await
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
        crate::problem::Unread,
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
