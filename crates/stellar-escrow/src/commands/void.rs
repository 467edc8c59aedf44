//! `stellar-escrow void`.

use clap::Args;
use payout_engine::transaction::OperatorCall;
use payout_keys::IdempotencyKey;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Makes an unused key unusable for ever. The payout key's, a delegate's or the admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    /// The idempotency key
    key: IdempotencyKey,
    /// Who voids it [default: the source]
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
            let will = format!(
                "void the key {}; nothing can be paid under it afterwards",
                self.key
            );
            let key = self.key;
            let call = OperatorCall::Void { caller, key };
            let applied = desk.call(&facts, will, &call).await?;
            done(&applied, desk.format)
        })
    }
}
