//! Schedules that a number decides: orders, repeated requests, voids, retries, pulled plugs, backups and
//! restores, on a network that loses, delays and lies. The gateway, the database and the contract are the
//! real ones; only time is not the number's. `SCHEDULE_SEED=40` plays the six from that one on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use localnet::{Fault, FaultPlan, Trigger};
use serde_json::{Value, json};

use crate::common::{Chain, Database, Rig, order_body};

const SCHEDULES: u64 = 6;
const STEPS: usize = 30;
const VOIDED: Option<u32> = Some(3);

/// One number after the other, always the same ones.
struct Dice(u64);

impl Dice {
    /// A number below `sides`: splitmix64.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

struct Schedule {
    dice: Dice,
    chain: Chain,
    database: Database,
    rig: Rig,
    folder: tempfile::TempDir,
    backup: Option<PathBuf>,
    /// Each key's amount; the last id that its order had.
    orders: BTreeMap<String, (u64, String)>,
    /// Keys on chain whose orders were called finally unpaid at some time.
    told_unpaid: BTreeSet<String>,
    operations: u64,
}

impl Schedule {
    async fn new(seed: u64) -> Self {
        let chain = Chain::at_once(1).await;
        let database = Database::sqlite();
        let rig = Rig::paying_with(&database, &chain, 2, |config| {
            config.worker.poll_millis = 10;
            config.worker.lease_seconds = 3;
            config.policy.poll_millis = 20;
        })
        .await;
        // A node that lags shall not be older than the contract.
        chain.localnet().close_ledgers(10).expect("ledgers");
        chain.keep_closing();
        rig.until_ready().await;
        Self {
            dice: Dice(seed),
            chain,
            database,
            rig,
            folder: tempfile::tempdir().expect("a folder"),
            backup: None,
            orders: BTreeMap::new(),
            told_unpaid: BTreeSet::new(),
            operations: 0,
        }
    }

