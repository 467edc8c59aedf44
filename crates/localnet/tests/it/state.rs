//! A network saved to a file and started from it again.

use std::fs;

use localnet::xdr::{
    AccountEntryExt, AccountEntryExtensionV1, AccountEntryExtensionV1Ext, AccountEntryExtensionV2,
    AccountEntryExtensionV2Ext, Asset, ContractDataDurability, ContractDataEntry, ContractId,
    ExtensionPoint, Hash, LedgerEntry, LedgerEntryData, LedgerEntryExt, LedgerKey,
    LedgerKeyContractData, Liabilities, OperationBody, ScAddress, ScVal, ScVec, SetOptionsOp,
    Signer, SignerKey, Uint256, VecM,
};
use localnet::{CloseMode, Config, DriveError, Localnet, PutError, StartError, StateError};
use serde_json::{Value, json};

use crate::common::build::{asset, options, payment, run, trust};
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
        // It all fits together, but it is not what was saved.
        with("clock", json!({"manual": {"now": 5}})),
        with("entries", json!([])),
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
fn a_file_that_cannot_be_written_is_an_error_at_the_start_or_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let path = missing.join("state.json");
    let Err(StartError::State(StateError::Write { .. })) = Localnet::start(config(&path)) else {
        panic!("started with a file in a folder that is not there");
    };
    fs::create_dir(&missing).unwrap();
    let net = Net::start(config(&path));
    fs::remove_dir(&missing).unwrap();
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
    // Sequence numbers of accounts start at the ledger's number, 32 bits up.
    assert!(matches!(
        net.localnet.advance(11_000_000_000),
        Err(DriveError::TooFar(_))
    ));
    let body = b"{\"ledgers\": 4294967295}";
    match net.client.post("/localnet/close", "application/json", body) {
        Http::Status(400, text) => assert!(text.contains("jump less far"), "{text}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(net.localnet.latest_ledger().unwrap(), 2);
}

/// An entry of a contract's data, and its key.
fn data(number: u32, val: ScVal) -> (LedgerKey, LedgerEntry) {
    let contract = ScAddress::Contract(ContractId(Hash([1; 32])));
    let (key, durability) = (ScVal::U32(number), ContractDataDurability::Persistent);
    let entry = LedgerEntry {
        last_modified_ledger_seq: 2,
        data: LedgerEntryData::ContractData(ContractDataEntry {
            ext: ExtensionPoint::V0,
            contract: contract.clone(),
            key: key.clone(),
            durability,
            val,
        }),
        ext: LedgerEntryExt::V0,
    };
    let key = LedgerKey::ContractData(LedgerKeyContractData {
        contract,
        key,
        durability,
    });
    (key, entry)
}

#[test]
fn values_as_deep_as_contracts_can_store_them_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let mut value = ScVal::Void;
    for _ in 0..100 {
        value = ScVal::Vec(Some(ScVec([value].try_into().unwrap())));
    }
    let (key, entry) = data(1, value);
    let net = Net::start(config(&path));
    net.localnet.put_entry(entry.clone(), Some(9)).unwrap();
    net.localnet.stop().unwrap();
    let net = Net::start(config(&path));
    assert_eq!(net.localnet.entry(key).unwrap(), Some((entry, Some(9))));
}

