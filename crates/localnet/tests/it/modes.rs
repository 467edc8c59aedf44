//! When ledgers close, and by which clock.

use std::time::Duration;

use localnet::xdr::Asset;
use localnet::{Clock, CloseMode, Config};
use serde_json::{Value, json};

use crate::common::build::{payment, time_bounds, transaction};
use crate::common::{Http, Net};

fn now() -> u64 {
    Clock::default().now()
}

#[test]
fn every_second_a_ledger_closes_by_itself() {
    let net = Net::start(Config {
        close: CloseMode::Every { seconds: 1 },
        ..Config::default()
    });
    let a = net.account("a");
    let tx = transaction(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]);
    let sent = net.client.send(&net.client.sign(&tx, &[&a]));
    let mut looks = 0;
    while net.client.transaction(sent.hash()).status() == "NOT_FOUND" {
        std::thread::sleep(Duration::from_millis(50));
        looks += 1;
        assert!(looks < 100, "no ledger closed in five seconds");
    }
}

#[test]
fn by_the_machines_clock_bounds_of_a_clients_clock_hold() {
    let net = Net::start(Config::default());
    let a = net.account("a");
    // Many ledgers in little time do not run away from the client's clock.
    net.localnet.close_ledgers(1_000).unwrap();
    let mut tx = transaction(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]);
    tx.cond = time_bounds(0, now() + 60);
    net.client.submit(&net.client.sign(&tx, &[&a])).succeeded();
    // Unless time is moved on.
    net.localnet.advance(3_600).unwrap();
    let mut tx = transaction(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]);
    tx.cond = time_bounds(0, now() + 60);
    assert_eq!(
        net.client.send(&net.client.sign(&tx, &[&a])).code(),
        "TxTooLate"
    );
    assert!(net.localnet.now().unwrap() >= now() + 3_590);
}

#[test]
fn a_manual_clock_gives_every_ledger_five_seconds() {
    let net = Net::on_demand();
    let start = net.localnet.now().unwrap();
    let before = net.localnet.latest_ledger().unwrap();
    net.localnet.close_ledgers(10).unwrap();
    assert_eq!(net.localnet.now().unwrap(), start + 50);
    net.localnet.advance(100).unwrap();
    assert_eq!(net.localnet.now().unwrap(), start + 150);
    assert_eq!(net.localnet.latest_ledger().unwrap(), before + 30);
}

#[test]
fn the_side_channel_drives_and_answers_in_words() {
    let net = Net::on_demand();
    let post = |path: &str, body: &str| match net.client.post(
        &format!("/localnet/{path}"),
        "application/json",
        body.as_bytes(),
    ) {
        Http::Status(status, text) => (status, serde_json::from_str::<Value>(&text).unwrap()),
        Http::Broken(why) => panic!("{why}"),
    };
    assert_eq!(post("close", "").1["latestLedger"], 3);
    assert_eq!(post("close", "{\"ledgers\": 7}").1["latestLedger"], 10);
    assert_eq!(post("advance", "{\"seconds\": 50}").1["latestLedger"], 20);
    for (path, body, status, word) in [
        ("close", "{\"ledger\": 7}", 400, "unknown field"),
        ("advance", "{}", 400, "seconds"),
        ("save", "", 400, "--state"),
        ("entries", "{\"entries\": [{\"data\": 1}]}", 400, "expected"),
        ("earthquake", "", 404, "POST close"),
    ] {
        let (got, answer) = post(path, body);
        assert_eq!(got, status, "{path} {body}: {answer}");
        let text = answer["error"].as_str().unwrap();
        assert!(text.contains(word), "{path} {body}: {text}");
    }
    // What a web page can send without asking is refused.
    let page = net.client.post("/localnet/close", "text/plain", b"{}");
    assert!(matches!(page, Http::Status(415, _)), "{page:?}");
    // So is all that a page sends which has this address under a name of its own: browsers say so.
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .into();
    let page = agent
        .post(format!("{}/localnet/close", net.client.url))
        .header("content-type", "application/json")
        .header("origin", "http://pages.example")
        .send("{}");
    assert_eq!(page.unwrap().status(), 403);
    assert_eq!(net.localnet.latest_ledger().unwrap(), 20);
    assert_eq!(net.client.ok("getHealth", json!({}))["latestLedger"], 20);
}
