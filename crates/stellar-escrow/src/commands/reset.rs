//! `stellar-escrow reset`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Closes the circuit breaker again. With an outflow limit, flow comes back slowly. The admin's.
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
            let will = "reset the circuit breaker; payouts go on".to_owned();
            let applied = desk.call(&facts, will, &OperatorCall::Reset).await?;
            done(&applied, desk.format)
        })
    }
}
