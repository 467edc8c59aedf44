//! The protocol: envelopes of JSON-RPC, and the words in which each method refuses.

use localnet::xdr::{
    Asset, ConfigSettingId, LedgerCloseMeta, LedgerHeader, LedgerHeaderHistoryEntry, LedgerKey,
    LedgerKeyConfigSetting, LedgerKeyTtl, Limits, WriteXdr,
};
use localnet::{Config, Localnet};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::common::build::{payment, run};
use crate::common::{Http, Net, RpcError, base64, decode};

fn raw(net: &Net, body: &str) -> Value {
    match net
        .client
        .post("/any/path", "application/json", body.as_bytes())
    {
        Http::Status(200, text) => serde_json::from_str(&text).expect("JSON"),
        other => panic!("{other:?}"),
    }
}

fn refused(net: &Net, method: &str, params: Value) -> RpcError {
    net.client
        .call(method, params.clone())
        .expect_err(&format!("{method} {params}"))
}

fn error(code: i64, message: &str) -> RpcError {
    RpcError {
        code,
        message: message.to_owned(),
    }
}

#[test]
fn ids_and_missing_parameters_are_taken_as_they_come() {
    let net = Net::on_demand();
    for (id, params) in [
        ("0", ""),
        ("\"text\"", ",\"params\":null"),
        ("7.5", ",\"params\":{}"),
        ("null", ",\"params\":{\"unknown\":1}"),
    ] {
        let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"getHealth\"{params}}}");
        let answer = raw(&net, &body);
        assert_eq!(answer["id"].to_string(), id);
        assert_eq!(answer["result"]["status"], "healthy");
        // A client takes the mere presence of the field for a failure.
        assert!(answer.get("error").is_none());
    }
}

#[test]
fn broken_requests_get_the_codes_of_the_protocol() {
    let net = Net::on_demand();
    for (body, code) in [
        ("{", -32_700),
        ("7", -32_600),
        ("[]", -32_600),
        ("{\"id\":1}", -32_600),
        (
            "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"getHealth\"}",
            -32_600,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getNothing\"}",
            -32_601,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getLedgers\",\"params\":[1]}",
            -32_602,
        ),
    ] {
        assert_eq!(raw(&net, body)["error"]["code"], code, "{body}");
    }
    let unknown = raw(
        &net,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getNothing\"}",
    );
    assert_eq!(unknown["error"]["message"], "method not found");
    assert_eq!(unknown["error"]["data"], "getNothing");
}

#[test]
fn batches_and_notifications_work() {
    let net = Net::on_demand();
    let answers = raw(
        &net,
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getHealth\"},\
          {\"jsonrpc\":\"2.0\",\"method\":\"getHealth\"},\
          {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"getNetwork\"}]",
    );
    let ids: Vec<_> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a["id"].clone())
        .collect();
    assert_eq!(ids, [json!(1), json!(2)]);
    let notification = b"{\"jsonrpc\":\"2.0\",\"method\":\"getHealth\"}";
    let answer = net.client.post("/", "application/json", notification);
    assert!(matches!(answer, Http::Status(204, _)), "{answer:?}");
}

#[test]
fn http_is_refused_where_the_public_server_refuses_it() {
    let net = Net::on_demand();
    let body = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getHealth\"}";
    let text = net.client.post("/", "text/plain", body);
    assert!(matches!(text, Http::Status(415, _)), "{text:?}");
    let giant = vec![b' '; 600 * 1024];
    let answer = net.client.post("/", "application/json", &giant);
    assert!(
        matches!(answer, Http::Status(413, _) | Http::Broken(_)),
        "{answer:?}"
    );
    let get = ureq::get(&net.client.url).call();
    assert!(matches!(get, Err(ureq::Error::StatusCode(405))), "{get:?}");
}

