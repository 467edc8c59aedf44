//! `getEvents`: filters, pages, and scans that end before they have found anything.

use localnet::xdr::{Asset, ScVal, SorobanTransactionData};
use serde_json::{Value, json};

use crate::common::build::{asset, payment, run, trust};
use crate::common::{Account, Net, RpcError, base64, token};

fn events(net: &Net, params: Value) -> (Vec<Value>, String) {
    let page = net.client.ok("getEvents", params);
    let cursor = page["cursor"].as_str().unwrap().to_owned();
    (page["events"].as_array().unwrap().clone(), cursor)
}

fn refused(net: &Net, params: Value) -> RpcError {
    net.client.call("getEvents", params).unwrap_err()
}

/// Pays once in each of `count` ledgers.
fn pay(net: &Net, from: &Account, count: u32) {
    for _ in 0..count {
        run(&net.client, from, vec![payment(from, &Asset::Native, 1)]).succeeded();
    }
}

#[test]
fn every_transaction_has_its_fee_and_classic_payments_transfer() {
    let net = Net::at_once();
    let (a, b) = (net.account("a"), net.account("b"));
    run(&net.client, &a, vec![payment(&b, &Asset::Native, 7)]).succeeded();
    let failed = run(
        &net.client,
        &a,
        vec![payment(&Account::named("nobody"), &Asset::Native, 1)],
    );
    assert_eq!(failed.status(), "FAILED");
    let native = net.localnet.network().asset_contract(&Asset::Native);
    let topic = |name: &str| base64(&token::symbol(name));
    let filter = |name: &str| {
        json!({"startLedger": 2, "filters": [{
            "type": "contract",
            "contractIds": [native.to_string()],
            "topics": [[topic(name), "*"], [topic(name), base64(&token::address(&a)), "**"]],
        }]})
    };
    let (fees, _) = events(&net, filter("fee"));
    assert_eq!(fees.len(), 4, "two from friendbot, one of each payment");
    assert!(fees.iter().all(|event| event["transactionIndex"] == 0));
    let (transfers, _) = events(&net, filter("transfer"));
    assert_eq!(transfers.len(), 1);
    let event = &transfers[0];
    assert_eq!(event["type"], "contract");
    assert_eq!(event["operationIndex"], 0);
    assert_eq!(event["transactionIndex"], 1);
    assert_eq!(event["value"], base64(&token::amount(7)));
    let id = event["id"].as_str().unwrap();
    let ledger = event["ledger"].as_u64().unwrap();
    assert_eq!(id, format!("{:019}-{:010}", ledger << 32 | 1 << 12, 0));
    assert!(
        event["ledgerClosedAt"]
            .as_str()
            .unwrap()
            .starts_with("2026-01-01T00:00:")
    );
}

#[test]
fn a_contract_call_gives_back_what_it_did_not_use() {
    let net = Net::at_once();
    let (issuer, a) = (net.account("issuer"), net.account("a"));
    let usd = asset("USD", &issuer);
    token::deploy(&net.client, &issuer, &usd);
    run(&net.client, &a, vec![trust(&usd, 100)]).succeeded();
    let contract = net.localnet.network().asset_contract(&usd);
    let mint = token::call(
        &contract,
        "mint",
        vec![token::address(&a), token::amount(5)],
    );
    let before = net.client.balance(&issuer);
    let (body, data, sequence) = token::simulated(&net.client, &issuer, mint);
    let SorobanTransactionData { resource_fee, .. } = data;
    let envelope = token::sealed(&net.client, &issuer, sequence, body, data);
    let found = net.client.submit(&envelope).succeeded();
    let charged = found.result().fee_charged;
    assert!(charged < resource_fee + 100);
    assert_eq!(net.client.balance(&issuer), before - charged);
    let meta = found.meta();
    let stages: Vec<_> = meta.events.iter().map(|event| event.stage).collect();
    assert_eq!(stages.len(), 2);
    let localnet::xdr::SorobanTransactionMetaExt::V1(fees) = meta.soroban_meta.unwrap().ext else {
        panic!("no fees in the metadata");
    };
    let parts =
        fees.total_non_refundable_resource_fee_charged + fees.total_refundable_resource_fee_charged;
    assert_eq!(charged, parts + 100);
    let from = net.localnet.latest_ledger().unwrap();
    let (found, _) = events(&net, json!({"startLedger": from}));
    let places: Vec<_> = found
        .iter()
        .map(|event| event["transactionIndex"].clone())
        .collect();
    assert_eq!(places, [json!(0), json!(1), json!(1_048_575)]);
    assert_eq!(found[1]["contractId"], contract.to_string());
}

#[test]
fn pages_go_on_behind_the_cursor() {
    let net = Net::at_once();
    let a = net.account("a");
    pay(&net, &a, 5);
    let (all, _) = events(&net, json!({"startLedger": 2}));
    let mut seen = Vec::new();
    let (mut page, mut cursor) =
        events(&net, json!({"startLedger": 2, "pagination": {"limit": 2}}));
    while !page.is_empty() {
        seen.append(&mut page);
        (page, cursor) = events(&net, json!({"pagination": {"limit": 2, "cursor": cursor}}));
    }
    assert_eq!(seen, all);
    // The end of the scan: nothing yet, and the next ledger will be found.
    let latest = u64::from(net.localnet.latest_ledger().unwrap());
    assert_eq!(
        cursor,
        format!("{:019}-4294967295", latest << 32 | 0xFFFF_FFFF)
    );
    pay(&net, &a, 1);
    let (new, _) = events(&net, json!({"pagination": {"cursor": cursor}}));
    assert_eq!(new.len(), 2);
    // The end of a range is not part of it.
    let (range, _) = events(&net, json!({"startLedger": 2, "endLedger": latest}));
    assert_eq!(range.len() + 2, all.len());
}

