//! Planning, with the landed transactions where nothing else explains a slot.

use payout_keys::{IdempotencyKey, RunName};

use super::Payer;
use super::order::{Clerk, RunEnd};
use crate::ports::{Host, Network, RunStore, Signer};
use crate::run::{Candidate, Decision, Halt, Source};

impl<N: Network, S: RunStore, G: Signer, H: Host, C: Clerk> Payer<'_, N, S, G, H, C> {
    /// Plans. A slot that neither journal, receipts nor file explain is looked up where it was paid.
    pub(super) async fn decide(&mut self) -> Result<Decision, RunEnd> {
        let mut looked_up: Option<(RunName, u32)> = None;
        loop {
            let halt = match self.planner.decide(&self.input) {
                Ok(decision) => return Ok(decision),
                Err(halt) => halt,
            };
            let Halt::Unexplained {
                run,
                slot,
                key,
                ledger,
                ..
            } = &halt
            else {
                return Err(RunEnd::Halted(halt));
            };
            let this = Some((run.clone(), *slot));
            if looked_up == this {
                return Err(RunEnd::Halted(halt));
            }
            let found = self.landed(*slot, key, *ledger).await?;
            self.candidates(run).extend(found);
            looked_up = this;
        }
    }

    fn candidates(&mut self, run: &RunName) -> &mut Vec<Candidate> {
        let ended = self.input.after.iter_mut().find(|ended| ended.run == *run);
        match ended {
            Some(ended) => &mut ended.chain.candidates,
            None => &mut self.input.chain.candidates,
        }
    }

    /// The lists that transactions carried under `key` in `ledger`. None where the node has forgotten.
    async fn landed(
        &mut self,
        slot: u32,
        key: &IdempotencyKey,
        ledger: u32,
    ) -> Result<Vec<Candidate>, RunEnd> {
        let mut tries = 0;
        loop {
            match self.driver.network.landed(key, ledger).await {
                // A lagging or forgetful node answers nothing; another may know.
                Ok(landed) if landed.is_empty() && tries < 3 => {
                    let why = format!("no transaction of ledger {ledger} was found");
                    self.patience(&mut tries, why).await?;
                }
                Ok(landed) => {
                    let list = |landed: crate::ports::Landed| Candidate {
                        slot,
                        source: Source::Transaction,
                        lines: landed.payout.lines().into(),
                    };
                    return Ok(landed.into_iter().map(list).collect());
                }
                // Nobody tells: nothing is known, which halts the run.
                Err(_) if tries >= self.policy.max_tries => return Ok(Vec::new()),
                Err(why) => self.patience(&mut tries, why.0).await?,
            }
        }
    }
}
