//! `stellar-escrow close`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Ends the program: nothing is paid or locked any more, what is left is withdrawn. Final. The admin's.
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
            let will = "close the program for good".to_owned();
            let applied = desk.call(&facts, will, &OperatorCall::Close).await?;
            done(&applied, desk.format)
        })
    }
}
