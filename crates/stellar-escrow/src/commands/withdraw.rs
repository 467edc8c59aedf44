//! `stellar-escrow withdraw`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::amount::shown;
use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on};
use crate::output;

/// Sends all tokens of a closed program to somebody. The admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    /// Who gets them: an address, an identity or a contract's alias
    #[arg(long, value_name = "WHO")]
    to: String,
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
            let to = desk.party(&self.to)?;
            let will = format!(
                "withdraw {} to {to}",
                shown(facts.holding.balance, &facts.token)
            );
            let call = OperatorCall::Withdraw { to };
            let done = desk.call(&facts, will, &call).await?;
            let after = desk.facts(&self.contract).await?;
            let counted = after.program.total_withdrawn - facts.program.total_withdrawn;
            let text = |units| facts.token.shown(units);
            Ok(output::one(
                done.record()
                    .with("counted", text(counted))
                    .with("remaining_balance", text(after.program.remaining_balance))
                    .with("token_balance", text(after.holding.balance)),
                desk.format,
            )?)
        })
    }
}
