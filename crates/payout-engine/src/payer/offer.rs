//! One offer under the open slot.

use payout_keys::RowId;

use super::Payer;
use super::order::{Clerk, RunEnd};
use crate::driver::Aim;
use crate::journal::Intent;
use crate::ports::{Host, Network, RunStore, Signer};
use crate::protocol::{Answer, Obligation, Phase, Refusal, Stop};
use crate::run::Offer;

/// What became of earlier offers under the open slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// The slot has a record: read and plan anew.
    Decided,
    /// Nothing that this machine signed can land any more.
    Dead,
}

impl<N: Network, S: RunStore, G: Signer, H: Host, C: Clerk> Payer<'_, N, S, G, H, C> {
    /// Offers, and says with `Ok` that it is to be read and planned anew.
    pub(super) async fn offer(&mut self, offer: Offer) -> Result<(), RunEnd> {
        // Two of ours alive at once would be safe for the money, and would leave a failed transaction or
        // a replay behind.
        let ours = Some(offer.payout.fingerprint());
        let same = |intent: &Intent| intent.payout.as_ref().map(crate::Payout::fingerprint) == ours;
        if self.settle(same).await? == Settled::Decided {
            return Ok(());
        }
        let (intent, state) = self.take(&offer);
        let state = self.driver.drive(&intent, state, Aim::Pay).await;
        self.horizon = self.horizon.max(state.horizon());
        if let Answer::Paid { record, .. } = state.answer() {
            self.clerk.paid(&offer, &record);
        }
        if state.phase().is_final() {
            return Ok(());
        }
        let end = self.stopped(&offer, &state).await;
        self.offers.push((intent, state));
        end
    }

    /// An offer that came to rest without a verdict.
    async fn stopped(&mut self, offer: &Offer, state: &Obligation) -> Result<(), RunEnd> {
        if state.phase() == Phase::AwaitingConsent {
            let (entries, resource_fee) = state.restores().unwrap_or_default();
            return Err(RunEnd::NeedsConsent {
                entries,
                resource_fee,
            });
        }
        let answer = state.answer();
        if let Answer::Stopped {
            stop: Stop::Refused(refusal),
            ..
        } = &answer
            && self.leave_out(offer, refusal).await?
        {
            return Ok(());
        }
        Err(RunEnd::Stopped {
            slot: offer.slot,
            answer,
        })
    }

    /// Leaves the rows out that are why an offer was refused. Whether there is a reason to plan anew:
    /// some were, or the slot was taken meanwhile.
    async fn leave_out(&mut self, offer: &Offer, refusal: &Refusal) -> Result<bool, RunEnd> {
        let known = self.open_slot();
        self.read().await?;
        if self.open_slot() != known {
            return Ok(true);
        }
        let mut tries = 0;
        let faults = loop {
            match self.clerk.at_fault(refusal, &offer.payout).await {
                Ok(faults) => break faults,
                Err(why) => self.patience(&mut tries, why.0).await?,
            }
        };
        let mut some = false;
        for (line, why) in faults {
            if let Some(id) = offer.ids.get(line) {
                some |= self.leave(id, why);
            }
        }
        Ok(some)
    }

    fn leave(&mut self, id: &RowId, why: String) -> bool {
        self.reasons.insert(id.clone(), why);
        self.input.left_out.insert(id.clone())
    }

    /// Waits for whatever this machine signed under the open slot, except for what is about to `go_on`.
    pub(super) async fn settle(
        &mut self,
        go_on: impl Fn(&Intent) -> bool,
    ) -> Result<Settled, RunEnd> {
        let open = self.open_slot();
        let of_slot = |intent: &Intent| intent.slot.as_ref().is_some_and(|(_, slot)| *slot == open);
        // Offers under decided slots are of no concern any more.
        self.offers.retain(|(intent, _)| of_slot(intent));
        let mut at = 0;
        while at < self.offers.len() {
            let (intent, state) = &self.offers[at];
            if go_on(intent) || state.envelopes().is_empty() {
                at += 1;
                continue;
            }
            let (intent, state) = self.offers.swap_remove(at);
            let state = self.driver.drive(&intent, state, Aim::FindOut).await;
            self.horizon = self.horizon.max(state.horizon());
            if state.phase().is_final() {
                return Ok(Settled::Decided);
            }
            let answer = state.answer();
            let dead = matches!(
                &answer,
                Answer::Stopped {
                    stop: Stop::OnlyVoidIsFinal { .. },
                    ..
                }
            );
            if !dead {
                self.offers.push((intent, state));
                return Err(RunEnd::Stopped { slot: open, answer });
            }
        }
        Ok(Settled::Dead)
    }
}
