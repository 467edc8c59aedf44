//! One transaction that is not a payout, on the local network: signed once, and brought to a verdict
//! that is true.

use localnet::{CloseMode, Config, Fault, FaultPlan, Localnet, Trigger};
use payout_engine::NodeId;
use payout_engine::envelope::{EnvelopeError, SecretKey};
use payout_engine::protocol::Bid;
use payout_engine::rpc::{Client, Options};
use payout_engine::transaction::{
    Act, Keys, Patience, Sealed, TransactionError, Verdict, create_account, merge, payment,
    prepare, settle,
};
use payout_keys::NetworkId;
use sha2::{Digest as _, Sha256};
use stellar_xdr::Asset;

const ALWAYS: Trigger = Trigger::Every { calls: 1 };

struct World {
    localnet: Localnet,
    client: Client,
    network: NetworkId,
}

fn key(name: &str) -> SecretKey {
    SecretKey::from_seed(&Sha256::digest(name).into())
}

/// Looks come at once, and give up after a few.
fn patience() -> Patience {
    Patience {
        idle: 5,
        resend: 2,
        ..Patience::default()
    }
}

impl World {
    fn start(close: CloseMode) -> Self {
        let localnet = Localnet::start(Config {
            close,
            ..Config::on_demand()
        })
        .unwrap();
        let network = NetworkId(localnet.network().id());
        let client = Client::new(&localnet.url(), NodeId(0), Options::default()).unwrap();
        for name in ["alice", "bob"] {
            let url = format!("{}/friendbot?addr={}", localnet.url(), key(name).address());
            ureq::get(url).call().unwrap();
        }
        Self {
            localnet,
            client,
            network,
        }
    }

    fn fault(&self, fault: Fault, trigger: Trigger) {
        let plan = FaultPlan::default().with(fault, trigger);
        self.localnet.set_faults(plan).unwrap();
    }

    async fn seal(&self, act: Act, bid: Option<Bid>) -> Result<Sealed, TransactionError> {
        self.seal_by("alice", &[], act, bid).await
    }

    async fn seal_by(
        &self,
        who: &str,
        others: &[SecretKey],
        act: Act,
        bid: Option<Bid>,
    ) -> Result<Sealed, TransactionError> {
        let source = key(who);
        let prepared = prepare(&self.client, source.address(), act, bid).await?;
        let keys = Keys {
            source: &source,
            others,
        };
        prepared.sign(&self.client, self.network, keys).await
    }

    async fn settle(&self, sealed: &Sealed) -> Verdict {
        let outcome = settle(&self.client, sealed, patience(), async |_| {}).await;
        assert_eq!(outcome.hash, sealed.signed().hash);
        outcome.verdict
    }
}

/// Alice pays Bob.
fn gift() -> Act {
    Act::Classic(vec![
        payment(key("bob").address(), Asset::Native, 5).unwrap(),
    ])
}

#[tokio::test]
async fn what_was_stored_of_an_envelope_is_all_of_it() {
    let world = World::start(CloseMode::AtOnce);
    let sealed = world.seal(gift(), None).await.unwrap();
    let read = Sealed::from_base64(world.network, &sealed.to_base64().unwrap()).unwrap();
    assert_eq!(read, sealed);
    assert!(matches!(
        world.settle(&read).await,
        Verdict::Applied {
            fee_charged: 100,
            ..
        }
    ));
    // Once more, as after a restart: the same verdict, and nothing happens again.
    assert!(matches!(
        world.settle(&read).await,
        Verdict::Applied {
            fee_charged: 100,
            ..
        }
    ));
    assert!(Sealed::from_base64(world.network, "AAAA").is_err());
}

#[tokio::test]
async fn another_transaction_with_the_same_number_proves_that_ours_is_dead() {
    let world = World::start(CloseMode::AtOnce);
    let first = world.seal(gift(), Some(Bid(100))).await.unwrap();
    let second = world.seal(gift(), Some(Bid(200))).await.unwrap();
    assert!(matches!(
        world.settle(&first).await,
        Verdict::Applied { .. }
    ));
    let verdict = world.settle(&second).await;
    let taken = matches!(
        verdict,
        Verdict::NotApplied {
            sequence_taken: true,
            ..
        }
    );
    assert!(taken, "{verdict:?}");
}

#[tokio::test]
async fn a_node_that_has_forgotten_proves_nothing() {
    let world = World::start(CloseMode::AtOnce);
    let sealed = world.seal(gift(), None).await.unwrap();
    world.fault(Fault::DropAfter, ALWAYS);
    let text = sealed.to_base64().unwrap();
    assert!(
        world
            .client
            .send(&text, sealed.signed().hash)
            .await
            .is_err()
    );
    world.localnet.advance(3_600).unwrap();
    // It is in the ledger; the node knows the last ledgers only.
    world.fault(Fault::Forgot, ALWAYS);
    let verdict = world.settle(&sealed).await;
    assert!(matches!(verdict, Verdict::Unknown { .. }), "{verdict:?}");
    world.localnet.clear_faults().unwrap();
    assert!(matches!(
        world.settle(&sealed).await,
        Verdict::Applied { .. }
    ));
}

