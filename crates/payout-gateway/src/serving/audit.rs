//! The audit trail, and the query for double payments.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::query::{NoQuery, Params};
use crate::audit::AuditFilter;
use crate::auth::{Caller, Scope};
use crate::http::App;
use crate::problem::{Problem, ProblemKind};

const DEFAULT_LIMIT: u32 = 100;
const LARGEST_LIMIT: u32 = 1_000;

/// Which rows.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Those of this program.
    program: Option<String>,
    /// Those about this order.
    order: Option<String>,
    /// Those under this key.
    idempotency_key: Option<String>,
    /// From this moment on, in Unix milliseconds.
    #[param(minimum = 0)]
    from: Option<i64>,
    /// Before this moment, in Unix milliseconds.
    #[param(minimum = 0)]
    until: Option<i64>,
    /// Those after this id.
    after: Option<String>,
    /// How many; 100 if it is not said.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// Rows of the audit log, oldest first.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AuditPage {
    /// The rows, with their place in the hash chain where they are sealed.
    #[schema(value_type = Vec<Object>)]
    rows: Vec<Value>,
    /// Where the next page begins: `after` of the next request. None: there is no more.
    next: Option<String>,
}

/// Reads the audit trail by order, key or time.
#[utoipa::path(
    get,
    path = "/v1/audit",
    tag = "control",
    params(AuditQuery),
    responses(
        (status = 200, description = "Oldest first", body = AuditPage),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn audit(
    State(app): State<App>,
    caller: Caller,
    Params(query): Params<AuditQuery>,
) -> Result<Json<AuditPage>, Problem> {
    let program = caller.within(Scope::Read, query.program.as_deref())?;
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    let negative = [query.from, query.until]
        .into_iter()
        .flatten()
        .any(|at| at < 0);
    let readable = [&query.order, &query.idempotency_key, &query.after]
        .into_iter()
        .flatten()
        .all(|text| text.bytes().all(|byte| byte.is_ascii_graphic()));
    if limit == 0 || limit > LARGEST_LIMIT || negative || !readable {
        return Err(ProblemKind::QueryInvalid.with(format!(
            "limit is 1 to {LARGEST_LIMIT}, times are not negative, ids and keys are printable \
             ASCII."
        )));
    }
    let filter = AuditFilter {
        program,
        order: query.order,
        key: query.idempotency_key,
        from: query.from,
        until: query.until,
        after: query.after,
        limit: i64::from(limit),
    };
    let rows = app.store.audit_rows(&filter).await?;
    let full = rows.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Json(AuditPage {
        next: rows.last().filter(|_| full).map(|row| row.id.clone()),
        rows: rows.iter().map(crate::audit::Row::to_json).collect(),
    }))
}

/// Keys that more than one order or creation stands under. It is empty unless something is badly
/// wrong.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DoublePayments {
    keys: Vec<DoubleKey>,
}

/// A key with more than one order or creation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct DoubleKey {
    idempotency_key: String,
    counter: i64,
    orders: i64,
    creations: i64,
}

/// Asks whether any key was used for more than one payment.
#[utoipa::path(
    get,
    path = "/v1/programs/{program}/double-payments",
    tag = "control",
    params(("program" = String, Path, description = "The program's id")),
    responses(
        (status = 200, description = "The keys; none is right", body = DoublePayments),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn double_payments(
    State(app): State<App>,
    caller: Caller,
    Path(program): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<DoublePayments>, Problem> {
    caller.may(Scope::Read, &program)?;
    app.program(&program).ok_or_else(Problem::not_found)?;
    let keys = app.store.double_payments(&program).await?;
    Ok(Json(DoublePayments {
        keys: keys
            .into_iter()
            .map(|(idempotency_key, counter, orders, creations)| DoubleKey {
                idempotency_key,
                counter,
                orders,
                creations,
            })
            .collect(),
    }))
}
