//! `stellar-escrow limit`.

use clap::Args;
use payout_engine::transaction::{Limits, OperatorCall};

use crate::amount::{shown, units};
use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, block_on, done};

/// Sets how much may flow out, or takes the limit off. Amounts in whole tokens. The admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    /// The most at once, and after a long pause
    #[arg(long, value_name = "AMOUNT", required_unless_present = "off")]
    capacity: Option<String>,
    /// What comes back each second; 0 for nothing
    #[arg(long, value_name = "AMOUNT", required_unless_present = "off")]
    refill_per_second: Option<String>,
    /// The most for one recipient of a payout
    #[arg(long, value_name = "AMOUNT", required_unless_present = "off")]
    max_payout: Option<String>,
    /// No limit
    #[arg(long, conflicts_with_all = ["capacity", "refill_per_second", "max_payout"])]
    off: bool,
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
            let token = &facts.token;
            let limit = match (&self.capacity, &self.refill_per_second, &self.max_payout) {
                (Some(capacity), Some(refill), Some(most)) => Some(Limits {
                    capacity: units(capacity, token)?,
                    refill_per_second: match refill.as_str() {
                        "0" => 0,
                        refill => units(refill, token)?,
                    },
                    max_payout: units(most, token)?,
                }),
                _ => None,
            };
            let will = match &limit {
                Some(limit) => format!(
                    "limit the outflow to {} at once, {} more each second, {} for one recipient",
                    shown(limit.capacity, token),
                    shown(limit.refill_per_second, token),
                    shown(limit.max_payout, token)
                ),
                None => "take the outflow limit off".to_owned(),
            };
            let call = OperatorCall::Limit { limit };
            let applied = desk.call(&facts, will, &call).await?;
            done(&applied, desk.format)
        })
    }
}