#[tokio::test]
async fn time_alone_is_no_proof_before_it_is_over() {
    let world = World::start(CloseMode::OnDemand);
    let sealed = world.seal(gift(), None).await.unwrap();
    world.fault(Fault::DropBefore, ALWAYS);
    let until = sealed.signed().bounds.max_time;
    let verdict = world.settle(&sealed).await;
    assert!(
        matches!(verdict, Verdict::Unknown { until: said, .. } if said == until),
        "{verdict:?}"
    );
    world.localnet.advance(290).unwrap();
    assert!(matches!(
        world.settle(&sealed).await,
        Verdict::Unknown { .. }
    ));
    world.localnet.advance(60).unwrap();
    let verdict = world.settle(&sealed).await;
    let over = matches!(
        verdict,
        Verdict::NotApplied {
            sequence_taken: false,
            ..
        }
    );
    assert!(over, "{verdict:?}");
}

#[tokio::test]
async fn a_refusal_is_one_only_where_it_is_the_first_answer() {
    let world = World::start(CloseMode::AtOnce);
    let poor = key("poor").address();
    let made = Act::Classic(vec![create_account(poor, 15_000_000).unwrap()]);
    let sealed = world.seal(made, None).await.unwrap();
    assert!(matches!(
        world.settle(&sealed).await,
        Verdict::Applied { .. }
    ));
    let dear = Some(Bid(50_000_000));
    let sealed = world.seal_by("poor", &[], gift(), dear).await.unwrap();
    let verdict = world.settle(&sealed).await;
    assert!(
        matches!(&verdict, Verdict::Refused { code, .. } if code == "TxInsufficientBalance"),
        "{verdict:?}"
    );
    world.fault(Fault::DropBefore, Trigger::Next { calls: 1 });
    let verdict = world.settle(&sealed).await;
    assert!(matches!(verdict, Verdict::Unknown { .. }), "{verdict:?}");
}

#[tokio::test]
async fn a_failed_operation_is_named_and_a_missing_signature_too() {
    let world = World::start(CloseMode::AtOnce);
    let nobody = payment(key("nobody").address(), Asset::Native, 5).unwrap();
    let sealed = world.seal(Act::Classic(vec![nobody]), None).await.unwrap();
    let verdict = world.settle(&sealed).await;
    assert!(
        matches!(&verdict, Verdict::Failed { code, .. } if code.contains("NoDestination")),
        "{verdict:?}"
    );
    let end = || merge(key("bob").address(), key("alice").address()).unwrap();
    let sealed = world.seal(Act::Classic(vec![end()]), None).await.unwrap();
    let verdict = world.settle(&sealed).await;
    assert!(
        matches!(&verdict, Verdict::Refused { .. } | Verdict::Failed { .. }),
        "{verdict:?}"
    );
    // A key that has no part in it does not sign: a signature too many is refused by the network.
    let keys = [key("stranger"), key("bob")];
    let act = Act::Classic(vec![end()]);
    let sealed = world.seal_by("alice", &keys, act, None).await.unwrap();
    assert!(matches!(
        world.settle(&sealed).await,
        Verdict::Applied { .. }
    ));
}

#[tokio::test]
async fn the_source_exists_and_is_who_signs() {
    let world = World::start(CloseMode::AtOnce);
    let missing = prepare(&world.client, key("nobody").address(), gift(), None).await;
    assert!(
        matches!(missing, Err(TransactionError::NoAccount(_))),
        "{missing:?}"
    );
    let prepared = prepare(&world.client, key("alice").address(), gift(), None)
        .await
        .unwrap();
    let bob = key("bob");
    let keys = Keys {
        source: &bob,
        others: &[],
    };
    let refused = prepared.sign(&world.client, world.network, keys).await;
    let wanted = key("alice").address().to_string();
    assert_eq!(
        refused,
        Err(TransactionError::Envelope(
            EnvelopeError::SignatureMissing { address: wanted }
        ))
    );
}

#[test]
fn lanes_are_told_apart_by_owner_network_and_number() {
    let (one, two) = (NetworkId([1; 32]), NetworkId([2; 32]));
    let lane = |owner: &str, network, index| key(owner).lane(network, index).address();
    let first = lane("alice", one, 0);
    assert_eq!(first, lane("alice", one, 0));
    for other in [
        lane("bob", one, 0),
        lane("alice", two, 0),
        lane("alice", one, 1),
    ] {
        assert_ne!(first, other);
    }
    // Accounts with money stand behind these: the derivation never changes. The expected value is
    // HMAC-SHA256 as computed by another implementation.
    let owner = SecretKey::from_seed(&[7; 32]);
    assert_eq!(
        owner.lane(one, 3).address().to_string(),
        "GANSXDMZ6WJYCSLH2HJCIL3KBMMKCO5NDQR7YMO2MJDDQ3CNDPYQK5XH"
    );
}
