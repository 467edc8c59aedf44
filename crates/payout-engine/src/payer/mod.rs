//! Pays a run: reads its chain, plans, offers for the one open slot, and reads again, until nothing is
//! left to offer or somebody has to look.

mod chain;
mod close;
mod explain;
mod offer;
mod order;

use std::collections::BTreeMap;

use payout_keys::RowId;

pub use order::{Clerk, NoClerk, RunEnd, RunOrder, RunReport};

use crate::driver::Driver;
use crate::journal::{Intent, StoredOffer};
use crate::ports::{Host, Network, RunStore, Signer};
use crate::protocol::{Obligation, Policy, Purpose, Signers};
use crate::rows::Row;
use crate::run::{Candidate, Chain, Decision, EndedRun, Offer, Plan, Planner, RunInput, Source};

/// What is kept between two plans.
struct Payer<'a, N, S, G, H, C> {
    driver: &'a mut Driver<N, S, G, H>,
    clerk: &'a mut C,
    input: RunInput,
    planner: Planner,
    /// Why each row that the chain refused is left out.
    reasons: BTreeMap<RowId, String>,
    /// Offers under the open slot that are not decided, with everything that was signed for them.
    offers: Vec<(Intent, Obligation)>,
    policy: Policy,
    horizon: u32,
    /// Whether it was told what an earlier start left open.
    told: bool,
}

/// Pays what is unpaid of `order`. Dropping the future at any point is as a crash there; the same order
/// goes on.
pub async fn pay<N: Network, S: RunStore, G: Signer, H: Host, C: Clerk>(
    driver: &mut Driver<N, S, G, H>,
    clerk: &mut C,
    order: RunOrder,
) -> RunReport {
    match Payer::begin(driver, clerk, order).await {
        Ok(mut payer) => {
            let end = payer.run().await;
            payer.report(end)
        }
        Err(end) => RunReport::of(end),
    }
}

/// Reads the run and plans, and offers nothing. Gives the rows back.
///
/// # Errors
/// [`RunEnd`], where no plan can be made.
pub async fn look<N: Network, S: RunStore, G: Signer, H: Host, C: Clerk>(
    driver: &mut Driver<N, S, G, H>,
    clerk: &mut C,
    order: RunOrder,
) -> Result<(Plan, Vec<Row>), RunEnd> {
    let mut payer = Payer::begin(driver, clerk, order).await?;
    payer.read().await?;
    payer.decide().await?;
    let plan = payer.planner.plan(&payer.input).map_err(RunEnd::Halted)?;
    Ok((plan, payer.input.rows))
}

/// Voids the open slot of the run, which ends it. What every earlier slot paid has to be explained
/// first. Once that is done, whatever is not paid is finally not paid under this run.
pub async fn close<N: Network, S: RunStore, G: Signer, H: Host, C: Clerk>(
    driver: &mut Driver<N, S, G, H>,
    clerk: &mut C,
    order: RunOrder,
) -> RunReport {
    match Payer::begin(driver, clerk, order).await {
        Ok(mut payer) => {
            let end = payer.void_open_slot().await;
            payer.report(end)
        }
        Err(end) => RunReport::of(end),
    }
}

impl<'a, N: Network, S: RunStore, G: Signer, H: Host, C: Clerk> Payer<'a, N, S, G, H, C> {
    async fn begin(
        driver: &'a mut Driver<N, S, G, H>,
        clerk: &'a mut C,
        order: RunOrder,
    ) -> Result<Self, RunEnd> {
        let run = &order.place.run;
        let unreadable = |why: crate::ports::Unstored| RunEnd::Store(why.0);
        let horizon = driver.store.ledger().await.map_err(unreadable)?;
        let stored = driver.store.offers(run).await.map_err(unreadable)?;
        let mut candidates: Vec<Candidate> = stored.iter().filter_map(candidate).collect();
        candidates.extend(order.known);
        let mut after = Vec::with_capacity(order.after.len());
        for run in order.after {
            let stored = driver.store.offers(&run).await.map_err(unreadable)?;
            let candidates = stored.iter().filter_map(candidate).collect();
            let chain = Chain {
                candidates,
                ..Chain::default()
            };
            after.push(EndedRun { run, chain });
        }
        let restored = |offer: StoredOffer| {
            let purpose = match &offer.intent.payout {
                Some(payout) => Purpose::Pay(payout.fingerprint()),
                None => Purpose::Void,
            };
            let key = offer.intent.key.clone();
            let fresh = Obligation::new(key, purpose, Signers::Others, order.policy);
            let state = fresh.restored(offer.envelopes, horizon);
            offer.verdict.is_none().then_some((offer.intent, state))
        };
        Ok(Self {
            offers: stored.into_iter().filter_map(restored).collect(),
            driver,
            clerk,
            input: RunInput {
                place: order.place,
                chain: Chain {
                    candidates,
                    ..Chain::default()
                },
                rows: order.rows,
                left_out: order.left_out,
                also: order.also,
                after,
                max_batch: order.max_batch,
            },
            planner: Planner::default(),
            reasons: BTreeMap::new(),
            policy: order.policy,
            horizon,
            told: false,
        })
    }

