//! An order as answers show it.

use serde::Serialize;

use crate::clock;
use crate::http::App;
use crate::states::State;
use crate::store::orders::Order;

/// An order.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Order)]
pub(crate) struct OrderBody {
    /// Eight hexadecimal digits of the second it was created in, and 16 of a digest.
    #[schema(min_length = 24, max_length = 24)]
    id: String,
    /// The program that pays.
    program: String,
    /// The caller's key.
    idempotency_key: String,
    /// How often the key was used before, where keys expire; else 0.
    counter: u32,
    /// Where it stands.
    state: State,
    /// Whether that stays so for ever.
    r#final: bool,
    /// Why it stands there, as a name: `refused`, `expired`, `conflict` and so on.
    reason: Option<String>,
    /// The same in words: what is awaited, or what to put right.
    explanation: Option<String>,
    /// What the caller does next.
    next: &'static str,
    /// Whether a void was asked for.
    void_requested: bool,
    /// Who is paid.
    recipients: Vec<String>,
    /// How much, in the token's smallest unit.
    amounts: Vec<String>,
    /// The sum.
    total: String,
    /// SHA-256 of the request's meaning.
    fingerprint: String,
    /// What the contract's record of the payout commits to.
    payout_fingerprint: String,
    /// The key on chain.
    chain_key: String,
    /// Which payout it is in the contract's books.
    payout_id: Option<String>,
    /// The ledger that paid it.
    ledger: Option<i64>,
    /// The transaction that paid it, where it was found.
    transaction: Option<String>,
    /// Names the request in logs and audit rows.
    correlation: String,
    /// When it was stored.
    created_at: String,
    /// When it last changed.
    updated_at: String,
}

impl OrderBody {
    /// The order as it stands; one that waits for the chain says so.
    pub(crate) fn of(app: &App, order: &Order) -> Self {
        let mut body = Self::from(order);
        if order.state == State::Created && body.explanation.is_none() {
            body.explanation = match app.program(&order.program) {
                Some(program) => program.known().waiting,
                None => Some("this gateway is not configured for its program".to_owned()),
            };
        }
        body
    }
}

/// What the caller does next. Where an order is rejected for ever, that depends on what the key was used up by.
fn next(order: &Order) -> &'static str {
    match (order.state, order.is_final, order.reason.as_deref()) {
        (State::Rejected, false, _) => {
            "put `reason` right, then retry under the same key; to pay it otherwise, void it first"
        }
        (State::Rejected, true, Some("conflict")) => {
            "the key paid something else: find out which request is right; do not send this one under \
             a fresh key before"
        }
        (State::Rejected, true, Some("imported")) => {
            "somebody says that another system paid it: find out before anything else is sent"
        }
        (State::Rejected, true, _) => "a new order under a new key may pay it",
        (state, _, _) => state.next(),
    }
}

impl From<&Order> for OrderBody {
    fn from(order: &Order) -> Self {
        let lines = order.payout.lines();
        Self {
            id: order.id.clone(),
            program: order.program.clone(),
            idempotency_key: order.caller_key.as_str().to_owned(),
            counter: order.counter,
            state: order.state,
            r#final: order.is_final,
            reason: order.reason.clone(),
            explanation: order.explanation.clone(),
            next: next(order),
            void_requested: order.void_requested,
            recipients: lines
                .iter()
                .map(|line| line.recipient.to_string())
                .collect(),
            amounts: lines.iter().map(|line| line.amount.to_string()).collect(),
            total: order.payout.total().to_string(),
            fingerprint: order.fingerprint.clone(),
            payout_fingerprint: order.payout.fingerprint().to_string(),
            chain_key: order.chain_key.as_str().to_owned(),
            payout_id: order.payout_id.clone(),
            ledger: order.paid_ledger,
            transaction: order.paid_transaction.clone(),
            correlation: order.correlation.clone(),
            created_at: clock::text(order.created_at),
            updated_at: clock::text(order.updated_at),
        }
    }
}
