//! Refund: the payment stays paid; what came back is shown by the transactions that brought it.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use payout_engine::protocol::TxHash;
use payout_keys::{ContractId, Recipient};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::evidence::{EvidenceError, Moved, Shown, shown};
use super::operation::{Asked, OperationBody};
use crate::audit::Entry;
use crate::auth::{Caller, Scope};
use crate::chain::Program;
use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::serving::{NoQuery, Params, json_body, visible};
use crate::states::State as OrderState;
use crate::store::operations::OperationKind;
use crate::store::orders::{Change, Order};

/// What shows the refund.
#[derive(Debug, Clone, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Refund)]
pub(crate) struct RefundBody {
    /// One for each transfer back. Together they cover the order's sum.
    #[schema(min_items = 1, max_items = 60)]
    evidence: Vec<Evidence>,
}

/// A transfer back, and the lock that put it into the contract.
#[derive(Debug, Clone, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct Evidence {
    /// Hash of the transaction in which a recipient sent the token to whoever locked it.
    #[schema(min_length = 64, max_length = 64)]
    transfer: String,
    /// Hash of the transaction with `lock_program_funds`. The same one where the recipient locked it.
    #[schema(min_length = 64, max_length = 64)]
    lock: String,
}

/// Marks a confirmed order as refunded, on evidence.
#[utoipa::path(
    post,
    path = "/v1/payouts/{id}/refund",
    tag = "control",
    params(
        ("id" = String, Path, description = "The order's id"),
        ("Idempotency-Key" = String, Header, description = "The operation's own key"),
    ),
    request_body(content = RefundBody, content_type = "application/json"),
    responses(
        (status = 202, description = "Refunded", body = OperationBody),
        (status = 200, description = "The key is known: its operation", body = OperationBody),
        (status = "4XX", description = "Refused; the key is unused", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
        (status = "5XX", description = "Nothing was decided", body = crate::problem::ProblemBody,
         content_type = "application/problem+json"),
    ),
    security(("bearer" = []))
)]
pub(crate) async fn refund(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Params(NoQuery {}): Params<NoQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let order = visible(&app, &caller, Scope::Operate, &id).await?;
    let wanted: RefundBody = json_body(&headers, &body)?;
    let request = json!(
        wanted
            .evidence
            .iter()
            .map(|one| [&one.transfer, &one.lock])
            .collect::<Vec<_>>()
    );
    let asked = Asked::new(
        &headers,
        OperationKind::Refund,
        &order.program,
        Some(&order.id),
        request.to_string(),
    )?;
    if let Some(answer) = asked.known(&app).await? {
        return Ok(answer);
    }
    allowed(&order)?;
    let program = app.program(&order.program).ok_or_else(Problem::not_found)?;
    let returned = proven(&app, program, &order, &wanted).await?;

    let mut tx = app.store.begin().await?;
    let order = app
        .store
        .lock_order(&mut tx, &order.id)
        .await?
        .ok_or_else(Problem::not_found)?;
    allowed(&order)?;
    let result = json!({ "returned": returned.to_string() }).to_string();
    let operation = app
        .store
        .add_operation(&mut tx, &asked.wanted(), "done", Some(&result))
        .await?;
    if let Some(operation) = &operation {
        for one in &wanted.evidence {
            for (hash, role) in [(&one.transfer, "transfer"), (&one.lock, "lock")] {
                let free = app
                    .store
                    .take_evidence(&mut tx, hash, role, &order.id)
                    .await?;
                if !free {
                    return Err(ProblemKind::EvidenceInvalid
                        .with(format!("{hash} was used as evidence before.")));
                }
            }
        }
        let entry = Entry::of(&order, "refunded", &caller.actor())
            .detail("operation", operation.id.as_str())
            .detail("returned", returned.to_string())
            .detail("evidence", request);
        let change = Change {
            to: OrderState::Refunded,
            is_final: true,
            reason: None,
            explanation: Some(format!("{returned} units came back and were locked again")),
            paid: None,
        };
        app.store
            .change_order(&mut tx, &order, &change, &entry)
            .await?;
    }
    tx.commit().await?;
    asked.stored(&app, operation).await
}

