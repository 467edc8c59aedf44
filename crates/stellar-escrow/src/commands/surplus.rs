//! `stellar-escrow surplus`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::amount::shown;
use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on};
use crate::output;

/// Books tokens as locked that were sent to the escrow by plain transfer. The admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            let desk = Desk::open(&self.act).await?;
            let facts = desk.facts(&self.contract).await?;
            let surplus = facts
                .holding
                .balance
                .saturating_sub(facts.program.remaining_balance)
                .max(0);
            let will = format!("book {} as locked", shown(surplus, &facts.token));
            let done = desk.call(&facts, will, &OperatorCall::Surplus).await?;
            let after = desk.facts(&self.contract).await?;
            let credited = after.program.total_locked - facts.program.total_locked;
            let text = |units| facts.token.shown(units);
            Ok(output::one(
                done.record()
                    .with("credited", text(credited))
                    .with("remaining_balance", text(after.program.remaining_balance)),
                desk.format,
            )?)
        })
    }
}