    async fn play(&mut self) {
        for _ in 0..STEPS {
            match self.dice.roll(16) {
                0..=3 => self.order().await,
                4..=5 => self.repeat().await,
                6..=7 => self.operate("void").await,
                8 => self.operate("retry").await,
                9 => self.rig.crash_and_restart().await,
                10 => self.back_up().await,
                11 => self.restore().await,
                12..=13 => self.weather(),
                _ => {
                    let pause = 20 * self.dice.roll(10);
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
            }
        }
    }

    async fn order(&mut self) {
        let key = format!("k{}", self.orders.len());
        let amount = 1 << self.orders.len();
        self.submit(&key, amount).await;
    }

    async fn submit(&mut self, key: &str, amount: u64) {
        let recipient = self.chain.recipients[0].address();
        let body = order_body(&[&recipient], &[&amount.to_string()]);
        let answer = self.rig.submit(key, &body).await;
        assert!(answer.status.is_success(), "{}", answer.body);
        self.hear(&answer.body);
        let id = answer.text("id").to_owned();
        self.orders.insert(key.to_owned(), (amount, id));
    }

    /// What the gateway says for ever is held against what happens afterwards.
    fn hear(&mut self, order: &Value) {
        if order["final"] == true
            && matches!(order["state"].as_str(), Some("cancelled" | "rejected"))
        {
            let key = order["chain_key"].as_str().expect("a key");
            self.told_unpaid.insert(key.to_owned());
        }
    }

    fn any(&mut self) -> Option<(String, u64, String)> {
        let count = u64::try_from(self.orders.len()).expect("few");
        let which = usize::try_from(self.dice.roll(count.max(1))).expect("few");
        let (key, (amount, id)) = self.orders.iter().nth(which)?;
        Some((key.clone(), *amount, id.clone()))
    }

    async fn repeat(&mut self) {
        if let Some((key, amount, _)) = self.any() {
            self.submit(&key, amount).await;
        }
    }

    async fn operate(&mut self, what: &str) {
        if let Some((_, _, id)) = self.any() {
            self.operations += 1;
            let path = format!("/v1/payouts/{id}/{what}");
            let key = format!("{what}-{}", self.operations);
            let status = self.rig.post(&path, &key, &json!({})).await.status.as_u16();
            // An order that was forgotten, or whose state forbids it.
            assert!(matches!(status, 202 | 404 | 409), "{status}");
        }
    }

    async fn back_up(&mut self) {
        let path = self
            .folder
            .path()
            .join(format!("backup-{}", self.dice.roll(1 << 40)));
        self.database.back_up(&path).await;
        self.backup = Some(path);
    }

    async fn restore(&mut self) {
        let Some(backup) = self.backup.clone() else {
            return;
        };
        self.rig.stop().await;
        self.database.restore(&backup);
        self.rig.crash_and_restart().await;
    }

    fn weather(&mut self) {
        let faults = [
            Fault::DropBefore,
            Fault::DropAfter,
            Fault::GatewayTimeout,
            Fault::TryAgainLaterAccepted,
            Fault::BadSeqAccepted,
            Fault::LateInclusion,
        ];
        let fault = faults[usize::try_from(self.dice.roll(6)).expect("few")];
        let plan = FaultPlan::default()
            .with(fault, Trigger::Next { calls: 2 })
            .with(Fault::LaggingRead, Trigger::Every { calls: 3 });
        self.chain.localnet().set_faults(plan).expect("faults");
    }

    /// An order's end. One that has run out rests until somebody asks for another try.
    async fn until_final(&mut self, id: &str) -> Value {
        let mut last = Value::Null;
        for _ in 0..6_000 {
            last = self.rig.get(&format!("/v1/payouts/{id}")).await.body;
            if last["final"] == true {
                return last;
            }
            if last["state"] == "rejected" {
                self.operations += 1;
                let key = format!("again-{}", self.operations);
                let path = format!("/v1/payouts/{id}/retry");
                self.rig.post(&path, &key, &json!({})).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("it does not end: {last}");
    }

    /// Faults stop, callers repeat what they have, and everything ends.
    async fn ends(&mut self) -> (usize, usize) {
        self.chain.localnet().clear_faults().expect("no faults");
        let orders: Vec<(String, u64)> = self
            .orders
            .iter()
            .map(|(key, (amount, _))| (key.clone(), *amount))
            .collect();
        let (mut paid, mut unpaid, mut sum) = (0, 0, 0);
        for (key, amount) in orders {
            self.submit(&key, amount).await;
            let id = self.orders[&key].1.clone();
            let order = self.until_final(&id).await;
            self.hear(&order);
            let chain_key = order["chain_key"].as_str().expect("a key");
            let record = self.chain.record_kind(chain_key);
            if order["state"] == "confirmed" {
                assert!(record.is_some() && record != VOIDED, "{key}: {order}");
                assert!(!self.told_unpaid.contains(chain_key), "{key}: {order}");
                paid += 1;
                sum += i128::from(amount);
            } else {
                assert_eq!(record, VOIDED, "{key}: {order}");
                unpaid += 1;
            }
        }
        self.rig.until_idle().await;
        assert_eq!(self.chain.payout_count(), paid as u64);
        assert_eq!(self.chain.balance(&self.chain.recipients[0]), sum);
        let store = self.rig.running().store();
        store.verify_audit(None).await.expect("an intact log");
        (paid, unpaid)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_schedule_ends_right() {
    let first = std::env::var("SCHEDULE_SEED").map_or(0, |text| text.parse().expect("a number"));
    let schedules = (first..first + SCHEDULES).map(|seed| {
        tokio::spawn(async move {
            let mut schedule = Schedule::new(seed).await;
            schedule.play().await;
            let ended = schedule.ends().await;
            println!("seed {seed}: {ended:?} of {:?}", schedule.orders.len());
            ended
        })
    });
    let (mut paid, mut unpaid) = (0, 0);
    for schedule in schedules.collect::<Vec<_>>() {
        let ended = schedule.await.expect("a schedule that ends right");
        paid += ended.0;
        unpaid += ended.1;
    }
    assert!(paid > 10 && unpaid > 2, "{paid}, {unpaid}");
}
