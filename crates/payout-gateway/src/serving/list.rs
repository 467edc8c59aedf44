//! Orders by id, key, program and state.

use axum::Json;
use axum::extract::{Path, State};
use payout_keys::IdempotencyKey;
use serde::{Deserialize, Serialize};

use super::order::OrderBody;
use super::query::{NoQuery, Params};
use crate::auth::{Caller, Scope};
use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::states::State as OrderState;
use crate::store::orders::{Order, OrderFilter};

const DEFAULT_LIMIT: u32 = 50;
const LARGEST_LIMIT: u32 = 500;

/// Which orders.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OrderQuery {
    /// Those under this key, exactly.
    #[param(min_length = 1, max_length = 256)]
    idempotency_key: Option<String>,
    /// Those of this program.
    program: Option<String>,
    /// Those in this state.
    #[param(inline)]
    state: Option<OrderStateName>,
    /// Those before this id.
    before: Option<String>,
    /// How many; 50 if it is not said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// A state's name.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum OrderStateName {
    Created,
    Submitted,
    OutcomeUnknown,
    Confirmed,
    Rejected,
    Cancelled,
    Refunded,
}

impl From<OrderStateName> for OrderState {
    fn from(name: OrderStateName) -> Self {
        match name {
            OrderStateName::Created => Self::Created,
            OrderStateName::Submitted => Self::Submitted,
            OrderStateName::OutcomeUnknown => Self::OutcomeUnknown,
            OrderStateName::Confirmed => Self::Confirmed,
            OrderStateName::Rejected => Self::Rejected,
            OrderStateName::Cancelled => Self::Cancelled,
            OrderStateName::Refunded => Self::Refunded,
        }
    }
}

/// Some orders, newest first.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct OrderPage {
    payouts: Vec<OrderBody>,
    /// Where the next page begins: `before` of the next request. None: there is no more.
    next: Option<String>,
}

/// Finds orders, by the caller's key above all.
#[utoipa::path(
    get,
    path = "/v1/payouts",
    tag = "payouts",
    params(OrderQuery),
    responses(
        (status = 200, description = "Newest first", body = OrderPage),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Params(query): Params<OrderQuery>,
) -> Result<Json<OrderPage>, Problem> {
    let program = caller.within(Scope::Read, query.program.as_deref())?;
    let refused = |why: String| ProblemKind::QueryInvalid.with(why);
    if let Some(key) = &query.idempotency_key {
        IdempotencyKey::new(key).map_err(|error| refused(error.to_string()))?;
    }
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    if limit == 0 || limit > LARGEST_LIMIT {
        return Err(refused(format!(
            "limit is {limit}; use 1 to {LARGEST_LIMIT}"
        )));
    }
    if query.before.as_deref().is_some_and(|id| !is_order_id(id)) {
        return Err(refused("before is no order's id".to_owned()));
    }
    let filter = OrderFilter {
        program,
        key: query.idempotency_key,
        state: query.state.map(Into::into),
        before: query.before,
        limit: i64::from(limit),
    };
    let orders = app.store.orders(&filter).await?;
    let full = orders.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Json(OrderPage {
        next: orders.last().filter(|_| full).map(|order| order.id.clone()),
        payouts: orders
            .iter()
            .map(|order| OrderBody::of(&app, order))
            .collect(),
    }))
}

/// Whether `text` can be an order's id.
fn is_order_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The order with this id, if the caller may see it with this scope.
pub(crate) async fn visible(
    app: &App,
    caller: &Caller,
    scope: Scope,
    id: &str,
) -> Result<Order, Problem> {
    if !is_order_id(id) {
        return Err(Problem::not_found());
    }
    let order = app.store.order(id).await?.ok_or_else(Problem::not_found)?;
    caller.may(scope, &order.program)?;
    Ok(order)
}

/// Reads an order.
#[utoipa::path(
    get,
    path = "/v1/payouts/{id}",
    tag = "payouts",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "The order", body = OrderBody),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn read(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<OrderBody>, Problem> {
    let order = visible(&app, &caller, Scope::Read, &id).await?;
    Ok(Json(OrderBody::of(&app, &order)))
}
