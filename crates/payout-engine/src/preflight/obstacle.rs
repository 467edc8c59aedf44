//! What stands in the way on the escrow's own side. Then no row is at fault.

use payout_keys::Recipient;

use crate::Utc;
use crate::escrow::{Facts, ProgramStatus};

/// Something that stops payouts whoever the recipients are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// The program is not paying yet, or no longer.
    #[error("the program is {}, and pays only while it is Active", .status.name())]
    NotActive {
        /// What it is.
        status: ProgramStatus,
    },
    /// Payouts are paused.
    #[error("payouts are paused; the admin unpauses")]
    Paused,
    /// The breaker is open.
    #[error("the circuit breaker is open ({reason:?}, by {by}); the admin resets it", by = .actor.map_or_else(|| "nobody".to_owned(), |actor| actor.to_string()))]
    BreakerOpen {
        /// Why it was tripped.
        reason: String,
        /// By whom.
        actor: Option<Recipient>,
    },
    /// The issuer has taken the escrow's authorisation, or never given it.
    #[error(
        "the escrow is frozen: the issuer of {token} does not authorise it to move any; the \
         recipients are not at fault"
    )]
    Frozen {
        /// The token.
        token: String,
    },
    /// The books have less than is to be paid.
    #[error("the program has {remaining} left, and {needed} are to be paid; lock more")]
    BooksShort {
        /// What is left, as people write it.
        remaining: String,
        /// What is to be paid.
        needed: String,
    },
    /// The escrow has less than its books say: the issuer has clawed back.
    #[error(
        "the escrow holds {balance}, less than the {remaining} of its books (the issuer can claw \
         back), and {needed} are to be paid"
    )]
    BalanceShort {
        /// What it holds.
        balance: String,
        /// What the books say.
        remaining: String,
        /// What is to be paid.
        needed: String,
    },
    /// The outflow limit lets less through now.
    #[error(
        "the outflow limit lets {available} through now and {capacity} at most, and {needed} are \
         to be paid at once; wait, pay in parts, or have the admin change the limit"
    )]
    OutflowShort {
        /// What the bucket has.
        available: String,
        /// Its size.
        capacity: String,
        /// What is to be paid.
        needed: String,
    },
    /// The caller is neither payout key nor delegate.
    #[error("{caller} may not pay: it is neither the payout key {payout_key} nor a delegate")]
    CallerMayNotPay {
        /// Who would authorise.
        caller: Recipient,
        /// Who may.
        payout_key: Recipient,
    },
    /// The delegate's time is over.
    #[error("the delegate {caller} ended at {}", Utc(*.expires_at))]
    DelegateExpired {
        /// The delegate.
        caller: Recipient,
        /// When.
        expires_at: u64,
    },
    /// The delegate may pay less.
    #[error("the delegate {caller} may pay {allowance}, and {needed} are to be paid")]
    AllowanceShort {
        /// The delegate.
        caller: Recipient,
        /// What it may pay.
        allowance: String,
        /// What is to be paid.
        needed: String,
    },
    /// The account that would send does not exist.
    #[error("the source account {source_account} does not exist; fund it with XLM")]
    SourceMissing {
        /// The account.
        source_account: Recipient,
    },
    /// The account that would send cannot pay the fees.
    #[error(
        "the source account {source_account} can spend {spendable} stroops, and {needed} are \
         needed for fees; send it XLM"
    )]
    SourceShort {
        /// The account.
        source_account: Recipient,
        /// What it can spend.
        spendable: i64,
        /// What is needed.
        needed: i64,
    },
    /// A batch is refused with every part of it passing.
    #[error(
        "the rows pass apart and are refused together; use a smaller batch (--max-batch): {text}"
    )]
    RefusedTogether {
        /// The node's text, cut short.
        text: String,
    },
    /// A batch is refused for a reason that has nothing to do with its rows.
    #[error("the escrow refuses the payout: {text}")]
    Refused {
        /// The contract's error, if it was the contract.
        contract_error: Option<u32>,
        /// The node's text, cut short.
        text: String,
    },
}

