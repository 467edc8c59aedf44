//! Each fault, as the client at the other end of the wire sees it.

use std::collections::BTreeMap;

use localnet::xdr::{Asset, LedgerEntryData, TransactionEnvelope};
use localnet::{CloseMode, Config, Fault, FaultPlan, Magnitudes, Profile, Trigger};
use serde_json::{Value, json};

use crate::common::build::{asset, pay, payment, run, transaction, with_sequence};
use crate::common::{Account, Client, Http, Net, Sent, base64, token};

fn strike(net: &Net, fault: Fault, trigger: Trigger) {
    net.localnet
        .set_faults(FaultPlan::default().with(fault, trigger))
        .unwrap();
}

fn once(net: &Net, fault: Fault) {
    strike(net, fault, Trigger::Next { calls: 1 });
}

fn hash(net: &Net, envelope: &TransactionEnvelope) -> String {
    hex::encode(envelope.hash(net.client.network_id).unwrap())
}

/// Sends as a client does whose connection may break.
fn send(client: &Client, envelope: &TransactionEnvelope) -> Http {
    let request = json!({
        "jsonrpc": "2.0", "id": 5, "method": "sendTransaction",
        "params": {"transaction": base64(envelope)},
    });
    client.post("/", "application/json", request.to_string().as_bytes())
}

#[test]
fn dropped_before_it_arrived() {
    let net = Net::at_once();
    let a = net.account("a");
    let envelope = pay(&net.client, &a);
    once(&net, Fault::DropBefore);
    let answer = send(&net.client, &envelope);
    assert!(matches!(answer, Http::Broken(_)), "{answer:?}");
    assert_eq!(
        net.client.transaction(&hash(&net, &envelope)).status(),
        "NOT_FOUND"
    );
    // The same bytes can be sent again.
    net.client.submit(&envelope).succeeded();
}

#[test]
fn dropped_after_it_was_accepted() {
    let net = Net::at_once();
    let a = net.account("a");
    let envelope = pay(&net.client, &a);
    once(&net, Fault::DropAfter);
    let answer = send(&net.client, &envelope);
    assert!(matches!(answer, Http::Broken(_)), "{answer:?}");
    net.client.transaction(&hash(&net, &envelope)).succeeded();
}

#[test]
fn a_gateway_gives_up_after_it_was_accepted() {
    let net = Net::at_once();
    let a = net.account("a");
    let envelope = pay(&net.client, &a);
    once(&net, Fault::GatewayTimeout);
    match send(&net.client, &envelope) {
        Http::Status(504, body) => assert_eq!(body, ""),
        other => panic!("{other:?}"),
    }
    net.client.transaction(&hash(&net, &envelope)).succeeded();
}

#[test]
fn try_again_later_with_and_without_acceptance() {
    let net = Net::at_once();
    let a = net.account("a");
    let envelope = pay(&net.client, &a);
    once(&net, Fault::TryAgainLater);
    let sent = net.client.send(&envelope);
    assert_eq!(sent.status(), "TRY_AGAIN_LATER");
    assert!(sent.error().is_none());
    assert_eq!(net.client.transaction(sent.hash()).status(), "NOT_FOUND");
    once(&net, Fault::TryAgainLaterAccepted);
    let sent = net.client.send(&envelope);
    assert_eq!(sent.status(), "TRY_AGAIN_LATER");
    net.client.transaction(sent.hash()).succeeded();
}

#[test]
fn a_used_sequence_is_reported_for_a_transaction_that_is_in_the_ledger() {
    let net = Net::at_once();
    let a = net.account("a");
    once(&net, Fault::BadSeqAccepted);
    let sent = net.client.send(&pay(&net.client, &a));
    assert_eq!((sent.status(), sent.code()), ("ERROR", "TxBadSeq"));
    net.client.transaction(sent.hash()).succeeded();
}

#[test]
fn late_inclusion_leaves_a_transaction_unfound_and_pending() {
    let net = Net::on_demand();
    let a = net.account("a");
    let plan = FaultPlan {
        magnitudes: Magnitudes {
            late_ledgers: 8,
            ..Magnitudes::default()
        },
        ..FaultPlan::default()
    };
    net.localnet
        .set_faults(plan.with(Fault::LateInclusion, Trigger::Next { calls: 1 }))
        .unwrap();
    let envelope = pay(&net.client, &a);
    let sent = net.client.send(&envelope);
    assert_eq!(sent.status(), "PENDING");
    for _ in 0..8 {
        net.close();
        assert_eq!(net.client.transaction(sent.hash()).status(), "NOT_FOUND");
        assert_eq!(net.client.send(&envelope).status(), "DUPLICATE");
    }
    net.close();
    net.client.transaction(sent.hash()).succeeded();
}

