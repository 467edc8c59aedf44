//! `stellar-escrow status`.

use clap::Args;
use payout_engine::escrow::{Facts, Wanted, read};
use payout_engine::ledger::Life;

use crate::config::ContractArgs;
use crate::desk::{Error, ReadArgs, block_on};
use crate::output::{self, Record};

/// Lifetimes that end sooner are warned of: about 30 days.
pub(super) const SOON: u32 = 518_400;

/// Shows program, books, brakes, roles, code and lifetimes. Reads only. Amounts in whole tokens.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    read: ReadArgs,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            let network = self.read.network.resolve()?;
            let folder = self.read.network.folder.resolve()?;
            let wanted = Wanted {
                passphrase: network.passphrase(),
                contract: self.contract.resolve(&folder, network.passphrase())?,
                delegate: None,
            };
            let facts = read(&network.client()?, &wanted).await?;
            warn(&facts);
            Ok(output::one(record(&facts), self.read.output)?)
        })
    }
}

fn record(facts: &Facts) -> Record {
    let text = |units| facts.token.shown(units);
    let (program, brakes) = (&facts.program, &facts.brakes);
    let now = facts.at.close_time;
    let limit = brakes.limit.as_ref();
    let pending = facts.pending_owner.as_ref();
    Record::default()
        .with("contract", facts.contract.to_string())
        .with("network", facts.passphrase.clone())
        .with("ledger", facts.at.ledger)
        .with("program_id", program.program_id.clone())
        .with("status", program.status.name())
        .with("token", facts.token.name())
        .with("token_contract", facts.token.contract.to_string())
        .with("decimals", facts.token.decimals)
        .with("total_locked", text(program.total_locked))
        .with("total_paid", text(program.total_paid))
        .with("total_withdrawn", text(program.total_withdrawn))
        .with("remaining_balance", text(program.remaining_balance))
        .with("token_balance", text(facts.holding.balance))
        .with("token_authorised", facts.holding.authorised)
        .with("payout_count", program.payout_count.to_string())
        .with("lock_paused", brakes.lock_paused)
        .with("payout_paused", brakes.payout_paused)
        .with(
            "breaker",
            if brakes.breaker_open {
                "Open"
            } else {
                "Closed"
            },
        )
        .with("breaker_reason", brakes.reason.clone())
        .with("breaker_actor", brakes.actor.map(|actor| actor.to_string()))
        .with("limit_capacity", limit.map(|limit| text(limit.capacity)))
        .with(
            "limit_refill_per_second",
            limit.map(|limit| text(limit.refill_per_second)),
        )
        .with(
            "limit_max_payout",
            limit.map(|limit| text(limit.max_payout)),
        )
        .with(
            "limit_available",
            limit
                .zip(now)
                .map(|(limit, now)| text(limit.available(now))),
        )
        .with("owner", facts.owner.to_string())
        .with(
            "pending_owner",
            pending.map(|pending| pending.address.to_string()),
        )
        .with("payout_key", program.payout_key.to_string())
        .with(
            "guardian",
            brakes.guardian.map(|guardian| guardian.to_string()),
        )
        .with("max_batch", facts.max_batch)
        .with("wasm_hash", facts.code.to_string())
        .with("instance_live_until", facts.lifetimes.instance)
        .with("code_live_until", facts.lifetimes.code)
}

/// What an operator has to know, on stderr.
fn warn(facts: &Facts) {
    let token = &facts.token;
    let short = facts
        .program
        .remaining_balance
        .saturating_sub(facts.holding.balance);
    if short > 0 {
        let short = token.shown(short);
        eprintln!("warning: the escrow holds {short} less than its books say; was it clawed back?");
    } else if short < 0 {
        let more = token.shown(short.saturating_neg());
        eprintln!("note: {more} came by plain transfer and are not booked; `surplus` books them");
    }
    if !facts.holding.authorised {
        eprintln!("warning: the token's issuer has frozen the escrow's balance");
    }
    let lives = [
        ("instance", facts.lifetimes.instance),
        ("code", facts.lifetimes.code),
    ];
    for (what, until) in lives {
        if until.saturating_sub(facts.at.ledger) < SOON {
            eprintln!(
                "warning: the {what} lives up to ledger {until} only; `keepalive --extend-to` \
                 lengthens it"
            );
        }
    }
    if token.life == Life::Archived {
        eprintln!("warning: the token's contract is archived");
    }
}