fn allowed(order: &Order) -> Result<(), Problem> {
    if order.state == OrderState::Confirmed {
        return Ok(());
    }
    Err(ProblemKind::StateForbids
        .with("Only a confirmed order can be refunded.")
        .member("state", order.state.name()))
}

/// What came back by the evidence, if it covers the order's sum.
async fn proven(
    app: &App,
    program: &Program,
    order: &Order,
    wanted: &RefundBody,
) -> Result<i128, Problem> {
    let refused = |why: String| ProblemKind::EvidenceInvalid.with(why);
    let pins = app
        .store
        .pins(&order.program)
        .await?
        .ok_or_else(|| not_ready("the contract was never read"))?;
    let token =
        ContractId::new(&pins.token).map_err(|_| not_ready("the pinned token cannot be read"))?;
    let escrow = program.deployment.contract;
    let mut returned = 0_i128;
    let mut named = Vec::new();
    for one in &wanted.evidence {
        let pair = (hash(&one.transfer)?, hash(&one.lock)?);
        if named.iter().any(|(a, b)| *a == pair.0 || *b == pair.1) {
            return Err(refused("A transaction is named twice.".to_owned()));
        }
        named.push(pair);
        let read = async |wanted| {
            shown(&app.nodes, wanted, token, escrow)
                .await
                .map_err(|error| match error {
                    EvidenceError::Unanswered(_) => not_ready(&error.to_string()),
                    _ => ProblemKind::EvidenceInvalid.with(error.to_string()),
                })
        };
        let (transfer, lock) = (read(pair.0).await?, read(pair.1).await?);
        let part = part(order, escrow, &transfer, &lock).ok_or_else(|| {
            refused(format!(
                "{} and {} do not show that a recipient of the order gave back and that it was \
                 locked after the payment.",
                one.transfer, one.lock
            ))
        })?;
        returned = returned.saturating_add(part);
    }
    let total = order.payout.total().units();
    if returned < total {
        return Err(refused(format!(
            "{returned} units came back, and {total} were paid."
        )));
    }
    Ok(returned)
}

/// What one transfer and one lock show: the smaller of both.
fn part(order: &Order, escrow: ContractId, transfer: &Shown, lock: &Shown) -> Option<i128> {
    let paid = u32::try_from(order.paid_ledger?).ok()?;
    if transfer.ledger < paid || lock.ledger < transfer.ledger {
        return None;
    }
    let recipients = order.payout.lines();
    let ours = |moved: &&Moved| recipients.iter().any(|line| line.recipient == moved.from);
    let sum = |moved: Vec<&Moved>| {
        moved
            .iter()
            .try_fold(0_i128, |sum, moved| sum.checked_add(moved.amount))
    };
    let here = Recipient::Contract(escrow.0);
    let locked: Vec<&Moved> = lock.locks.iter().collect();
    let came: Vec<&Moved> = transfer
        .transfers
        .iter()
        .filter(ours)
        .filter(|moved| moved.to == here || locked.iter().any(|locked| locked.from == moved.to))
        .collect();
    let part = sum(came)?.min(sum(locked)?);
    (part > 0).then_some(part)
}

fn not_ready(why: &str) -> Problem {
    ProblemKind::NotReady
        .with(format!("The evidence cannot be looked at now: {why}."))
        .retry_after(5)
}

fn hash(text: &str) -> Result<TxHash, Problem> {
    let mut bytes = [0; 32];
    let lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    if lower && hex::decode_to_slice(text, &mut bytes).is_ok() {
        return Ok(TxHash(bytes));
    }
    Err(ProblemKind::BodyInvalid.with("A hash is 64 lower-case hexadecimal digits."))
}
