//! `stellar-escrow lock`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::amount::{shown, units};
use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on};
use crate::output;

/// Moves tokens into the escrow and books them as locked. Sent once: a lost answer never locks twice.
#[derive(Args)]
pub(crate) struct Cmd {
    /// How much, in whole tokens: 1500.25
    amount: String,
    /// Whose tokens [default: the source's]
    #[arg(long, value_name = "WHO")]
    from: Option<String>,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            let mut desk = Desk::open(&self.act).await?;
            let facts = desk.facts(&self.contract).await?;
            let amount = units(&self.amount, &facts.token)?;
            let from = desk.authoriser(self.from.as_deref())?;
            let will = format!(
                "lock {} ({amount} units) from {from}",
                shown(amount, &facts.token)
            );
            let call = OperatorCall::Lock {
                from,
                amount,
                token: facts.token.contract,
            };
            let done = desk.call(&facts, will, &call).await?;
            let after = desk.facts(&self.contract).await?;
            let remaining = after.token.shown(after.program.remaining_balance);
            Ok(output::one(
                done.record()
                    .with("locked", self.amount)
                    .with("remaining_balance", remaining),
                desk.format,
            )?)
        })
    }
}