#[test]
fn nothing_that_was_answered_is_missing_after_a_stop_under_load() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    for round in 0..3 {
        let net = Net::start(config(&path));
        let a = net.account("a");
        let (client, first) = (net.client.clone(), net.client.sequence(&a));
        let load = std::thread::spawn(move || {
            let mut answered = Vec::new();
            for sequence in first + 1.. {
                let body = payment(&a, &Asset::Native, 1);
                let tx = crate::common::build::with_sequence(&a, sequence, vec![body]);
                let params =
                    json!({"transaction": crate::common::base64(&client.sign(&tx, &[&a]))});
                let request = json!({"jsonrpc": "2.0", "id": 5, "method": "sendTransaction",
                    "params": params});
                let body = request.to_string();
                let Http::Status(200, text) = client.post("/", "application/json", body.as_bytes())
                else {
                    break;
                };
                let answer: Value = serde_json::from_str(&text).unwrap();
                answered.push(answer["result"]["hash"].as_str().unwrap().to_owned());
            }
            answered
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        net.localnet.stop().unwrap();
        let answered = load.join().unwrap();
        assert!(!answered.is_empty());
        let net = Net::start(config(&path));
        let known = |hash: &String| net.client.transaction(hash).status() == "SUCCESS";
        assert!(answered.iter().all(known), "round {round}");
    }
}

#[test]
fn entries_come_together_or_not_at_all_and_change_no_past() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let net = Net::start(config(&path));
    let a = net.account("a");
    let seen = |net: &Net| net.client.balance(&a);
    let before = seen(&net);
    run(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]).succeeded();
    let (good, lifeless) = (data(1, ScVal::Void), data(2, ScVal::Void));
    let body = json!({"entries": [
        {"data": good.1.data, "live_until": 9},
        {"data": lifeless.1.data},
    ]});
    let answer = net.client.post(
        "/localnet/entries",
        "application/json",
        body.to_string().as_bytes(),
    );
    assert!(matches!(answer, Http::Status(400, _)), "{answer:?}");
    assert_eq!(net.localnet.entry(good.0).unwrap(), None);
    // However many are written, a node that lags still knows what was before them.
    for number in 0..100 {
        let (_, entry) = data(number, ScVal::Void);
        net.localnet.put_entry(entry, Some(9)).unwrap();
    }
    let lag = |net: &Net| {
        let plan = localnet::FaultPlan {
            magnitudes: localnet::Magnitudes {
                lag_ledgers: 1,
                ..localnet::Magnitudes::default()
            },
            ..localnet::FaultPlan::default()
        };
        let plan = plan.with(
            localnet::Fault::LaggingRead,
            localnet::Trigger::Next { calls: 1 },
        );
        net.localnet.set_faults(plan).unwrap();
    };
    lag(&net);
    assert_eq!(seen(&net), before);
    assert_eq!(seen(&net), before - 100);
    // Of the time before it started a node knows no entries, so it lags no further than that.
    let latest = net.localnet.latest_ledger().unwrap();
    net.localnet.stop().unwrap();
    let net = Net::start(config(&path));
    lag(&net);
    let health = net.client.ok("getHealth", Value::Null);
    assert_eq!(health["latestLedger"], latest);
}

#[test]
fn an_account_whose_lists_do_not_fit_stops_no_ledger() {
    let net = Net::at_once();
    let a = net.account("a");
    let (entry, _) = net.localnet.entry(a.ledger_key()).unwrap().unwrap();
    let LedgerEntryData::Account(mut account) = entry.data else {
        panic!("an account");
    };
    let signer = |weight| Signer {
        key: SignerKey::Ed25519(Uint256([9; 32])),
        weight,
    };
    account.num_sub_entries = 1;
    account.signers = [signer(1)].try_into().unwrap();
    account.ext = AccountEntryExt::V1(AccountEntryExtensionV1 {
        liabilities: Liabilities {
            buying: 0,
            selling: 0,
        },
        ext: AccountEntryExtensionV1Ext::V2(AccountEntryExtensionV2 {
            num_sponsored: 0,
            num_sponsoring: 0,
            signer_sponsoring_i_ds: VecM::default(),
            ext: AccountEntryExtensionV2Ext::V0,
        }),
    });
    let entry = LedgerEntry {
        last_modified_ledger_seq: 2,
        data: LedgerEntryData::Account(account),
        ext: LedgerEntryExt::V0,
    };
    net.localnet.put_entry(entry, None).unwrap();
    let remove = OperationBody::SetOptions(SetOptionsOp {
        signer: Some(signer(0)),
        ..options()
    });
    run(&net.client, &a, vec![remove]).succeeded();
}
