//! Case 14: a void against a worker that has signed, in every order, a hundred times on the two databases.
//! Either `cancelled` and never paid, or the void is refused and it is `confirmed`.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::common::{Answer, Chain, Database, Proxy, Rig, both, order_body, until};

const VOIDED: Option<u32> = Some(3);
const ROUNDS: usize = 50;

/// Who comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    /// The void lands, and then the payment is let go.
    Void,
    /// The payment is let go and known here, and then the void is asked for.
    Payment,
    /// The payment has landed, and its answer has not come when the void is asked for.
    UnknownPayment,
    /// The void is asked for, and at the same instant the payment is let go.
    Nobody,
}

const ORDERS: [First; 4] = [
    First::Void,
    First::Payment,
    First::UnknownPayment,
    First::Nobody,
];

struct Race {
    chain: Chain,
    proxy: Proxy,
    rig: Rig,
    recipient: String,
}

impl Race {
    async fn new(database: &Database, lanes: usize) -> Self {
        let chain = Chain::at_once(1).await;
        let proxy = Proxy::before(chain.url()).await;
        let rig = Rig::paying_with(database, &chain, lanes, |config| {
            config.worker.poll_millis = 10;
            config.policy.poll_millis = 10;
            if let Some(network) = &mut config.network {
                network.rpc = vec![proxy.url.clone().into()];
            }
        })
        .await;
        let recipient = chain.recipients[0].address();
        Self {
            chain,
            proxy,
            rig,
            recipient,
        }
    }

    /// An order whose worker has signed and is held: before the sending, or before its answer.
    async fn held(&self, number: usize, first: First) -> String {
        let held = self.proxy.held();
        match first {
            First::UnknownPayment => self.proxy.mute_next(),
            _ => self.proxy.hold_next(),
        }
        let body = order_body(&[&self.recipient], &["1"]);
        let order = self.rig.submit(&format!("g{number}"), &body).await;
        let id = order.text("id").to_owned();
        until("the worker is held", async || self.proxy.held() > held).await;
        assert_eq!(self.order(&id).await["state"], "submitted");
        id
    }

    async fn order(&self, id: &str) -> Value {
        self.rig.get(&format!("/v1/payouts/{id}")).await.body
    }

    async fn void(&self, id: &str, number: usize) -> Answer {
        let path = format!("/v1/payouts/{id}/void");
        self.rig
            .post(&path, &format!("v{number}"), &json!({}))
            .await
    }

    /// One round. Gives the void's operation, if it was taken.
    async fn round(&self, number: usize, first: First) -> (String, Option<Value>) {
        let id = self.held(number, first).await;
        let void = match first {
            First::Void => {
                let void = self.void(&id, number).await;
                self.rig.until_ended(void.text("id")).await;
                self.proxy.release();
                void
            }
            First::Payment => {
                self.proxy.release();
                self.rig.until(&id, &["confirmed"]).await;
                self.void(&id, number).await
            }
            First::UnknownPayment => {
                let void = self.void(&id, number).await;
                self.proxy.release();
                void
            }
            First::Nobody => {
                // A void takes some milliseconds to be carried out: in a part of the rounds it is faster.
                let pause = Duration::from_millis(15 * (number as u64 / 4 % 12));
                let released = async {
                    tokio::time::sleep(pause).await;
                    self.proxy.release();
                };
                tokio::join!(self.void(&id, number), released).0
            }
        };
        if void.status != StatusCode::ACCEPTED {
            assert_eq!(void.problem(409), "state-forbids");
            return (id, None);
        }
        let ended = self.rig.until_ended(void.text("id")).await;
        let again = self.void(&id, number).await;
        assert_eq!((again.status, &again.body), (StatusCode::OK, &ended));
        (id, Some(ended))
    }
}