#[test]
fn ledger_entries_are_asked_for_within_limits() {
    let net = Net::on_demand();
    let key = |id| {
        base64(&LedgerKey::ConfigSetting(LedgerKeyConfigSetting {
            config_setting_id: id,
        }))
    };
    let archival = key(ConfigSettingId::StateArchival);
    let ask = |keys: Vec<String>| refused(&net, "getLedgerEntries", json!({"keys": keys}));
    assert_eq!(
        ask(vec![archival.clone(); 201]),
        error(-32_602, "key count (201) exceeds maximum supported (200)")
    );
    assert_eq!(
        ask(vec!["junk".to_owned()]),
        error(-32_602, "cannot unmarshal key value junk at index 0")
    );
    assert_eq!(ask(vec![archival.clone(); 2]).code, -32_603);
    let ttl = LedgerKey::Ttl(LedgerKeyTtl {
        key_hash: localnet::xdr::Hash([0; 32]),
    });
    assert_eq!(
        ask(vec![base64(&ttl)]),
        error(-32_602, "ledger ttl entries cannot be queried directly")
    );
    let settings: Vec<String> = ConfigSettingId::variants().into_iter().map(key).collect();
    let answer = net.client.ok("getLedgerEntries", json!({"keys": settings}));
    assert_eq!(answer["entries"].as_array().unwrap().len(), 21);
    assert_eq!(
        refused(
            &net,
            "getLedgerEntries",
            json!({"keys": [archival], "xdrFormat": "x"})
        ),
        error(
            -32_602,
            "got 'x': expected base64, json for optional 'xdrFormat'"
        )
    );
    assert!(
        refused(&net, "getLedgerEntries", json!({"keys": 1}))
            .message
            .starts_with("invalid parameters: ")
    );
}

#[test]
fn hashes_must_be_hashes() {
    let net = Net::on_demand();
    assert_eq!(
        refused(&net, "getTransaction", json!({"hash": "a".repeat(63)})),
        error(-32_602, "unexpected hash length (63)")
    );
    let odd = refused(&net, "getTransaction", json!({"hash": "z".repeat(64)}));
    assert!(odd.message.starts_with("incorrect hash: "), "{odd:?}");
    assert_eq!(
        refused(&net, "sendTransaction", json!({"transaction": "AAAA"})),
        error(-32_602, "invalid_xdr")
    );
}

#[test]
fn ledgers_come_in_pages_and_link_to_one_another() {
    let net = Net::at_once();
    let a = net.account("a");
    net.localnet.close_ledgers(200).unwrap();
    run(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]).succeeded();
    net.localnet.close_ledgers(100).unwrap();
    let latest = net.localnet.latest_ledger().unwrap();
    let mut previous: Option<(String, String)> = None;
    let mut params = json!({"startLedger": 2, "pagination": {"limit": 120}});
    let mut seen = 1;
    while seen < latest {
        let page = net.client.ok("getLedgers", params);
        for ledger in page["ledgers"].as_array().unwrap() {
            seen = u32::try_from(ledger["sequence"].as_u64().unwrap()).unwrap();
            let entry: LedgerHeaderHistoryEntry = decode(ledger["headerXdr"].as_str().unwrap());
            let hash = ledger["hash"].as_str().unwrap().to_owned();
            let bytes = entry.header.to_xdr(Limits::none()).unwrap();
            assert_eq!(
                hash,
                hex::encode(Sha256::digest(bytes)),
                "the hash is the header's"
            );
            if let Some((before, _)) = &previous {
                assert_eq!(hex::encode(entry.header.previous_ledger_hash.0), *before);
            }
            let meta: LedgerCloseMeta = decode(ledger["metadataXdr"].as_str().unwrap());
            let LedgerCloseMeta::V2(meta) = meta else {
                panic!("metadata of another version");
            };
            assert_eq!(meta.ledger_header, entry);
            let set = meta.tx_set.to_xdr(Limits::none()).unwrap();
            assert_eq!(
                hex::encode(Sha256::digest(set)),
                hex::encode(entry.header.scp_value.tx_set_hash.0)
            );
            previous = Some((hash, ledger["ledgerCloseTime"].to_string()));
        }
        params = json!({"pagination": {"cursor": page["cursor"], "limit": 120}});
    }
    assert_eq!(seen, latest);
    // A cursor at the end is an error, not an empty page.
    let end = refused(
        &net,
        "getLedgers",
        json!({"pagination": {"cursor": latest.to_string()}}),
    );
    assert_eq!(end.code, -32_602);
    assert!(
        end.message
            .starts_with(&format!("cursor ('{latest}') must be between"))
    );
    let newest = net.client.ok("getLatestLedger", Value::Null);
    let header: LedgerHeader = decode(newest["headerXdr"].as_str().unwrap());
    assert_eq!(header.ledger_seq, latest);
    assert_eq!(newest["id"], json!(previous.unwrap().0));
}

