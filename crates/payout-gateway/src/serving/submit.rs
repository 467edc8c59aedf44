//! `POST /v1/programs/{program}/payouts`: the request that may come any number of times.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::body::{PayoutBody, fingerprint, json_body};
use super::key::idempotency_key;
use super::order::OrderBody;
use super::query::{NoQuery, Params};
use crate::auth::{Caller, Scope};
use crate::http::{App, Correlation};
use crate::problem::{Problem, ProblemKind};
use crate::store::accept::{Accepted, Found, Request};
use crate::store::orders::Order;

/// The header that tells a repeated request's answer from the first one's.
const REPLAYED: &str = "idempotent-replayed";

/// Submits a payout, exactly once for each key.
///
/// The same key with the same meaning always gives the same order, whatever became of it.
#[utoipa::path(
    post,
    path = "/v1/programs/{program}/payouts",
    tag = "payouts",
    params(
        ("program" = String, Path, description = "The program's id"),
        ("Idempotency-Key" = String, Header, description = "The caller's key for this obligation: \
          1 to 256 printable ASCII characters without blanks, raw or as a quoted string"),
    ),
    request_body(content = PayoutBody, content_type = "application/json"),
    responses(
        (status = 202, description = "Stored; it will be paid", body = OrderBody,
         headers(("Location" = String, description = "The order"))),
        (status = 200, description = "The key is known: its order as it stands", body = OrderBody,
         headers(("Idempotent-Replayed" = String, description = "true"),
                 ("Location" = String, description = "The order"))),
        (status = "4XX", description = "Refused; the key is unused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
        (status = "5XX", description = "Nothing was decided", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    ),
    security(("bearer" = []))
)]
pub(crate) async fn submit(
    State(app): State<App>,
    caller: Caller,
    Path(program): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
    correlation: Correlation,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    caller.may(Scope::Submit, &program)?;
    let chain = app.program(&program).ok_or_else(Problem::not_found)?;
    let key = idempotency_key(&headers)?;
    let wanted: PayoutBody = json_body(&headers, &body)?;
    let (decimals, max_batch) = chain.scale(&wanted)?;
    let print = fingerprint(&wanted.meaning(decimals)?);

    let counter = match app.store.find_key(&chain.id, &key, app.window).await? {
        Found::Order(order) => return known(&app, &order, &print),
        Found::Free(counter) => counter,
    };
    chain.placed()?;
    let payout = wanted.payout(decimals, max_batch)?;
    let request = Request {
        program: chain,
        key: &key,
        fingerprint: &print,
        correlation: &correlation.0,
        actor: &caller.actor(),
    };
    match app.store.accept(&request, &payout, counter).await? {
        Accepted::Known(order) => known(&app, &order, &print),
        Accepted::New(order) => {
            app.metrics.accepted.inc();
            app.wake.notify_one();
            tracing::info!(
                order = order.id,
                program,
                correlation = correlation.0,
                "accepted"
            );
            Ok(answer(&app, StatusCode::ACCEPTED, &order))
        }
    }
}

/// The key has an order: the answer, if this is the request it stands for.
fn known(app: &App, order: &Order, print: &str) -> Result<Response, Problem> {
    if order.fingerprint != print {
        app.metrics.conflicts.inc();
        return Err(ProblemKind::KeyReused
            .with(format!(
                "Key {} has order {}, which asks for something else.",
                order.caller_key, order.id
            ))
            .member("recorded_fingerprint", order.fingerprint.as_str())
            .member("presented_fingerprint", print));
    }
    app.metrics.replayed.inc();
    let mut response = answer(app, StatusCode::OK, order);
    response
        .headers_mut()
        .insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

fn answer(app: &App, status: StatusCode, order: &Order) -> Response {
    let mut response = (status, Json(OrderBody::of(app, order))).into_response();
    if let Ok(location) = HeaderValue::from_str(&format!("/v1/payouts/{}", order.id)) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}