#[test]
fn a_refundable_fee_that_does_not_suffice_fails_and_is_given_back() {
    let net = Net::at_once();
    let issuer = net.account("issuer");
    let usd = asset("USD", &issuer);
    token::deploy(&net.client, &issuer, &usd);
    let contract = net.localnet.network().asset_contract(&usd);
    let mint = || {
        token::call(
            &contract,
            "mint",
            vec![token::contract_address(3), token::amount(5)],
        )
    };
    once(&net, Fault::InsufficientRefundableFee);
    let found = token::run(&net.client, &issuer, mint());
    assert_eq!(found.status(), "FAILED");
    assert!(found.operation().contains("InsufficientRefundableFee"));
    token::run(&net.client, &issuer, mint()).succeeded();
}

#[test]
fn every_second_read_lags_six_ledgers_behind_and_calls_itself_healthy() {
    let net = Net::on_demand();
    let a = net.account("a");
    net.localnet.close_ledgers(20).unwrap();
    let before = net.client.balance(&a);
    let sent = net.client.send(&pay(&net.client, &a));
    net.localnet.close_ledgers(3).unwrap();
    let latest = u64::from(net.localnet.latest_ledger().unwrap());
    strike(&net, Fault::LaggingRead, Trigger::Every { calls: 2 });
    let health = || net.client.ok("getHealth", Value::Null);
    let (fresh, stale) = (health(), health());
    assert_eq!(fresh["latestLedger"], latest);
    assert_eq!(stale["latestLedger"], latest - 6);
    assert_eq!(stale["status"], "healthy");
    let found = |status: &str| {
        assert_eq!(net.client.transaction(sent.hash()).status(), status);
    };
    found("SUCCESS");
    found("NOT_FOUND");
    assert_eq!(net.client.balance(&a), before - 100);
    assert_eq!(
        net.client.balance(&a),
        before,
        "the state of six ledgers ago"
    );
    let sequence = || net.client.ok("getLatestLedger", Value::Null)["sequence"].as_u64();
    assert_eq!((sequence(), sequence()), (Some(latest), Some(latest - 6)));
    let last = || {
        let page = net
            .client
            .ok("getEvents", json!({"startLedger": latest - 6}));
        page["latestLedger"].as_u64()
    };
    assert_eq!((last(), last()), (Some(latest), Some(latest - 6)));
}

#[test]
fn a_node_that_forgot_finds_nothing_and_says_how_little_it_has() {
    let net = Net::at_once();
    let a = net.account("a");
    let found = run(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]).succeeded();
    let hash = found.0["txHash"].as_str().unwrap();
    net.localnet.close_ledgers(30).unwrap();
    let latest = u64::from(net.localnet.latest_ledger().unwrap());
    once(&net, Fault::Forgot);
    let forgotten = net.client.transaction(hash);
    assert_eq!(forgotten.status(), "NOT_FOUND");
    assert_eq!(forgotten.0["oldestLedger"], latest - 9);
    once(&net, Fault::Forgot);
    let error = net
        .client
        .call("getEvents", json!({"startLedger": 2}))
        .unwrap_err();
    assert_eq!(error.code, -32_600);
    let range = format!(
        "startLedger must be within the ledger range: {} - {latest}",
        latest - 9
    );
    assert_eq!(error.message, range);
    net.client.transaction(hash).succeeded();
}

#[test]
fn an_event_page_is_empty_and_its_cursor_moves_on() {
    let net = Net::at_once();
    net.localnet.close_ledgers(50).unwrap();
    let a = net.account("a");
    once(&net, Fault::EmptyEventPage);
    let page = net.client.ok("getEvents", json!({"startLedger": 2}));
    assert_eq!(page["events"], json!([]));
    let cursor = page["cursor"].as_str().unwrap();
    assert!(cursor.ends_with("-4294967295"));
    let next = net
        .client
        .ok("getEvents", json!({"pagination": {"cursor": cursor}}));
    assert_eq!(
        next["events"].as_array().unwrap().len(),
        2,
        "nothing was passed over"
    );
    assert!(net.client.balance(&a) > 0);
}

#[test]
fn too_many_requests() {
    let net = Net::at_once();
    once(&net, Fault::Unavailable);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "getHealth"}).to_string();
    let answer = net.client.post("/", "application/json", body.as_bytes());
    assert!(matches!(answer, Http::Status(503, _)), "{answer:?}");
    net.client.ok("getHealth", Value::Null);
}

#[test]
fn a_stall_leaves_ledgers_out() {
    let net = Net::at_once();
    let a = net.account("a");
    once(&net, Fault::Stall);
    let sent = net.client.send(&pay(&net.client, &a));
    assert_eq!(sent.status(), "PENDING");
    assert_eq!(net.client.transaction(sent.hash()).status(), "NOT_FOUND");
    // What waits gets its ledger by itself once the stall is over.
    let mut waited = 0;
    while net.client.transaction(sent.hash()).status() == "NOT_FOUND" {
        std::thread::sleep(std::time::Duration::from_millis(200));
        waited += 1;
        assert!(waited < 50, "the network never went on");
    }
    net.client.transaction(sent.hash()).succeeded();
}

