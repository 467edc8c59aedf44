//! `stellar-escrow publish`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Lets the program pay: from Draft to Active, and never back. The admin's.
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
            let will = "publish the program; keys can be imported no more".to_owned();
            let applied = desk.call(&facts, will, &OperatorCall::Publish).await?;
            done(&applied, desk.format)
        })
    }
}
