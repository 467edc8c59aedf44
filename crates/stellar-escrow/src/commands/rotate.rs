//! `stellar-escrow rotate`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Makes another key the payout key. Delegates stay. The admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    /// The new payout key: an address, an identity or a contract's alias
    new_key: String,
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
            let key = desk.party(&self.new_key)?;
            let will = format!(
                "make {key} the payout key instead of {}",
                facts.program.payout_key
            );
            let call = OperatorCall::Rotate { key };
            let applied = desk.call(&facts, will, &call).await?;
            done(&applied, desk.format)
        })
    }
}
