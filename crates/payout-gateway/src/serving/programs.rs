//! Programs, with what the chain says of them.

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;

use super::query::{NoQuery, Params};
use crate::auth::{Caller, Scope};
use crate::chain::Program;
use crate::http::App;
use crate::problem::Problem;

/// A program.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Program)]
pub(crate) struct ProgramBody {
    /// Its id.
    pub(crate) id: String,
    /// Its contract.
    pub(crate) contract: String,
    /// Whether payouts are being carried out. If not, they are stored and wait.
    pub(crate) ready: bool,
    /// Why not.
    pub(crate) waiting_for: Option<String>,
    /// The token that it pays with.
    pub(crate) token: Option<String>,
    /// The token's decimals.
    pub(crate) decimals: Option<u32>,
    /// `draft`, `active` or `closed`.
    pub(crate) status: Option<String>,
    /// What can still be paid, in the token's smallest unit.
    pub(crate) remaining_balance: Option<String>,
    /// What was paid.
    pub(crate) total_paid: Option<String>,
    /// How many payouts there were.
    pub(crate) payout_count: Option<String>,
    /// Whether payouts are paused.
    pub(crate) paused: Option<bool>,
    /// Whether the circuit breaker is open.
    pub(crate) breaker_open: Option<bool>,
    /// The ledger that all this is of.
    pub(crate) ledger: Option<u32>,
}

impl From<&Program> for ProgramBody {
    fn from(program: &Program) -> Self {
        let known = program.known();
        let facts = known.facts.as_ref();
        Self {
            id: program.id.as_str().to_owned(),
            contract: program.deployment.contract.to_string(),
            ready: known.waiting.is_none(),
            waiting_for: known.waiting.clone(),
            token: facts.map(|facts| facts.token.clone()),
            decimals: facts.map(|facts| facts.decimals),
            status: facts.map(|facts| facts.status.to_owned()),
            remaining_balance: facts.map(|facts| facts.remaining_balance.to_string()),
            total_paid: facts.map(|facts| facts.total_paid.to_string()),
            payout_count: facts.map(|facts| facts.payout_count.to_string()),
            paused: facts.map(|facts| facts.paused),
            breaker_open: facts.map(|facts| facts.breaker_open),
            ledger: facts.map(|facts| facts.ledger),
        }
    }
}

/// Lists the programs of this bearer key.
#[utoipa::path(
    get,
    path = "/v1/programs",
    tag = "programs",
    responses(
        (status = 200, description = "The programs", body = Vec<ProgramBody>),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn programs(
    State(app): State<App>,
    caller: Caller,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<Vec<ProgramBody>>, Problem> {
    if !caller.has(Scope::Read) {
        return Err(Problem::not_found());
    }
    let programs = app.programs.iter();
    Ok(Json(
        programs
            .filter(|program| caller.serves(program.id.as_str()))
            .map(|program| ProgramBody::from(program.as_ref()))
            .collect(),
    ))
}

/// Reads a program.
#[utoipa::path(
    get,
    path = "/v1/programs/{program}",
    tag = "programs",
    params(("program" = String, Path, description = "The program's id")),
    responses(
        (status = 200, description = "The program", body = ProgramBody),
        crate::problem::Unread,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn program(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
) -> Result<Json<ProgramBody>, Problem> {
    caller.may(Scope::Read, &id)?;
    let program = app.program(&id).ok_or_else(Problem::not_found)?;
    Ok(Json(ProgramBody::from(program.as_ref())))
}
