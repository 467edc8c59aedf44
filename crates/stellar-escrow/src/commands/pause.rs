//! `stellar-escrow pause` and `unpause`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// What is meant; without a flag, both.
#[derive(Args)]
struct Flags {
    /// Locking
    #[arg(long)]
    lock: bool,
    /// Paying
    #[arg(long)]
    payout: bool,
}

impl Flags {
    fn chosen(&self) -> (bool, bool, &'static str) {
        match (self.lock, self.payout) {
            (true, false) => (true, false, "locking"),
            (false, true) => (false, true, "payouts"),
            _ => (true, true, "locking and payouts"),
        }
    }
}

/// Stops locking, payouts, or (without a flag) both. The guardian's or the admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    flags: Flags,
    /// Why: at most 128 bytes, public
    #[arg(long, default_value = "")]
    reason: String,
    /// Who pauses [default: the source]
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
            let (lock, payout, what) = self.flags.chosen();
            let call = OperatorCall::Pause {
                caller,
                lock,
                payout,
                reason: self.reason,
            };
            let applied = desk.call(&facts, format!("pause {what}"), &call).await?;
            done(&applied, desk.format)
        })
    }
}

/// Lets locking, payouts, or (without a flag) both go on. The admin's.
#[derive(Args)]
pub(crate) struct Unpause {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

impl Unpause {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            let desk = Desk::open(&self.act).await?;
            let facts = desk.facts(&self.contract).await?;
            let (lock, payout, what) = self.flags.chosen();
            let call = OperatorCall::Unpause { lock, payout };
            let applied = desk.call(&facts, format!("unpause {what}"), &call).await?;
            done(&applied, desk.format)
        })
    }
}
