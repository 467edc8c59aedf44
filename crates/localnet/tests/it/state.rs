//! A network saved to a file and started from it again.

use std::fs;

use localnet::xdr::{
    AccountEntryExt, AccountEntryExtensionV1, AccountEntryExtensionV1Ext, Asset, LedgerEntry,
    LedgerEntryData, LedgerEntryExt, Liabilities,
};
use localnet::{CloseMode, Config, DriveError, Localnet, PutError, StartError, StateError};
use serde_json::{Value, json};

use crate::common::build::{asset, payment, run, trust};
use crate::common::{Account, Http, Net, token};

fn config(path: &std::path::Path) -> Config {
    Config {
        close: CloseMode::AtOnce,
        state: Some(path.to_owned()),
        ..Config::on_demand()
    }
}

#[test]
fn everything_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let net = Net::start(config(&path));
    let (issuer, a) = (net.account("issuer"), net.account("a"));
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
    token::run(&net.client, &issuer, mint()).succeeded();
    run(&net.client, &a, vec![trust(&usd, 100)]).succeeded();
    net.localnet.close_ledgers(500).unwrap();
    let found = run(&net.client, &issuer, vec![payment(&a, &usd, 7)]).succeeded();
    let hash = found.0["txHash"].as_str().unwrap().to_owned();
    let views = |net: &Net| -> Vec<Value> {
        let latest = net.localnet.latest_ledger().unwrap();
        vec![
            net.client.transaction(&hash).0,
            net.client.ok("getEvents", json!({"startLedger": 2})),
            net.client.ok("getLatestLedger", Value::Null),
            net.client
                .ok("getLedgers", json!({"startLedger": latest - 50})),
            net.client.ok("getHealth", Value::Null),
            json!(net.localnet.now().unwrap()),
        ]
    };
    let before = views(&net);
    net.localnet.stop().unwrap();

    let net = Net::start(config(&path));
    assert_eq!(views(&net), before);
    // It goes on where it was.
    token::run(&net.client, &issuer, mint()).succeeded();
    run(&net.client, &a, vec![payment(&issuer, &usd, 7)]).succeeded();
    // Saved by the side channel, the file holds that as well.
    let Http::Status(200, _) = net.client.post("/localnet/save", "application/json", b"") else {
        panic!("not saved");
    };
    let later = net.localnet.latest_ledger().unwrap();
    drop(net);
    let net = Net::start(config(&path));
    assert_eq!(net.localnet.latest_ledger().unwrap(), later);
}

#[test]
fn a_foreign_or_unreadable_file_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let good = {
        let net = Net::start(config(&path));
        net.account("a");
        net.localnet.stop().unwrap();
        fs::read_to_string(&path).unwrap()
    };
    let spoilt: Value = serde_json::from_str(&good).unwrap();
    let with = |field: &str, value: Value| {
        let mut spoilt = spoilt.clone();
        spoilt[field] = value;
        spoilt.to_string()
    };
    for content in [
        String::new(),
        "my shopping list".to_owned(),
        "{\"format\": \"something else\"}".to_owned(),
        good[..good.len() / 2].to_owned(),
        with("version", json!(99)),
        with("format", json!("ledger")),
        with("hash_before", json!("00".repeat(32))),
        with("template", json!("AAAA")),
        with("times", json!([[0, 5, 1]])),
    ] {
        fs::write(&path, &content).unwrap();
        let Err(StartError::State(error)) = Localnet::start(config(&path)) else {
            panic!("started from: {content:.80}");
        };
        assert!(matches!(error, StateError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains("state.json"));
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            content,
            "the file is untouched"
        );
    }
    fs::write(&path, &good).unwrap();
    let other = Config {
        passphrase: "Another network".to_owned(),
        ..config(&path)
    };
    let Err(StartError::State(StateError::OtherNetwork { .. })) = Localnet::start(other) else {
        panic!("started with the state of another network");
    };
    assert_eq!(fs::read_to_string(&path).unwrap(), good);
    let Err(StartError::State(StateError::Read { .. })) = Localnet::start(config(folder.path()))
    else {
        panic!("started from a folder");
    };
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let net = Net::start(config(&folder.path().join("missing/state.json")));
    let Err(DriveError::State(StateError::Write { .. })) = net.localnet.stop() else {
        panic!("saved into a folder that is not there");
    };
}

#[test]
fn entries_that_no_operation_makes_are_written_past_the_rules() {
    let net = Net::at_once();
    let a = net.account("a");
    let key = a.ledger_key();
    let (entry, live_until) = net.localnet.entry(key.clone()).unwrap().unwrap();
    assert_eq!(live_until, None);
    let LedgerEntryData::Account(mut account) = entry.data else {
        panic!("an account");
    };
    // Open offers bind everything but the reserve and a little.
    account.ext = AccountEntryExt::V1(AccountEntryExtensionV1 {
        liabilities: Liabilities {
            buying: 0,
            selling: account.balance - 10_000_000 - 1_000,
        },
        ext: AccountEntryExtensionV1Ext::V0,
    });
    let bound = LedgerEntry {
        last_modified_ledger_seq: 0,
        data: LedgerEntryData::Account(account),
        ext: LedgerEntryExt::V0,
    };
    assert!(matches!(
        net.localnet.put_entry(bound.clone(), Some(9)),
        Err(DriveError::Entry(PutError::Lifetime))
    ));
    net.localnet.put_entry(bound.clone(), None).unwrap();
    let b = net.account("b");
    let found = run(&net.client, &a, vec![payment(&b, &Asset::Native, 901)]);
    assert!(
        found.operation().contains("Underfunded"),
        "{}",
        found.operation()
    );
    // The side channel takes the JSON form of the same.
    let fresh = Account::named("out of nothing");
    let LedgerEntryData::Account(mut account) = bound.data else {
        panic!("an account");
    };
    account.account_id = fresh.id();
    account.ext = AccountEntryExt::V0;
    let body = json!({"entries": [{"data": LedgerEntryData::Account(account)}]});
    let answer = net.client.post(
        "/localnet/entries",
        "application/json",
        body.to_string().as_bytes(),
    );
    assert!(matches!(answer, Http::Status(200, _)), "{answer:?}");
    assert!(net.client.balance(&fresh) > 0);
}

#[test]
fn a_jump_past_the_last_ledger_is_refused() {
    let net = Net::on_demand();
    assert!(matches!(
        net.localnet.advance(u64::MAX),
        Err(DriveError::TooFar(_))
    ));
    let body = b"{\"ledgers\": 4294967295}";
    match net.client.post("/localnet/close", "application/json", body) {
        Http::Status(400, text) => assert!(text.contains("jump less far"), "{text}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(net.localnet.latest_ledger().unwrap(), 2);
}
