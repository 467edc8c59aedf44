//! A machine that pays a run: the production code, as a future that may be dropped at any point.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use payout_engine::driver::Driver;
use payout_engine::envelope::SecretKey;
use payout_engine::payer::{Clerk, RunOrder, RunReport, close, pay};
use payout_engine::ports::{Keys, Unanswered};
use payout_engine::protocol::Refusal;
use payout_engine::run::{Offer, Place};
use payout_engine::{Payout, Record};
use payout_keys::{ContractId, Recipient};

use super::Flaw;
use super::host::Clock;
use super::memory::{Disk, Memory};
use super::node::Nodes;
use super::orders::Orders;
use super::scenario::{Edition, Setup, Wish};
use super::world::Shared;

/// What is under way.
pub(super) type Task = Pin<Box<dyn Future<Output = RunReport>>>;

pub(super) struct Machine {
    pub(super) setup: Setup,
    pub(super) place: Place,
    pub(super) disk: Rc<RefCell<Disk>>,
    /// What can be restored.
    pub(super) backup: Disk,
    pub(super) edition: usize,
    /// What the clients of its orders ask for; `None` where it pays a run.
    pub(super) orders: Option<Vec<Wish>>,
    /// Its journal is from a backup.
    pub(super) restored: bool,
    /// Slots that another machine's offer took.
    pub(super) slots_lost: Rc<Cell<usize>>,
    /// It is to end the run.
    pub(super) closing: bool,
    pub(super) task: Option<Task>,
    /// When it starts, in milliseconds since the start; `None` while it is at work or at rest.
    pub(super) starts: Option<u64>,
    /// How it ended when faults had stopped.
    pub(super) rest: Option<RunReport>,
    /// How often it was started since faults have stopped.
    pub(super) tries: u32,
}

/// The seed of an account; number 0 is the payout key.
pub(super) fn secret(lane: u8) -> SecretKey {
    SecretKey::from_seed(&[lane + 1; 32])
}

impl Machine {
    pub(super) fn new(setup: Setup, place: Place, orders: Option<Vec<Wish>>) -> Self {
        Self {
            edition: setup.edition,
            setup,
            place,
            disk: Rc::default(),
            backup: Disk::default(),
            orders,
            restored: false,
            slots_lost: Rc::default(),
            closing: false,
            task: None,
            starts: Some(0),
            rest: None,
            tries: 0,
        }
    }

    /// Begins: the same command as ever.
    pub(super) fn start(&mut self, world: &Shared, edition: &Edition, flaw: Flaw) {
        let setup = &self.setup;
        let disk = Rc::clone(&self.disk);
        let nodes = Nodes {
            world: world.clone(),
            lane: secret(setup.lane).public(),
            flaw,
            disk: Rc::clone(&disk),
        };
        let lane = (setup.lane != 0).then(|| secret(setup.lane));
        let Place { at, .. } = self.place;
        let mut driver = Driver {
            network: nodes,
            store: Memory {
                world: world.clone(),
                disk,
            },
            signer: Keys::new(at.network, at.contract, secret(0), lane),
            host: Clock {
                world: world.clone(),
                skew: setup.skew,
                slots_lost: Rc::clone(&self.slots_lost),
            },
        };
        self.starts = None;
        if let Some(wishes) = &self.orders {
            let orders = Orders {
                world: world.clone(),
                place: self.place.clone(),
                rows: edition.iter().map(|(_, row)| row.clone()).collect(),
                wishes: wishes.clone(),
                restored: self.restored && flaw != Flaw::BackupUnnoticed,
                policy: setup.policy,
            };
            self.task = Some(Box::pin(async move { orders.work(&mut driver).await }));
            return;
        }
        let rows: Vec<_> = edition.iter().map(|(_, row)| row.clone()).collect();
        let twins_paid = flaw == Flaw::TwinsPaid;
        let order = RunOrder {
            place: self.place.clone(),
            also: rows
                .iter()
                .filter(|_| twins_paid)
                .map(|row| row.id.clone())
                .collect(),
            rows,
            left_out: BTreeSet::new(),
            after: Vec::new(),
            known: Vec::new(),
            max_batch: setup.max_batch,
            policy: setup.policy,
        };
        let mut office = Office {
            world: world.clone(),
            place: self.place.clone(),
            escrow: at.contract,
        };
        let closing = self.closing;
        self.task = Some(Box::pin(async move {
            if closing {
                close(&mut driver, &mut office, order).await
            } else {
                pay(&mut driver, &mut office, order).await
            }
        }));
    }
}

/// Whoever answers for the rows. What it hears is told to the oracle at once.
struct Office {
    world: Shared,
    place: Place,
    escrow: ContractId,
}

impl Clerk for Office {
    async fn at_fault(
        &mut self,
        refusal: &Refusal,
        payout: &Payout,
    ) -> Result<BTreeMap<usize, String>, Unanswered> {
        let itself = Recipient::Contract(self.escrow.0);
        let lines = payout.lines().iter().enumerate();
        Ok(lines
            .filter(|(_, line)| refusal.contract_error == Some(405) && line.recipient == itself)
            .map(|(at, _)| (at, "the contract itself".to_owned()))
            .collect())
    }

    fn planned(&mut self, paid: usize) {
        self.world.with(|world| world.oracle.hear_count(paid));
    }

    fn paid(&mut self, offer: &Offer, record: &Record) {
        self.world.with(|world| {
            for id in &offer.ids {
                if !world.oracle.is_paid(self.place.reference(id)) || !record.paid() {
                    world
                        .oracle
                        .violated(format!("row {id} was announced paid, and is not"));
                }
            }
        });
    }
}
