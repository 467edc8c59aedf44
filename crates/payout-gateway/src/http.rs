//! The routes, and what every request goes through.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::sync::Notify;

use crate::auth::{Auth, Limits};
use crate::chain::Program;
use crate::clock::Millis;
use crate::ids::random_id;
use crate::metrics::Metrics;
use crate::problem::{Problem, ProblemKind};
use crate::store::Store;
use crate::{control, health, openapi, pages, serving};

/// What handlers share.
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) auth: Auth,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) programs: Vec<Arc<Program>>,
    /// After how long an ended order's key is free again.
    pub(crate) window: Option<Millis>,
    /// Nodes, for looking at the evidence of a refund.
    pub(crate) nodes: Vec<payout_engine::rpc::Client>,
    pub(crate) body_bytes: usize,
    /// Wakes this process' worker.
    pub(crate) wake: Notify,
}

/// The shared state.
pub(crate) type App = Arc<Shared>;

impl Shared {
    /// The configured program of that id.
    pub(crate) fn program(&self, id: &str) -> Option<&Arc<Program>> {
        self.programs
            .iter()
            .find(|program| program.id.as_str() == id)
    }
}

/// Names a request in logs, audit rows and the transaction's order.
#[derive(Debug, Clone)]
pub(crate) struct Correlation(pub(crate) String);

const CORRELATION: HeaderName = HeaderName::from_static("x-correlation-id");
const LONGEST_CORRELATION: usize = 64;

impl<S: Send + Sync> FromRequestParts<S> for Correlation {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| ProblemKind::Internal.with("The request has no name."))
    }
}

/// All routes.
pub(crate) fn router(app: &App) -> Router {
    let api = Router::new()
        .route("/v1/programs", get(serving::programs))
        .route("/v1/programs/{program}", get(serving::program))
        .route("/v1/programs/{program}/payouts", post(serving::submit))
        .route(
            "/v1/programs/{program}/double-payments",
            get(serving::double_payments),
        )
        .route(
            "/v1/programs/{program}/reconciliations",
            post(control::reconcile),
        )
        .route("/v1/programs/{program}/findings", get(control::findings))
        .route("/v1/payouts", get(serving::list))
        .route("/v1/payouts/{id}", get(serving::read))
        .route("/v1/payouts/{id}/attempts", get(serving::attempts))
        .route("/v1/payouts/{id}/void", post(control::void))
        .route("/v1/payouts/{id}/retry", post(control::retry))
        .route("/v1/payouts/{id}/refund", post(control::refund))
        .route("/v1/operations/{id}", get(control::operation))
        .route("/v1/audit", get(serving::audit))
        .route("/healthz", get(health::health))
        .route("/readyz", get(health::readiness))
        .route("/metrics", get(health::metrics))
        .route("/openapi.json", get(openapi::document))
        .route("/problems/{name}", get(health::problem))
        .merge(pages::router())
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(nothing);
    api.layer(DefaultBodyLimit::max(app.body_bytes))
        .layer(from_fn(as_problem))
        .layer(from_fn_with_state(Arc::clone(app), observe))
        .with_state(Arc::clone(app))
}

async fn method_not_allowed() -> Problem {
    ProblemKind::MethodNotAllowed.with("This path has no such method.")
}

async fn nothing() -> Problem {
    Problem::not_found()
}

/// What the framework refuses by itself becomes a problem like every other.
async fn as_problem(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let plain = response
        .headers()
        .get(axum::http::header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !status.is_client_error() || !plain {
        return response;
    }
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => ProblemKind::TooLarge.with("The body is too large."),
        StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST if is_path_refusal(&response) => {
            Problem::not_found()
        }
        _ => ProblemKind::BodyInvalid.with("The request cannot be read."),
    }
    .into_response()
}

/// A path whose escapes do not decode names nothing.
fn is_path_refusal(response: &Response) -> bool {
    response.status() == StatusCode::NOT_FOUND || response.status() == StatusCode::BAD_REQUEST
}

/// Gives the request a name, counts it and logs it.
async fn observe(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let correlation = match correlation(&request) {
        Ok(name) => name,
        Err(problem) => return problem.into_response(),
    };
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("none", MatchedPath::as_str)
        .to_owned();
    let method = request.method().clone();
    request
        .extensions_mut()
        .insert(Correlation(correlation.clone()));
    let mut response = next.run(request).await;
    let status = response.status().as_u16();
    let seconds = started.elapsed().as_secs_f64();
    app.metrics.answered(&route, status, seconds);
    tracing::info!(%method, route, status, seconds, correlation, "answered");
    if let Ok(value) = HeaderValue::from_str(&correlation) {
        response.headers_mut().insert(CORRELATION, value);
    }
    response
}

/// The caller's name for the request if it can be one, else a new one.
fn correlation(request: &Request) -> Result<String, Problem> {
    let given = request
        .headers()
        .get(CORRELATION)
        .and_then(|value| value.to_str().ok())
        .filter(|name| (1..=LONGEST_CORRELATION).contains(&name.len()))
        .filter(|name| {
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        });
    match given {
        Some(name) => Ok(name.to_owned()),
        None => random_id().map_err(|error| ProblemKind::Internal.with(error.to_string())),
    }
}
