//! Ending a run.

use super::Payer;
use super::offer::Settled;
use super::order::{Clerk, RunEnd};
use crate::driver::Aim;
use crate::journal::Intent;
use crate::ports::{Host, Network, RunStore, Signer};
use crate::protocol::{Obligation, Purpose, Signers};
use crate::run::Decision;

impl<N: Network, S: RunStore, G: Signer, H: Host, C: Clerk> Payer<'_, N, S, G, H, C> {
    /// Voids the open slot, and plans once more, so that every row's verdict is final.
    pub(super) async fn void_open_slot(&mut self) -> RunEnd {
        loop {
            if let Err(end) = self.step_to_end().await {
                return end;
            }
        }
    }

    /// Says with `Ok` that the open slot was decided, by a void or by a payout that was faster.
    async fn step_to_end(&mut self) -> Result<(), RunEnd> {
        self.read().await?;
        self.tell_found();
        // Every earlier slot has to be explained: else it is not known what is not paid.
        let decision = self.decide().await?;
        self.clerk.planned(self.planner.paid());
        if let Decision::Ended { slot } = decision {
            return Err(RunEnd::Ended { slot });
        }
        // One account has one open transaction: what was offered is waited for first.
        match self.settle(|intent| intent.payout.is_none()).await? {
            Settled::Dead => self.void().await,
            Settled::Decided => Ok(()),
        }
    }

    /// Says with `Ok` that the slot has a record, a void or a payout that was faster.
    async fn void(&mut self) -> Result<(), RunEnd> {
        let slot = self.open_slot();
        let intent = Intent {
            key: self.input.place.key(slot),
            payout: None,
            slot: Some((self.input.place.run.clone(), slot)),
        };
        let stored = self.offers.iter().position(|(stored, _)| *stored == intent);
        let state = if let Some(at) = stored {
            self.offers.swap_remove(at).1
        } else {
            let key = intent.key.clone();
            Obligation::new(key, Purpose::Void, Signers::Others, self.policy).knowing(self.horizon)
        };
        let state = self.driver.drive(&intent, state, Aim::Pay).await;
        self.horizon = self.horizon.max(state.horizon());
        if state.phase().is_final() {
            return Ok(());
        }
        let answer = state.answer();
        self.offers.push((intent, state));
        Err(RunEnd::Stopped { slot, answer })
    }
}
