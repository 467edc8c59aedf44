//! `stellar-escrow upgrade`.

use clap::Args;
use payout_engine::transaction::OperatorCall;

use super::deploy::CodeArgs;
use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, Plan, block_on};
use crate::output;

/// Puts other code under the escrow. Whoever may do this may change every promise; docs/runbook.md
/// says what to check before. The owner's.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    code: CodeArgs,
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
            let code = self.code.resolve(&desk).await?;
            if code.hash == facts.code {
                return Err(Error::Said(format!("the code is {} already", facts.code)));
            }
            let mut charged = 0_i64;
            if let Some(upload) = &code.upload {
                let cost = desk.prepare(upload).await?.cost();
                desk.confirm(&Plan {
                    will: vec![format!("upload the code {}", code.hash)],
                    fee: cost.most,
                    restores: cost.restores,
                    ..Plan::default()
                })?;
                charged = desk
                    .apply("upload the code", upload, Some(cost.most))
                    .await?
                    .fee_charged;
            }
            let will = format!("change the code from {} to {}", facts.code, code.hash);
            let call = OperatorCall::Upgrade {
                wasm_hash: code.hash.0,
                operator: facts.owner,
            };
            let done = desk.call(&facts, will, &call).await?;
            charged = charged.saturating_add(done.fee_charged);
            Ok(output::one(
                done.record()
                    .with("wasm_hash", code.hash.to_string())
                    .with("fees_charged", charged.to_string()),
                desk.format,
            )?)
        })
    }
}
