//! What was signed for an order.

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;

use super::list::visible;
use super::query::{NoQuery, Params};
use crate::auth::{Caller, Scope};
use crate::clock;
use crate::http::App;
use crate::problem::Problem;
use crate::store::envelopes::Attempt;

/// A signed envelope.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Attempt)]
pub(crate) struct AttemptBody {
    /// `pay` or `void`.
    pub(crate) purpose: String,
    /// The hash that it is known by.
    pub(crate) transaction: String,
    /// The inner transaction's hash, another one where this is a fee bump.
    pub(crate) inner_transaction: String,
    /// The account that carries it.
    pub(crate) source: String,
    /// That account's sequence number.
    pub(crate) sequence: String,
    /// What it bids, in stroops for each operation.
    pub(crate) bid: u32,
    /// The resource fee it declares, in stroops.
    pub(crate) resource_fee: String,
    /// The last close time that may include it, in Unix seconds.
    pub(crate) max_time: u64,
    /// The first ledger that may not include it.
    pub(crate) max_ledger: u32,
    /// When it was signed.
    pub(crate) signed_at: String,
}

impl From<&Attempt> for AttemptBody {
    fn from(attempt: &Attempt) -> Self {
        let signed = &attempt.signed;
        Self {
            purpose: attempt.purpose.clone(),
            transaction: signed.hash.to_string(),
            inner_transaction: signed.inner.to_string(),
            source: signed.source.clone(),
            sequence: signed.sequence.to_string(),
            bid: signed.bid.0,
            resource_fee: signed.resource_fee.to_string(),
            max_time: signed.bounds.max_time,
            max_ledger: signed.bounds.max_ledger,
            signed_at: clock::text(attempt.signed_at),
        }
    }
}

/// Reads what was signed for an order, in its order.
#[utoipa::path(
    get,
    path = "/v1/payouts/{id}/attempts",
    tag = "payouts",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "Everything that was signed", body = Vec<AttemptBody>),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn attempts(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<Vec<AttemptBody>>, Problem> {
    let order = visible(&app, &caller, Scope::Read, &id).await?;
    let attempts = app.store.attempts(&order.id).await?;
    Ok(Json(attempts.iter().map(AttemptBody::from).collect()))
}
