//! `stellar-escrow migrate`.

use clap::Args;
use payout_engine::escrow::EscrowError;
use payout_engine::transaction::OperatorCall;
use stellar_xdr::ScVal;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, Plan, block_on};
use crate::output::{self, Record};

/// The most keys of one call.
const BATCH: u32 = 30;

/// Makes an upgraded instance of the earlier layout usable, then moves its keys. Stopped anywhere,
/// the same command goes on. The old admin's, then the admin's.
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
            let mut charged = 0_i64;
            let mut migrated = false;
            let facts = match desk.facts(&self.contract).await {
                Err(Error::Escrow(EscrowError::NotMigrated { contract })) => {
                    let will = "make the program of the earlier layout ours".to_owned();
                    let name = format!("{contract} (of the earlier layout)");
                    let call = OperatorCall::MigrateLegacy;
                    let done = desk.call_on(contract, name, will, &call).await?;
                    charged = done.fee_charged;
                    migrated = true;
                    desk.facts(&self.contract).await?
                }
                other => other?,
            };
            let act = OperatorCall::MigrateLegacyKeys { limit: BATCH }.act(facts.contract)?;
            let mut calls = 0_u32;
            loop {
                let prepared = desk.prepare(&act).await?;
                let left = prepared.returned() == Some(&ScVal::U32(0));
                let cost = prepared.cost();
                if calls == 0 {
                    desk.confirm(&Plan {
                        contract: Some(facts.contract.to_string()),
                        will: vec![format!(
                            "move the keys of the earlier layout, {BATCH} a transaction; fees are \
                             for each"
                        )],
                        fee: cost.most,
                        restores: cost.restores,
                    })?;
                }
                let done = desk.apply("move keys", &act, Some(cost.most)).await?;
                charged = charged.saturating_add(done.fee_charged);
                calls = calls.saturating_add(1);
                if left {
                    break;
                }
            }
            let record = Record::default()
                .with("program_migrated", migrated)
                .with("key_transactions", calls)
                .with("fee_charged", charged.to_string());
            Ok(output::one(record, desk.format)?)
        })
    }
}