#[test]
fn a_scan_ends_after_ten_thousand_ledgers_with_an_empty_page_and_a_moved_cursor() {
    let net = Net::at_once();
    let a = net.account("a");
    pay(&net, &a, 1);
    net.localnet.close_ledgers(29_985).unwrap();
    pay(&net, &a, 1);
    let latest = net.localnet.latest_ledger().unwrap();
    let (mut page, mut cursor) = events(&net, json!({"startLedger": 5}));
    let mut calls = 1;
    while page.is_empty() {
        let ledger = cursor.split_once('-').unwrap().0.parse::<u64>().unwrap() >> 32;
        // With a cursor the scan counts from the ledger in which it lies.
        assert_eq!(ledger, 5 + 9_999 * calls);
        (page, cursor) = events(&net, json!({"pagination": {"cursor": cursor}}));
        calls += 1;
    }
    assert_eq!(page[0]["ledger"], latest);
    assert_eq!(calls, 3);
}

#[test]
fn filters_are_judged_one_by_one() {
    let net = Net::on_demand();
    let contract = localnet::xdr::ContractId(localnet::xdr::Hash([0; 32])).to_string();
    let any = base64(&ScVal::Void);
    let filter = |filter: Value| json!({"startLedger": 2, "filters": [filter]});
    for (params, message) in [
        (json!({}), "startLedger must be positive"),
        (
            json!({"startLedger": 2, "pagination": {"cursor": "0000000000000000001-0000000001"}}),
            "ledger ranges and cursor cannot both be set",
        ),
        (
            json!({"startLedger": 2, "pagination": {"limit": 10_001}}),
            "limit must not exceed 10000",
        ),
        (
            json!({"startLedger": 2, "filters": [{}, {}, {}, {}, {}, {}]}),
            "maximum 5 filters per request",
        ),
        (
            filter(json!({"contractIds": vec![contract.clone(); 6]})),
            "filter 1 invalid: maximum 5 contract IDs per filter",
        ),
        (
            filter(json!({"contractIds": ["GABC"]})),
            "filter 1 invalid: contract ID 1 invalid",
        ),
        (
            filter(json!({"type": "diagnostic"})),
            "filter 1 invalid: filter type invalid: if set, type must be either 'system' or \
             'contract'",
        ),
        (
            filter(json!({"topics": [[any, any, any, any, any]]})),
            "filter 1 invalid: topic 1 invalid: topic cannot have more than 4 segments",
        ),
        (
            filter(json!({"topics": [["**", any]]})),
            "filter 1 invalid: topic 1 invalid: segment 1 invalid: wildcard '**' is only allowed \
             as the last segment",
        ),
    ] {
        let error = refused(&net, params.clone());
        assert_eq!(
            (error.code, error.message.as_str()),
            (-32_602, message),
            "{params}"
        );
    }
    // Empty lists mean no restriction; four segments and a final `**` are allowed.
    events(
        &net,
        filter(json!({"topics": [], "contractIds": [], "type": ""})),
    );
    events(
        &net,
        filter(json!({"topics": [["*", "*", "*", "*", "**"]], "type": "contract,system"})),
    );
    let outside = refused(&net, json!({"startLedger": 9}));
    assert_eq!(outside.code, -32_600);
    assert_eq!(
        outside.message,
        "startLedger must be within the ledger range: 2 - 2"
    );
}

#[test]
fn a_cursor_outside_the_window_is_refused_at_both_ends() {
    let net = Net::start(localnet::Config {
        retention: 10,
        ..localnet::Config::on_demand()
    });
    net.localnet.close_ledgers(20).unwrap();
    let end_of = |ledger: u64| format!("{:019}-4294967295", ledger << 32 | 0xFFFF_FFFF);
    let page = |cursor: &str| {
        net.client
            .call("getEvents", json!({"pagination": {"cursor": cursor}}))
    };
    // Ledgers 13 to 22 are kept.
    for inside in [
        end_of(22),
        end_of(13),
        "0000000055834574848-0000000000".to_owned(),
    ] {
        assert_eq!(page(&inside).unwrap()["cursor"], end_of(22), "{inside}");
    }
    // A node that is behind has not got that far; one that forgot no longer knows.
    for outside in [
        end_of(23),
        end_of(12),
        format!("{:019}-0000000000", 23_u64 << 32 | 1 << 12),
    ] {
        let error = page(&outside).unwrap_err();
        assert_eq!(
            (error.code, error.message.as_str()),
            (
                -32_600,
                "startLedger must be within the ledger range: 13 - 22"
            ),
            "{outside}"
        );
    }
}

#[test]
fn an_empty_page_strikes_only_where_a_scan_can_end_early() {
    let net = Net::at_once();
    let a = net.account("a");
    pay(&net, &a, 1);
    let latest = net.localnet.latest_ledger().unwrap();
    let plan = localnet::FaultPlan::default().with(
        localnet::Fault::EmptyEventPage,
        localnet::Trigger::Next { calls: 1 },
    );
    net.localnet.set_faults(plan).unwrap();
    let (found, _) = events(&net, json!({"startLedger": latest}));
    assert_eq!(found.len(), 2);
    assert!(net.localnet.fault_counts().unwrap().is_empty());
    // Read up to the ledger before, a page can be empty without moving on.
    let before = format!(
        "{:019}-4294967295",
        u64::from(latest - 1) << 32 | 0xFFFF_FFFF
    );
    let from = json!({"pagination": {"cursor": before}});
    assert_eq!(events(&net, from.clone()), (vec![], before));
    assert_eq!(events(&net, from).0.len(), 2);
}
