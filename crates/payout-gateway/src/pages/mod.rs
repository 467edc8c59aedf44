//! The operator's pages: rendered on the server, without scripts. They show and export; what changes
//! anything goes through the API, where it has a key of its own.

mod audit;
mod findings;
mod layout;
mod order;
mod orders;
mod programs;
mod session;

use axum::Router;
use axum::http::header;
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};

use crate::http::App;

/// Scripts are never needed, and no other site may frame or be posted to.
const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";

/// Their routes.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/operator", get(async || Redirect::to("/operator/payouts")))
        .route("/operator/login", get(session::form).post(session::log_in))
        .route("/operator/logout", post(session::log_out))
        .route("/operator/style.css", get(style))
        .route("/operator/programs", get(programs::page_of_all))
        .route("/operator/payouts", get(orders::page))
        .route("/operator/payouts/{id}", get(order::page_of_one))
        .route("/operator/findings", get(findings::page_of_all))
        .route("/operator/audit", get(audit::page_of_rows))
        .route("/operator/audit.ndjson", get(audit::export))
        .layer(map_response(guarded))
}

async fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, axum::http::HeaderValue::from_static(value));
    }
    response
}

async fn style() -> Response {
    let kind = [(header::CONTENT_TYPE, "text/css; charset=utf-8")];
    (kind, include_str!("style.css")).into_response()
}
