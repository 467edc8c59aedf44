//! The operator's pages, rendered on the server.

use axum::Router;

use crate::http::App;

/// Their routes.
pub(crate) fn router() -> Router<App> {
    Router::new()
}
