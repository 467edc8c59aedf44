//! `stellar-escrow guardian`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Names who may pause and trip, and do nothing else; or nobody. The admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    /// The guardian: an address, an identity or a contract's alias
    #[arg(required_unless_present = "none")]
    who: Option<String>,
    /// Nobody
    #[arg(long, conflicts_with = "who")]
    none: bool,
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
            let guardian = self.who.as_deref().map(|who| desk.party(who)).transpose()?;
            let will = match guardian {
                Some(guardian) => format!("make {guardian} the guardian"),
                None => "take the guardian's role away".to_owned(),
            };
            let call = OperatorCall::Guardian { guardian };
            let applied = desk.call(&facts, will, &call).await?;
            done(&applied, desk.format)
        })
    }
}
