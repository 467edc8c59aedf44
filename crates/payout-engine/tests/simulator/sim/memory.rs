//! A journal in memory that survives kills, fails to write, and can be lost or restored.

use std::cell::RefCell;
use std::rc::Rc;

use payout_engine::Payout;
use payout_engine::journal::{Intent, StoredOffer};
use payout_engine::ports::{RunStore, Store, Unstored};
use payout_engine::protocol::Entry;
use payout_keys::{IdempotencyKey, RunName};

use super::world::Shared;

/// What is on the disk.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    offers: Vec<StoredOffer>,
    ledger: u32,
}

impl Disk {
    fn offer(&mut self, intent: &Intent) -> &mut StoredOffer {
        let known = self.offers.iter().position(|it| it.intent == *intent);
        let at = known.unwrap_or_else(|| {
            self.offers.push(StoredOffer {
                intent: intent.clone(),
                envelopes: Vec::new(),
                verdict: None,
                receipt: None,
            });
            self.offers.len() - 1
        });
        &mut self.offers[at]
    }

    /// The last payout that was signed under a key.
    pub(super) fn sent(&self, key: &IdempotencyKey) -> Option<Payout> {
        let signed = |it: &&StoredOffer| it.intent.key == *key && !it.envelopes.is_empty();
        self.offers.iter().rev().find(signed)?.intent.payout.clone()
    }

    /// An order as it was stored, and the newest ledger.
    pub(super) fn order(&self, intent: &Intent) -> (Option<StoredOffer>, u32) {
        let known = self.offers.iter().find(|it| it.intent == *intent);
        (known.cloned(), self.ledger)
    }

    fn write(&mut self, intent: &Intent, entry: &Entry) {
        let offer = self.offer(intent);
        match entry {
            Entry::Intent { .. } => {}
            Entry::Envelope { signed, .. } => {
                if !offer.envelopes.contains(signed) {
                    offer.envelopes.push(signed.clone());
                }
            }
            Entry::Verdict { phase, ledger, .. } => {
                offer.verdict.get_or_insert((*phase, *ledger));
            }
            Entry::Receipt { hash, ledger, .. } => {
                offer.receipt.get_or_insert((*hash, *ledger));
            }
        }
    }
}

/// A machine's store.
pub(super) struct Memory {
    pub(super) world: Shared,
    pub(super) disk: Rc<RefCell<Disk>>,
}

impl Memory {
    /// One durable write: a kill may come before it or after it.
    async fn durable(&self, write: impl FnOnce(&mut Disk)) -> Result<(), Unstored> {
        self.world.pause().await;
        if self
            .world
            .with(|world| world.strikes(|weather| weather.disk))
        {
            return Err(Unstored("disk full".into()));
        }
        write(&mut self.disk.borrow_mut());
        self.world.pause().await;
        Ok(())
    }
}

impl Store for Memory {
    async fn store(&mut self, intent: &Intent, entry: &Entry) -> Result<(), Unstored> {
        self.durable(|disk| disk.write(intent, entry)).await
    }

    async fn note_ledger(&mut self, ledger: u32) -> Result<(), Unstored> {
        self.durable(|disk| disk.ledger = disk.ledger.max(ledger))
            .await
    }
}

impl RunStore for Memory {
    async fn ledger(&self) -> Result<u32, Unstored> {
        Ok(self.disk.borrow().ledger)
    }

    async fn offers(&self, run: &RunName) -> Result<Vec<StoredOffer>, Unstored> {
        let disk = self.disk.borrow();
        let of_run = |it: &&StoredOffer| it.intent.slot.as_ref().is_some_and(|(of, _)| of == run);
        Ok(disk.offers.iter().filter(of_run).cloned().collect())
    }
}