#[test]
fn ranges_outside_the_window_are_named() {
    let net = Net::on_demand();
    net.localnet.close_ledgers(3).unwrap();
    for method in ["getLedgers", "getTransactions"] {
        assert_eq!(
            refused(&net, method, json!({"startLedger": 9})),
            error(
                -32_600,
                "start ledger (9) must be between the oldest ledger: 2 and the latest ledger: 5 \
                 for this rpc instance"
            )
        );
        let both = json!({"startLedger": 2, "pagination": {"cursor": "5"}});
        assert_eq!(
            refused(&net, method, both),
            error(-32_600, "startLedger (2) and cursor (5) cannot both be set")
        );
        let many = json!({"startLedger": 2, "pagination": {"limit": 201}});
        assert_eq!(
            refused(&net, method, many),
            error(-32_600, "limit must not exceed 200")
        );
    }
}

#[test]
fn transactions_come_in_pages() {
    let net = Net::at_once();
    let a = net.account("a");
    for _ in 0..4 {
        run(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]).succeeded();
    }
    let first = net.client.ok(
        "getTransactions",
        json!({"startLedger": 2, "pagination": {"limit": 3}}),
    );
    let rest = net.client.ok(
        "getTransactions",
        json!({"pagination": {"cursor": first["cursor"]}}),
    );
    let count = |page: &Value| page["transactions"].as_array().unwrap().len();
    assert_eq!((count(&first), count(&rest)), (3, 2));
    let tx = &rest["transactions"][0];
    assert!(tx["createdAt"].is_number());
    let position = tx["ledger"].as_u64().unwrap() << 32 | 1 << 12 | 1;
    assert!(rest["cursor"].as_str().unwrap().parse::<u64>().unwrap() >= position);
}

#[test]
fn fees_of_the_last_ledgers_are_counted() {
    let net = Net::at_once();
    let a = net.account("a");
    let idle = net.client.ok("getFeeStats", Value::Null);
    assert_eq!(idle["sorobanInclusionFee"]["max"], "0");
    run(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]).succeeded();
    let stats = net.client.ok("getFeeStats", Value::Null);
    let classic = stats["inclusionFee"].as_object().unwrap();
    assert_eq!(classic["p50"], "100");
    assert_eq!(classic["transactionCount"], "2");
    assert_eq!(classic.len(), 16);
}

#[test]
fn a_window_forgets_what_is_older() {
    let net = Net::start(Config {
        close: localnet::CloseMode::AtOnce,
        retention: 20,
        ..Config::on_demand()
    });
    let a = net.account("a");
    let found = run(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]).succeeded();
    let hash = found.0["txHash"].as_str().unwrap().to_owned();
    net.localnet.close_ledgers(19).unwrap();
    assert_eq!(net.client.transaction(&hash).status(), "SUCCESS");
    net.localnet.close_ledgers(1).unwrap();
    assert_eq!(net.client.transaction(&hash).status(), "NOT_FOUND");
    let health = net.client.ok("getHealth", Value::Null);
    let span = health["latestLedger"].as_u64().unwrap() - health["oldestLedger"].as_u64().unwrap();
    assert_eq!(span, 19);
    // What the account owns is not forgotten.
    assert!(net.client.balance(&a) > 0);
}

#[test]
fn a_port_in_use_is_named() {
    let net = Net::on_demand();
    let taken = Config {
        address: net.localnet.address(),
        ..Config::default()
    };
    let Err(error) = Localnet::start(taken) else {
        panic!("two networks on one port");
    };
    let text = error.to_string();
    assert!(text.contains(&net.localnet.address().to_string()), "{text}");
}
