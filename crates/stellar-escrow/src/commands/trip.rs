//! `stellar-escrow trip`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Opens the circuit breaker: no payouts until the admin resets it. The guardian's or the admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    /// Why: at most 128 bytes, public
    #[arg(long, default_value = "")]
    reason: String,
    /// Who trips it [default: the source]
    #[arg(long, value_name = "WHO")]
    caller: Option<String>,
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
            let caller = desk.authoriser(self.caller.as_deref())?;
            let will = "open the circuit breaker; payouts stop".to_owned();
            let reason = self.reason;
            let call = OperatorCall::Trip { caller, reason };
            let applied = desk.call(&facts, will, &call).await?;
            done(&applied, desk.format)
        })
    }
}
