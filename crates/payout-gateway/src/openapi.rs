//! The `OpenAPI` document, made from the handlers.

use axum::Json;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::problem::Problem;
use crate::serving::{NoQuery, Params};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Payout gateway",
        description = "Exactly-once payouts on Stellar. Send a request as often as you like: under \
                       one key it is paid once."
    ),
    paths(
        crate::serving::submit::submit,
        crate::serving::list::list,
        crate::serving::list::read,
        crate::serving::attempts::attempts,
        crate::serving::audit::audit,
        crate::serving::audit::double_payments,
        crate::serving::programs::programs,
        crate::serving::programs::program,
        crate::control::void::void,
        crate::control::retry::retry,
        crate::control::refund::refund,
        crate::control::reconcile::reconcile,
        crate::control::reconcile::findings,
        crate::control::operation::read,
        crate::health::health,
        crate::health::readiness,
        crate::health::metrics,
        crate::health::problem,
        document,
    ),
    modifiers(&Bearer)
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        document
            .components
            .get_or_insert_with(Default::default)
            .add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// The document as JSON.
#[must_use]
pub fn openapi_json() -> String {
    let mut text = Document::openapi().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

/// Gives this document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "operations",
    responses(
        (status = 200, description = "This document", body = Object),
        (status = "4XX", description = "Refused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn document(
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<utoipa::openapi::OpenApi>, Problem> {
    Ok(Json(Document::openapi()))
}
