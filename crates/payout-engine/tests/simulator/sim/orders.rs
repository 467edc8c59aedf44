//! A process that works on orders, each under a key of its own, as a gateway's worker does.

use std::collections::BTreeMap;

use payout_engine::Payout;
use payout_engine::driver::{Aim, Driver};
use payout_engine::journal::Intent;
use payout_engine::payer::{RunEnd, RunReport};
use payout_engine::ports::Keys;
use payout_engine::protocol::{Answer, Obligation, Phase, Policy, Purpose, Signers};
use payout_engine::rows::Row;
use payout_engine::run::Place;
use payout_keys::IdempotencyKey;

use super::chain::FIRST;
use super::host::Clock;
use super::memory::Memory;
use super::node::Nodes;
use super::scenario::Wish;
use super::world::Shared;

pub(super) struct Orders {
    pub(super) world: Shared,
    pub(super) place: Place,
    pub(super) rows: Vec<Row>,
    pub(super) wishes: Vec<Wish>,
    /// The journal may be older than what was signed.
    pub(super) restored: bool,
    pub(super) policy: Policy,
}

type Ports = Driver<Nodes, Memory, Keys, Clock>;

impl Orders {
    /// One order after the other. It is complete when each is decided.
    pub(super) async fn work(self, driver: &mut Ports) -> RunReport {
        let mut end = RunEnd::Complete;
        for (at, (row, wish)) in self.rows.iter().zip(&self.wishes).enumerate() {
            let answer = self.order(driver, at, row, *wish).await;
            if matches!(answer, Answer::Stopped { .. } | Answer::Working { .. }) {
                let slot = u32::try_from(at).unwrap_or_default();
                end = RunEnd::Stopped { slot, answer };
            }
        }
        RunReport {
            end,
            plan: None,
            rows: Vec::new(),
            reasons: BTreeMap::new(),
            as_of: 0,
        }
    }

    async fn order(&self, driver: &mut Ports, at: usize, row: &Row, wish: Wish) -> Answer {
        let due = |after: u32| {
            let ledger = self.world.with(|world| world.chain.ledger);
            ledger >= FIRST + after
        };
        let payout = Payout::new(vec![self.place.line(row)]).expect("a payout");
        match wish {
            Wish::Cancel(after) if due(after) => {
                self.drive(driver, at, Some(payout), Aim::FindOut).await
            }
            Wish::Void(after) if due(after) => self.drive(driver, at, None, Aim::Pay).await,
            _ => self.drive(driver, at, Some(payout), Aim::Pay).await,
        }
    }

    /// Drives an order, or the void of its key, and tells the oracle what is final.
    async fn drive(
        &self,
        driver: &mut Ports,
        at: usize,
        payout: Option<Payout>,
        aim: Aim,
    ) -> Answer {
        let key = IdempotencyKey::new(&format!("simulated-order-{at}")).expect("legal");
        let purpose = match &payout {
            Some(payout) => Purpose::Pay(payout.fingerprint()),
            None => Purpose::Void,
        };
        let intent = Intent {
            key: key.clone(),
            payout,
            slot: None,
        };
        let signers = if self.restored {
            Signers::PerhapsAnEarlierUs
        } else {
            Signers::OnlyThisJournal
        };
        let fresh = Obligation::new(key, purpose, signers, self.policy);
        let (stored, ledger) = driver.store.disk.borrow().order(&intent);
        let obligation = match stored {
            Some(stored) => fresh.restored(stored.envelopes, ledger),
            None => fresh.knowing(ledger),
        };
        let obligation = driver.drive(&intent, obligation, aim).await;
        self.tell(at, &obligation);
        obligation.answer()
    }

    fn tell(&self, at: usize, obligation: &Obligation) {
        let id = &self.rows[at].id;
        let reference = self.place.reference(id);
        self.world.with(|world| match obligation.phase() {
            Phase::Paid | Phase::Conflict if !world.oracle.is_paid(reference) => {
                let what = format!("order {id} was reported paid, and is not");
                world.oracle.violated(what);
            }
            Phase::Voided | Phase::NotPaid => world.oracle.finally_unpaid(reference, id),
            _ => {}
        });
    }
}