#[test]
fn a_fee_spike_leaves_low_bids_waiting_and_charges_the_price() {
    let net = Net::on_demand();
    let (low, high) = (net.account("low"), net.account("high"));
    once(&net, Fault::FeeSpike);
    let waiting = net.client.send(&pay(&net.client, &low));
    let mut tx = transaction(&net.client, &high, vec![payment(&high, &Asset::Native, 1)]);
    tx.fee = 80_000;
    let served = net.client.send(&net.client.sign(&tx, &[&high]));
    net.close();
    assert_eq!(net.client.transaction(waiting.hash()).status(), "NOT_FOUND");
    let found = net.client.transaction(served.hash()).succeeded();
    assert_eq!(found.result().fee_charged, 50_000, "the price, not the bid");
    let stats = net.client.ok("getFeeStats", Value::Null);
    assert_eq!(stats["inclusionFee"]["max"], "50000");
    net.localnet.close_ledgers(3).unwrap();
    net.client.transaction(waiting.hash()).succeeded();
}

/// What a client sees when it sends one payment after another and looks for each.
fn history(seed: u64, calls: usize) -> (Vec<String>, BTreeMap<Fault, u64>) {
    let net = Net::start(Config {
        close: CloseMode::OnDemand,
        faults: FaultPlan::profile(Profile::Nasty),
        seed,
        ..Config::on_demand()
    });
    let a = Account::named("root of the history");
    net.client.friendbot(&a.address());
    let mut seen = Vec::new();
    for _ in 0..calls {
        // Asked of the ledger itself: a read over the wire would be struck as well.
        let Some((entry, _)) = net.localnet.entry(a.ledger_key()).unwrap() else {
            panic!("the account is gone");
        };
        let LedgerEntryData::Account(account) = entry.data else {
            panic!("no account");
        };
        let sequence = account.seq_num.0 + 1;
        let tx = with_sequence(&a, sequence, vec![payment(&a, &Asset::Native, 1)]);
        let envelope = net.client.sign(&tx, &[&a]);
        seen.push(match send(&net.client, &envelope) {
            Http::Status(200, body) => {
                let mut answer: Value = serde_json::from_str(&body).unwrap();
                Sent(answer["result"].take()).status().to_owned()
            }
            Http::Status(status, _) => status.to_string(),
            Http::Broken(_) => "broken".to_owned(),
        });
        net.close();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "getEvents",
            "params": {"startLedger": 2}})
        .to_string();
        seen.push(
            match net.client.post("/", "application/json", body.as_bytes()) {
                Http::Status(status, _) => status.to_string(),
                Http::Broken(_) => "broken".to_owned(),
            },
        );
    }
    (seen, net.localnet.fault_counts().unwrap())
}

#[test]
fn the_nasty_profile_strikes_everywhere_and_the_same_way_for_the_same_seed() {
    let (seen, counts) = history(7, 300);
    let (again, _) = history(7, 300);
    assert_eq!(seen, again);
    let (other, _) = history(8, 300);
    assert_ne!(seen, other);
    for fault in Fault::ALL {
        // Contract calls and automatic closes do not occur in this history.
        if !matches!(fault, Fault::InsufficientRefundableFee | Fault::Stall) {
            assert!(
                counts.contains_key(&fault),
                "{fault} never struck: {counts:?}"
            );
        }
    }
    let plan = FaultPlan::profile(Profile::Nasty);
    for fault in Fault::ALL {
        let Some(Trigger::Chance { per_mille }) = plan.triggers.get(&fault) else {
            panic!("{fault} is off in the nasty profile");
        };
        assert!(*per_mille >= 50, "{fault}");
    }
}

#[test]
fn the_side_channel_switches_faults() {
    let net = Net::at_once();
    let drive = |body: Value| match net.client.post(
        "/localnet/faults",
        "application/json",
        body.to_string().as_bytes(),
    ) {
        Http::Status(status, text) => (status, serde_json::from_str::<Value>(&text).unwrap()),
        Http::Broken(why) => panic!("{why}"),
    };
    let (status, answer) = drive(json!({
        "triggers": {"unavailable": "next:1"},
        "magnitudes": {"late_ledgers": 2},
    }));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["plan"]["magnitudes"]["late_ledgers"], 2);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "getHealth"}).to_string();
    let answer = net.client.post("/", "application/json", body.as_bytes());
    assert!(matches!(answer, Http::Status(503, _)));
    for wrong in [
        json!({"triggers": {"unavailable": "often"}}),
        json!({"triggers": {"earthquake": "5%"}}),
        json!({"profile": "kind"}),
        json!({"faults": {}}),
    ] {
        let (status, answer) = drive(wrong.clone());
        assert_eq!(status, 400, "{wrong}");
        assert!(!answer["error"].as_str().unwrap().is_empty());
    }
    let counts = net.localnet.fault_counts().unwrap();
    assert_eq!(counts.get(&Fault::Unavailable), Some(&1));
}