impl Obstacle {
    /// Its name in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotActive { .. } => "not_active",
            Self::Paused => "paused",
            Self::BreakerOpen { .. } => "breaker_open",
            Self::Frozen { .. } => "frozen",
            Self::BooksShort { .. } => "books_short",
            Self::BalanceShort { .. } => "balance_short",
            Self::OutflowShort { .. } => "outflow_short",
            Self::CallerMayNotPay { .. } => "caller_may_not_pay",
            Self::DelegateExpired { .. } => "delegate_expired",
            Self::AllowanceShort { .. } => "allowance_short",
            Self::SourceMissing { .. } => "source_missing",
            Self::SourceShort { .. } => "source_short",
            Self::RefusedTogether { .. } => "refused_together",
            Self::Refused { .. } => "refused",
        }
    }

    /// Whether a smaller payout might go through.
    #[must_use]
    pub fn depends_on_amount(&self) -> bool {
        matches!(
            self,
            Self::BooksShort { .. }
                | Self::BalanceShort { .. }
                | Self::OutflowShort { .. }
                | Self::AllowanceShort { .. }
                | Self::RefusedTogether { .. }
        )
    }
}

/// The account that would send, and what it can spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The account.
    pub address: Recipient,
    /// What it can spend above its reserve, in stroops; `None` if it does not exist.
    pub spendable: Option<i64>,
    /// What it needs for fees, in stroops.
    pub needed: i64,
}

/// What stands in the way of paying `total` at once, authorised by `caller`.
#[must_use]
pub fn obstacles(
    facts: &Facts,
    caller: Recipient,
    source: Option<&Source>,
    total: i128,
) -> Vec<Obstacle> {
    let mut found = Vec::new();
    let (program, brakes, holding) = (&facts.program, &facts.brakes, &facts.holding);
    let shown = |units| facts.token.shown(units);
    if program.status != ProgramStatus::Active {
        let status = program.status;
        found.push(Obstacle::NotActive { status });
    }
    if brakes.payout_paused {
        found.push(Obstacle::Paused);
    }
    if brakes.breaker_open {
        found.push(Obstacle::BreakerOpen {
            reason: brakes.reason.clone(),
            actor: brakes.actor,
        });
    }
    if !holding.authorised {
        let token = facts.token.name();
        found.push(Obstacle::Frozen { token });
    }
    if program.remaining_balance < total {
        found.push(Obstacle::BooksShort {
            remaining: shown(program.remaining_balance),
            needed: shown(total),
        });
    }
    if holding.balance < total.min(program.remaining_balance) {
        found.push(Obstacle::BalanceShort {
            balance: shown(holding.balance),
            remaining: shown(program.remaining_balance),
            needed: shown(total),
        });
    }
    if let Some(limit) = &brakes.limit {
        // Without a time nothing is taken to have flowed back.
        let available = limit.available(facts.at.close_time.unwrap_or(0));
        if available < total {
            found.push(Obstacle::OutflowShort {
                available: shown(available),
                capacity: shown(limit.capacity),
                needed: shown(total),
            });
        }
    }
    found.extend(of_caller(facts, caller, total));
    found.extend(source.and_then(of_source));
    found
}

fn of_caller(facts: &Facts, caller: Recipient, total: i128) -> Option<Obstacle> {
    let payout_key = facts.program.payout_key;
    if caller == payout_key {
        return None;
    }
    let delegate = facts.delegate.as_ref();
    let Some(delegate) = delegate.filter(|delegate| delegate.address == caller) else {
        return Some(Obstacle::CallerMayNotPay { caller, payout_key });
    };
    let expires_at = delegate.expires_at;
    if facts.at.close_time.is_some_and(|now| now >= expires_at) {
        return Some(Obstacle::DelegateExpired { caller, expires_at });
    }
    (delegate.allowance < total).then(|| Obstacle::AllowanceShort {
        caller,
        allowance: facts.token.shown(delegate.allowance),
        needed: facts.token.shown(total),
    })
}

fn of_source(source: &Source) -> Option<Obstacle> {
    let (source_account, needed) = (source.address, source.needed);
    match source.spendable {
        None => Some(Obstacle::SourceMissing { source_account }),
        Some(spendable) => (spendable < needed).then_some(Obstacle::SourceShort {
            source_account,
            spendable,
            needed,
        }),
    }
}