both!(a_void_against_a_worker_that_has_signed_has_one_outcome);
async fn a_void_against_a_worker_that_has_signed_has_one_outcome(database: Database) {
    let race = Race::new(&database, 3).await;
    let mut ids = Vec::new();
    let mut outcomes = BTreeMap::new();
    for number in 0..ROUNDS {
        let first = ORDERS[number % ORDERS.len()];
        let (id, void) = race.round(number, first).await;
        let order = race.rig.until(&id, &["cancelled", "confirmed"]).await;
        let paid = order["state"] == "confirmed";
        match void {
            None => assert!(paid, "{first:?}: refused, and {order}"),
            Some(void) => {
                let ended = if paid { "refused" } else { "done" };
                assert_eq!(void["state"], ended, "{first:?}: {order}");
                let reason = if paid { "KeyAlreadyConsumed" } else { "voided" };
                assert_eq!(void["result"]["reason"], reason);
                let kinds = race.rig.audit_kinds(&id).await;
                assert!(kinds.contains(&"void_requested".to_owned()), "{kinds:?}");
            }
        }
        match first {
            First::Void => assert!(!paid, "the void landed first"),
            First::Payment | First::UnknownPayment => assert!(paid, "the payment landed first"),
            First::Nobody => {}
        }
        race.rig.until_idle().await;
        *outcomes.entry((format!("{first:?}"), paid)).or_insert(0) += 1;
        ids.push((id, paid));
    }
    println!("{outcomes:?}");
    // What was let go at last has landed or failed by now.
    race.chain.localnet().close_ledgers(5).expect("ledgers");
    let mut payouts = 0;
    for (id, paid) in ids {
        let order = race.order(&id).await;
        let key = order["chain_key"].as_str().expect("a key").to_owned();
        assert_eq!(race.chain.record_kind(&key) == VOIDED, !paid, "{order}");
        payouts += u64::from(paid);
    }
    assert_eq!(race.chain.payout_count(), payouts);
    assert_eq!(
        race.chain.balance(&race.chain.recipients[0]),
        i128::from(payouts)
    );
}

both!(a_void_needs_no_lane_beside_its_payments);
/// Every lane is taken by payments that are voided. Nothing else would ever free one.
async fn a_void_needs_no_lane_beside_its_payments(database: Database) {
    let race = Race::new(&database, 2).await;
    let ids = [
        race.held(0, First::Void).await,
        race.held(1, First::Void).await,
    ];
    for (number, id) in ids.iter().enumerate() {
        let void = race.void(id, number).await;
        assert_eq!(void.status, StatusCode::ACCEPTED, "{}", void.body);
        let ended = race.rig.until_ended(void.text("id")).await;
        assert_eq!(ended["state"], "done");
    }
    race.proxy.release();
    for id in ids {
        race.rig.until(&id, &["cancelled"]).await;
    }
    race.rig.until_idle().await;
    assert_eq!(race.chain.payout_count(), 0);
    let body = order_body(&[&race.recipient], &["1"]);
    let next = race.rig.submit("next", &body).await;
    race.rig.until(next.text("id"), &["confirmed"]).await;
    race.rig.until_idle().await;
    assert_eq!(race.rig.metric("payout_gateway_lanes_taken").await, 0);
}

both!(a_void_that_loses_the_race_ends_confirmed);
/// The void's own transaction is held while the payment goes through.
async fn a_void_that_loses_the_race_ends_confirmed(database: Database) {
    let race = Race::new(&database, 3).await;
    let id = race.held(0, First::Nobody).await;
    race.proxy.hold_next();
    let void = race.void(&id, 0).await;
    until("the void is held", async || race.proxy.held() == 2).await;
    assert_eq!(race.order(&id).await["state"], "outcome_unknown");
    race.proxy.release();
    let ended = race.rig.until_ended(void.text("id")).await;
    let order = race.rig.until(&id, &["confirmed", "cancelled"]).await;
    let paid = race.chain.payout_count();
    match order["state"].as_str() {
        Some("confirmed") => {
            assert_eq!((ended["state"].as_str(), paid), (Some("refused"), 1));
            assert_eq!(ended["result"]["reason"], "KeyAlreadyConsumed");
        }
        _ => assert_eq!((ended["state"].as_str(), paid), (Some("done"), 0)),
    }
}
