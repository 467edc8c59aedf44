//! Health, readiness, metrics, and what a problem's type means.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use serde::Serialize;

use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::serving::{NoQuery, Params};

/// Whether it is ready.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Readiness {
    /// Whether the database answers and every program's contract was read.
    ready: bool,
    /// What it waits for.
    waiting_for: Vec<String>,
}

/// Says that the process is alive.
#[utoipa::path(
    get, path = "/healthz", tag = "operations",
    responses(
        (status = 200, description = "The process is alive", body = String),
        (status = "4XX", description = "Refused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn health(Params(NoQuery {}): Params<NoQuery>) -> &'static str {
    "alive\n"
}

/// Says whether it does its work: the database answers, and the chain is being read.
#[utoipa::path(
    get, path = "/readyz", tag = "operations",
    responses(
        (status = 200, description = "Ready", body = Readiness),
        (status = 503, description = "Not ready; requests are stored all the same while the \
         database answers", body = Readiness),
        (status = "4XX", description = "Refused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn readiness(
    State(app): State<App>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Response {
    let mut waiting_for = Vec::new();
    if app.store.now().await.is_err() {
        waiting_for.push("the database".to_owned());
    }
    for program in &app.programs {
        if let Some(why) = program.known().waiting {
            waiting_for.push(format!("{}: {why}", program.id));
        }
    }
    let ready = waiting_for.is_empty();
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(Readiness { ready, waiting_for })).into_response()
}

/// Gives the metrics in Prometheus' text format.
#[utoipa::path(
    get, path = "/metrics", tag = "operations",
    responses(
        (status = 200, description = "Metrics", body = String, content_type = "text/plain"),
        crate::problem::Unread,
    )
)]
pub(crate) async fn metrics(
    State(app): State<App>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Response, Problem> {
    let text = app.metrics.text(&app).await?;
    let kind = "text/plain; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// Says what a problem's type means, and what to do.
#[utoipa::path(
    get, path = "/problems/{name}", tag = "operations",
    params(("name" = String, Path, description = "The type's name")),
    responses(
        (status = 200, description = "What it means", body = String, content_type = "text/plain"),
        (status = "4XX", description = "Refused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn problem(
    Path(name): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Response, Problem> {
    let kind = ProblemKind::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .ok_or_else(Problem::not_found)?;
    let text = format!(
        "{} {}\n{}.\nWhat to do: {}.\n",
        kind.status().as_u16(),
        kind.name(),
        kind.title(),
        kind.next()
    );
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
