//! Refund: the payment stays paid; what came back is shown by the transactions that brought it.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use payout_engine::protocol::TxHash;
use payout_keys::{ContractId, Recipient};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::evidence::{EvidenceError, Moved, Shown, shown};
use super::opening::{Asking, Ended, Incoming, Opening};
use super::operation::OperationBody;
use crate::audit::Entry;
use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::serving::{Object, json_body};
use crate::states::State;
use crate::store::operations::OperationKind;
use crate::store::orders::{Change, Order};

/// What shows the refund.
#[derive(Debug, Clone, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Refund)]
pub(crate) struct RefundBody {
    /// One for each transfer back. Together they cover the order's sum.
    #[schema(min_items = 1, max_items = 60, value_type = Vec<Evidence>)]
    evidence: Vec<Object<Evidence>>,
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

impl RefundBody {
    fn evidence(&self) -> Value {
        json!(
            self.evidence
                .iter()
                .map(|Object(one)| [&one.transfer, &one.lock])
                .collect::<Vec<_>>()
        )
    }
}

impl Asking for RefundBody {
    fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Problem> {
        json_body(headers, body)
    }

    fn meaning(&self) -> String {
        self.evidence().to_string()
    }
}

/// What the evidence proves.
struct Proof {
    /// How much came back.
    returned: i128,
    /// Transfer and lock, each by the hash that the ledger has it under.
    transactions: Vec<(TxHash, TxHash)>,
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
        crate::problem::Undecided,
    ),
    security(("bearer" = []))
)]
pub(crate) async fn refund(incoming: Incoming) -> Result<Response, Ended> {
    let (opening, order) = Opening::<RefundBody>::on_order(OperationKind::Refund, incoming).await?;
    allowed(&order)?;
    let proof = proven(&opening.app, &order, &opening.body).await?;
    let (mut tx, order) = opening.lock(&order).await?;
    allowed(&order)?;
    let returned = proof.returned;
    let result = json!({ "returned": returned.to_string() }).to_string();
    let operation = opening.store(&mut tx, "done", Some(&result)).await?;
    if let Some(operation) = &operation {
        let store = &opening.app.store;
        for (transfer, lock) in proof.transactions {
            let both = [Some(transfer), (lock != transfer).then_some(lock)];
            for hash in both.into_iter().flatten() {
                let hash = hash.to_string();
                if !store.take_evidence(&mut tx, &hash, &order.id).await? {
                    return Err(ProblemKind::EvidenceInvalid
                        .with(format!("{hash} was used as evidence before."))
                        .into());
                }
            }
        }
        let entry = Entry::of(&order, "refunded", &opening.caller.actor())
            .detail("operation", operation.id.as_str())
            .detail("returned", returned.to_string())
            .detail("evidence", opening.body.evidence());
        let change = Change {
            to: State::Refunded,
            is_final: true,
            reason: None,
            explanation: Some(format!("{returned} units came back and were locked again")),
            paid: None,
        };
        store.change_order(&mut tx, &order, &change, &entry).await?;
    }
    opening.end(tx, operation).await
}

fn allowed(order: &Order) -> Result<(), Problem> {
    if order.state == State::Confirmed {
        return Ok(());
    }
    Err(ProblemKind::StateForbids
        .with("Only a confirmed order can be refunded.")
        .member("state", order.state.name()))
}

/// What came back by the evidence, if it covers the order's sum.
async fn proven(app: &App, order: &Order, wanted: &RefundBody) -> Result<Proof, Problem> {
    let refused = |why: String| ProblemKind::EvidenceInvalid.with(why);
    let program = app.program(&order.program).ok_or_else(Problem::not_found)?;
    let pins = app
        .store
        .pins(&order.program)
        .await?
        .ok_or_else(|| not_ready("the contract was never read"))?;
    let token =
        ContractId::new(&pins.token).map_err(|_| not_ready("the pinned token cannot be read"))?;
    let mut proof = Proof {
        returned: 0,
        transactions: Vec::new(),
    };
    for Object(one) in &wanted.evidence {
        let read = async |wanted| {
            shown(&app.nodes, wanted, token, program.deployment)
                .await
                .map_err(|error| match error {
                    EvidenceError::Unanswered(_) => not_ready(&error.to_string()),
                    _ => ProblemKind::EvidenceInvalid.with(error.to_string()),
                })
        };
        let (transfer, lock) = (hash(&one.transfer)?, hash(&one.lock)?);
        let (transfer, lock) = (read(transfer).await?, read(lock).await?);
        let pair = (transfer.hash, lock.hash);
        let mut before = proof.transactions.iter();
        if before.any(|(a, b)| [a, b].iter().any(|hash| [pair.0, pair.1].contains(hash))) {
            return Err(refused("A transaction is named twice.".to_owned()));
        }
        proof.transactions.push(pair);
        let escrow = program.deployment.contract;
        let part = part(order, escrow, &transfer, &lock).ok_or_else(|| {
            refused(format!(
                "{} and {} do not show that a recipient of the order gave back and that it was \
                 locked after the payment.",
                one.transfer, one.lock
            ))
        })?;
        proof.returned = proof.returned.saturating_add(part);
    }
    let total = order.payout.total().units();
    if proof.returned < total {
        return Err(refused(format!(
            "{} units came back, and {total} were paid.",
            proof.returned
        )));
    }
    Ok(proof)
}

/// What one transfer and one lock show: the smaller of both.
fn part(order: &Order, escrow: ContractId, transfer: &Shown, lock: &Shown) -> Option<i128> {
    let paid = u32::try_from(order.paid_ledger?).ok()?;
    if transfer.ledger < paid || lock.ledger < transfer.ledger {
        return None;
    }
    let recipients = order.payout.lines();
    // What somebody sent to himself came back to nobody.
    let ours = |moved: &&Moved| {
        moved.from != moved.to && recipients.iter().any(|line| line.recipient == moved.from)
    };
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
        .filter(|moved| {
            // Straight into the escrow, it is the lock's own transfer: another lock books other money.
            let own = moved.to == here && transfer.hash == lock.hash;
            own || locked.iter().any(|locked| locked.from == moved.to)
        })
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
