//! The engine's ports, on the gateway's store and keys.

use payout_engine::envelope::{self, intent_call};
use payout_engine::journal::Intent;
use payout_engine::ports::{Host, Signer, Store as StorePort, Unsigned, Unstored};
use payout_engine::protocol::{BumpRequest, Entry, Jitter, Obligation, Phase, SignRequest, Signed};
use payout_keys::{Deployment, Recipient};
use prometheus_client::metrics::counter::Counter;

use super::lanes::Signing;
use super::verdict::{self, Verdict};
use crate::store::jobs::Job;
use crate::store::orders::Order;
use crate::store::{Store, StoreError};

/// Stores what the protocol asks for, for one job.
pub(super) struct JobStore {
    pub(super) store: Store,
    pub(super) signed: Counter,
    pub(super) job: Job,
    pub(super) order: Order,
    /// How many envelopes were known before.
    pub(super) known: usize,
    /// Whether a verdict came that could not be stored. It is true all the same, so the protocol ends; the job must not.
    pub(super) verdict_lost: bool,
}

#[allow(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unstored(error: StoreError) -> Unstored {
    tracing::warn!(%error, "not stored, so not gone on with");
    Unstored(error.to_string())
}

impl StorePort for JobStore {
    async fn store(&mut self, _intent: &Intent, entry: &Entry) -> Result<(), Unstored> {
        let store = &self.store;
        match entry {
            // The order's row is the intent: it was stored when the request was accepted.
            Entry::Intent { .. } => Ok(()),
            Entry::Envelope { signed, .. } => {
                let added = store.add_envelope(&self.job, &self.order, signed).await;
                added.map_err(unstored)?;
                self.known += 1;
                self.signed.inc();
                tracing::info!(
                    order = self.order.id,
                    correlation = self.order.correlation,
                    transaction = %signed.hash,
                    "signed"
                );
                Ok(())
            }
            Entry::Verdict {
                phase,
                record,
                ledger,
                ..
            } => {
                let verdict = Verdict {
                    phase: *phase,
                    record: *record,
                    ledger: *ledger,
                    ours: self.known > 0,
                };
                let stored = verdict::record(&self.store, &self.job, &self.order, &verdict).await;
                self.verdict_lost = stored.is_err();
                stored.map_err(unstored)
            }
            Entry::Receipt { hash, ledger, .. } => store
                .add_receipt(&self.order.id, *hash, *ledger)
                .await
                .map_err(unstored),
        }
    }

    async fn note_ledger(&mut self, ledger: u32) -> Result<(), Unstored> {
        self.store
            .note_horizon(&self.order.id, ledger)
            .await
            .map_err(unstored)
    }
}

/// Signs with the keys of this process.
pub(super) struct LaneSigner {
    pub(super) deployment: Deployment,
    pub(super) keys: Signing,
}

#[allow(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unsigned(error: envelope::EnvelopeError) -> Unsigned {
    Unsigned(error.to_string())
}

impl Signer for LaneSigner {
    fn lane(&self) -> Recipient {
        self.keys.lane.address()
    }

    async fn sign(
        &mut self,
        intent: &Intent,
        request: &SignRequest,
        last: i64,
    ) -> Result<Signed, Unsigned> {
        let payout = self.keys.payout.as_ref();
        let call =
            intent_call(self.deployment.contract, payout.address(), intent).map_err(unsigned)?;
        let apart = payout.address() != self.keys.lane.address();
        let signers = envelope::Signers {
            source: self.keys.lane.as_ref(),
            caller: apart.then_some(payout),
        };
        envelope::sign(self.deployment.network, call, request, last, signers).map_err(unsigned)
    }

    async fn bump(&mut self, request: &BumpRequest) -> Result<Signed, Unsigned> {
        envelope::bump(self.deployment.network, request, &self.keys.lane).map_err(unsigned)
    }
}

/// This machine, watched for an outcome that becomes unknown.
pub(super) struct JobHost {
    pub(super) store: Store,
    pub(super) job: Job,
    pub(super) order_id: String,
    pub(super) restores: bool,
    /// The phase that was told last.
    pub(super) phase: Option<Phase>,
    /// What is awaited, once the outcome is unknown and that is not stored yet.
    pub(super) unknown: Option<String>,
    pub(super) told: bool,
}

impl Host for JobHost {
    async fn sleep(&mut self, milliseconds: u64) {
        if let Some(why) = self.unknown.take() {
            let told = verdict::outcome_unknown(&self.store, &self.job, &self.order_id, why).await;
            self.told = told.is_ok();
        }
        tokio::time::sleep(std::time::Duration::from_millis(milliseconds)).await;
    }

    fn jitter(&mut self) -> Jitter {
        // Without randomness retries are less spread, not wrong.
        Jitter(crate::ids::random::<2>().map_or(0, u16::from_be_bytes))
    }

    fn consent(&mut self, _entries: u32, _resource_fee: i64) -> bool {
        self.restores
    }

    fn watch(&mut self, obligation: &Obligation) {
        let phase = obligation.phase();
        if self.phase.replace(phase) != Some(phase) {
            tracing::trace!(order = self.order_id, phase = phase.name(), "phase");
        }
        let unknown = matches!(phase, Phase::OutcomeUnknown | Phase::Confirming);
        if unknown && !self.told {
            self.unknown = Some(verdict::awaited(obligation));
        }
    }
}