    async fn run(&mut self) -> RunEnd {
        loop {
            if let Err(end) = self.step().await {
                return end;
            }
        }
    }

    /// One offer, and says with `Ok` that there may be another.
    async fn step(&mut self) -> Result<(), RunEnd> {
        self.read().await?;
        self.tell_found();
        let decision = self.decide().await?;
        self.clerk.planned(self.planner.paid());
        match decision {
            Decision::Offer(offer) => self.offer(offer).await,
            Decision::Complete => self.rest(RunEnd::Complete).await,
            Decision::LeftOver => self.rest(RunEnd::LeftOver).await,
            Decision::Ended { slot } => Err(RunEnd::Ended { slot }),
        }
    }

    /// Nothing is left to offer: whatever was signed under the open slot is waited for.
    async fn rest(&mut self, end: RunEnd) -> Result<(), RunEnd> {
        match self.settle(|_| false).await? {
            offer::Settled::Decided => Ok(()),
            offer::Settled::Dead => Err(end),
        }
    }

    fn report(mut self, end: RunEnd) -> RunReport {
        RunReport {
            end,
            plan: self.planner.plan(&self.input).ok(),
            rows: self.input.rows,
            reasons: self.reasons,
            as_of: self.input.chain.as_of,
        }
    }

    /// Tells once, after the first reading, which offers an earlier start left undecided.
    fn tell_found(&mut self) {
        if std::mem::replace(&mut self.told, true) {
            return;
        }
        let open = self.open_slot();
        for (intent, state) in &self.offers {
            let of_slot = intent.slot.as_ref().is_some_and(|(_, slot)| *slot == open);
            if of_slot && !state.envelopes().is_empty() {
                self.clerk.found(open, intent.payout.as_ref());
            }
        }
    }

    fn open_slot(&self) -> u32 {
        u32::try_from(self.input.chain.slots.len()).unwrap_or(u32::MAX)
    }

    /// What the protocol knows of an offer, or a new obligation for it.
    fn take(&mut self, offer: &Offer) -> (Intent, Obligation) {
        let ours = Some(offer.payout.fingerprint());
        let same = |(intent, _): &(Intent, Obligation)| {
            intent.key == offer.key
                && intent.payout.as_ref().map(crate::Payout::fingerprint) == ours
        };
        if let Some(at) = self.offers.iter().position(same) {
            return self.offers.swap_remove(at);
        }
        let intent = Intent {
            key: offer.key.clone(),
            payout: Some(offer.payout.clone()),
            slot: Some((self.input.place.run.clone(), offer.slot)),
        };
        self.input.chain.candidates.push(Candidate {
            slot: offer.slot,
            source: Source::Journal,
            lines: offer.payout.lines().into(),
        });
        let purpose = Purpose::Pay(offer.payout.fingerprint());
        let key = offer.key.clone();
        let state = Obligation::new(key, purpose, Signers::Others, self.policy);
        (intent, state.knowing(self.horizon))
    }
}

/// A stored offer as a list that perhaps explains its slot.
fn candidate(offer: &StoredOffer) -> Option<Candidate> {
    let (_, slot) = offer.intent.slot.as_ref()?;
    Some(Candidate {
        slot: *slot,
        source: Source::Journal,
        lines: offer.intent.payout.as_ref()?.lines().into(),
    })
}
