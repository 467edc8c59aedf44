//! The client against canned answers: every status distinct, nothing hidden.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use payout_engine::protocol::{Bid, Bounds, Fate, RefusedKind, SendStatus, Signed, TxHash};
use payout_engine::rpc::{
    Client, EventFilter, EventsFrom, Options, RpcError, Simulated, TransactionStatus, fate, market,
    refusal, send_answer,
};
use payout_engine::{Moment, NodeId};
use serde_json::{Value, json};
use stellar_xdr::{
    Limits, TransactionResult, TransactionResultExt, TransactionResultResult, WriteXdr,
};

/// A node that gives one answer to each call, in order, and keeps what it was asked.
struct Node {
    url: String,
    asked: std::thread::JoinHandle<Vec<Value>>,
}

enum Reply {
    Result(Value),
    Body(Value),
    Status(u16),
    Silence,
}

fn node(replies: Vec<Reply>) -> Node {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let asked = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for reply in replies {
            let (stream, _) = listener.accept().expect("a connection");
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).expect("a line");
                let lower = line.to_ascii_lowercase();
                if let Some(value) = lower.strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a length");
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            let call: Value = serde_json::from_slice(&body).expect("json");
            let (status, answer) = match reply {
                Reply::Result(result) => (
                    200,
                    json!({"jsonrpc": "2.0", "id": call["id"], "result": result}),
                ),
                Reply::Body(body) => (200, body),
                Reply::Status(status) => (status, json!({})),
                Reply::Silence => {
                    std::thread::sleep(Duration::from_millis(800));
                    (200, json!({}))
                }
            };
            asked.push(call);
            let text = answer.to_string();
            let _ = write!(
                reader.get_mut(),
                "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
                text.len()
            );
        }
        asked
    });
    Node { url, asked }
}

impl Node {
    fn client(&self) -> Client {
        let options = Options {
            connect: Duration::from_millis(500),
            call: Duration::from_millis(500),
        };
        Client::new(&self.url, NodeId(3), options).expect("a client")
    }
}

fn one(reply: Reply) -> (Client, Node) {
    let node = node(vec![reply]);
    (node.client(), node)
}

#[tokio::test]
async fn transport_answers_are_told_apart() {
    let (client, _node) = one(Reply::Status(504));
    assert_eq!(client.health().await, Err(RpcError::Status(504)));
    let (client, _node) = one(Reply::Silence);
    assert_eq!(client.health().await, Err(RpcError::Timeout));
    let (client, _node) = one(Reply::Body(
        json!({"jsonrpc": "2.0", "id": 99, "result": {}}),
    ));
    assert!(matches!(
        client.health().await,
        Err(RpcError::OtherCall { .. })
    ));
    let (client, _node) = one(Reply::Body(json!({"jsonrpc": "2.0", "id": 0})));
    assert!(matches!(
        client.health().await,
        Err(RpcError::Unreadable { .. })
    ));
    let error = json!({"jsonrpc": "2.0", "id": 0, "error": {"code": -32600, "message": "window"}});
    let (client, _node) = one(Reply::Body(error));
    assert!(matches!(
        client.health().await,
        Err(RpcError::Rpc { code: -32600, .. })
    ));
    let closed = Client::new("http://127.0.0.1:9", NodeId(0), Options::default()).expect("made");
    assert!(matches!(closed.health().await, Err(RpcError::Transport(_))));
    for url in ["ftp://x", "x", ""] {
        assert!(matches!(
            Client::new(url, NodeId(0), Options::default()),
            Err(RpcError::Url(_))
        ));
    }
}

#[tokio::test]
async fn the_clock_is_asked_elsewhere_where_the_time_is_left_out() {
    let latest = json!({"id": "00", "protocolVersion": 28, "sequence": 7});
    let nobody = json!({"status": "NOT_FOUND", "latestLedger": 8, "latestLedgerCloseTime": "1700",
        "oldestLedger": 2, "oldestLedgerCloseTime": "1000", "ledger": 0, "createdAt": "0"});
    let node = node(vec![Reply::Result(latest), Reply::Result(nobody)]);
    let clock = node.client().clock().await.expect("answered");
    let close_time = Some(1_700);
    assert_eq!(
        clock,
        Moment {
            ledger: 8,
            close_time
        }
    );

    let (client, _node) = one(Reply::Result(
        json!({"id": "00", "protocolVersion": 28, "sequence": 7, "closeTime": "1600"}),
    ));
    let close_time = Some(1_600);
    assert_eq!(
        client.clock().await,
        Ok(Moment {
            ledger: 7,
            close_time
        })
    );
}

#[tokio::test]
async fn small_answers_are_read() {
    let health = json!({"status": "healthy", "latestLedger": 9, "oldestLedger": 2,
        "ledgerRetentionWindow": 120_960, "unknown": true});
    let (client, _node) = one(Reply::Result(health));
    assert_eq!(client.health().await.expect("read").oldest_ledger, 2);
    let (client, _node) = one(Reply::Result(
        json!({"passphrase": "p", "protocolVersion": 28}),
    ));
    assert_eq!(client.network().await.expect("read").passphrase, "p");
    let (client, _node) = one(Reply::Result(json!({"entries": null, "latestLedger": 5})));
    let entries = client
        .ledger_entries(&["k".to_owned()])
        .await
        .expect("read");
    assert!(entries.entries.is_empty() && entries.latest_ledger == 5);
    let spread = json!({"max": "900", "min": "100", "mode": "100", "p10": "100", "p50": "250",
        "p90": "800", "p99": "900", "transactionCount": "12", "ledgerCount": 50});
    let stats = json!({"sorobanInclusionFee": spread, "inclusionFee": spread, "latestLedger": 5});
    let (client, _node) = one(Reply::Result(stats));
    assert_eq!(market(&client.fee_stats().await.expect("read")), Bid(250));
}

#[tokio::test]
async fn a_refused_simulation_is_a_result() {
    let text = "HostError: Error(Contract, #600)\n\nEvent log";
    let (client, _node) = one(Reply::Result(json!({"error": text, "latestLedger": 4})));
    let Simulated::Refused {
        error,
        latest_ledger,
    } = client.simulate("x").await.expect("read")
    else {
        panic!("refused")
    };
    assert_eq!(
        (refusal(&error, latest_ledger).contract_error, latest_ledger),
        (Some(600), 4)
    );
    assert_eq!(
        refusal("Error(WasmVm, MissingValue)", 1).contract_error,
        None
    );

    let good = json!({"transactionData": "AAAA", "minResourceFee": "9007199254740993",
        "results": [{"auth": null, "xdr": "AAAAAQ=="}], "latestLedger": 4});
    let (client, _node) = one(Reply::Result(good));
    let Simulated::Success(success) = client.simulate("x").await.expect("read") else {
        panic!("success")
    };
    assert_eq!(success.min_resource_fee, 9_007_199_254_740_993);
    let (client, _node) = one(Reply::Result(json!({"latestLedger": 4})));
    assert!(matches!(
        client.simulate("x").await,
        Err(RpcError::Unreadable { .. })
    ));
}

fn signed(bid: u32, bump: bool) -> Signed {
    Signed {
        hash: TxHash([if bump { 2 } else { 1 }; 32]),
        inner: TxHash([1; 32]),
        xdr: vec![1],
        source: "G".into(),
        sequence: 1,
        bid: Bid(bid),
        resource_fee: 1_000,
        bounds: Bounds {
            max_time: 1,
            max_ledger: 1,
            authorised_until: None,
        },
    }
}

fn result(result: TransactionResultResult, fee_charged: i64) -> String {
    TransactionResult {
        fee_charged,
        result,
        ext: TransactionResultExt::V0,
    }
    .to_xdr_base64(Limits::none())
    .expect("xdr")
}

fn sent(status: &str, hash: TxHash, error: Option<String>) -> Value {
    let mut sent = json!({"status": status, "hash": hash.to_string(), "latestLedger": 9,
        "latestLedgerCloseTime": "1700"});
    if let Some(error) = error {
        sent["errorResultXdr"] = json!(error);
    }
    sent
}

#[tokio::test]
async fn every_status_of_a_sending_is_its_own() {
    use TransactionResultResult as Code;
    let hash = TxHash([1; 32]);
    let refused = |code: &str, kind| SendStatus::Refused {
        code: code.to_owned(),
        kind,
    };
    for (status, error, expected) in [
        ("PENDING", None, SendStatus::Pending),
        ("DUPLICATE", None, SendStatus::Duplicate),
        ("TRY_AGAIN_LATER", None, SendStatus::TryAgainLater),
        ("SOMETHING", None, SendStatus::Other("SOMETHING".into())),
        (
            "ERROR",
            None,
            SendStatus::Other("ERROR without a result".into()),
        ),
        (
            "ERROR",
            Some(result(Code::TxBadSeq, 0)),
            refused("TxBadSeq", RefusedKind::Passing),
        ),
        (
            "ERROR",
            Some(result(Code::TxBadAuth, 0)),
            refused("TxBadAuth", RefusedKind::Lasting),
        ),
        (
            "ERROR",
            Some(result(Code::TxInsufficientFee, 51_000)),
            refused("TxInsufficientFee", RefusedKind::Fee(Bid(50_000))),
        ),
    ] {
        let (client, _node) = one(Reply::Result(sent(status, hash, error)));
        let sent = client.send("AAAA", hash).await.expect("answered");
        let answer = send_answer(&sent, &signed(100, false)).expect("read");
        assert_eq!((answer.status, answer.ledger), (expected, 9));
    }
}

/// A fee bump counts as two operations; what a node asks is more than was bid.
#[tokio::test]
async fn the_fee_that_a_node_asks_is_a_bid_for_each_operation() {
    let hash = TxHash([2; 32]);
    for (fee, bid) in [(41_001, 20_001), (0, 1_001)] {
        let error = result(TransactionResultResult::TxInsufficientFee, fee);
        let (client, _node) = one(Reply::Result(sent("ERROR", hash, Some(error))));
        let sent = client.send("AAAA", hash).await.expect("answered");
        let answer = send_answer(&sent, &signed(1_000, true)).expect("read");
        let SendStatus::Refused { kind, .. } = answer.status else {
            panic!("refused")
        };
        assert_eq!(kind, RefusedKind::Fee(Bid(bid)));
    }
}

#[tokio::test]
async fn an_answer_for_another_transaction_is_no_answer() {
    let (client, _node) = one(Reply::Result(sent("PENDING", TxHash([9; 32]), None)));
    let error = client.send("AAAA", TxHash([1; 32])).await;
    assert!(matches!(error, Err(RpcError::OtherTransaction { .. })));
}

#[tokio::test]
async fn what_a_node_knows_by_hash_keeps_its_window() {
    for (status, found, succeeded) in [
        ("SUCCESS", TransactionStatus::Success, true),
        ("FAILED", TransactionStatus::Failed, false),
    ] {
        let xdr = result(TransactionResultResult::TxBadSeq, 321);
        let (client, node) = one(Reply::Result(json!({"status": status, "latestLedger": 9,
            "latestLedgerCloseTime": "1700", "oldestLedger": 2, "oldestLedgerCloseTime": 1000,
            "ledger": 8, "createdAt": "1600", "applicationOrder": 1, "feeBump": true,
            "envelopeXdr": "AAAA", "resultXdr": xdr, "resultMetaXdr": "AAAA"})));
        let answer = client
            .transaction(TxHash([0xab; 32]))
            .await
            .expect("answered");
        assert_eq!(
            (answer.status, answer.oldest_ledger, answer.latest_ledger),
            (found, 2, 9)
        );
        let fee_charged = 321;
        assert_eq!(
            fate(&answer),
            Ok(Fate::Included {
                ledger: 8,
                succeeded,
                fee_charged
            })
        );
        let asked = node.asked.join().expect("ended");
        assert_eq!(asked[0]["params"]["hash"], "ab".repeat(32));
    }
}

#[tokio::test]
async fn events_are_asked_by_ledger_or_by_cursor_and_never_by_both() {
    let page = json!({"events": null, "cursor": "0000000000000000042-0000000001",
        "latestLedger": 9, "oldestLedger": 2, "latestLedgerCloseTime": "1700",
        "oldestLedgerCloseTime": "1000"});
    let node = node(vec![Reply::Result(page.clone()), Reply::Result(page)]);
    let client = node.client();
    let filter = EventFilter {
        contract_ids: vec!["C1".into()],
        topics: Vec::new(),
    };
    let from = EventsFrom::Ledger(5);
    let first = client
        .events(&from, Some(8), &filter, 10)
        .await
        .expect("read");
    assert!(first.events.is_empty() && first.oldest_ledger == 2);
    let from = EventsFrom::Cursor(first.cursor.clone());
    client.events(&from, None, &filter, 10).await.expect("read");
    let asked = node.asked.join().expect("ended");
    let (by_ledger, by_cursor) = (&asked[0]["params"], &asked[1]["params"]);
    assert_eq!(by_ledger["startLedger"], 5);
    assert_eq!(by_ledger["endLedger"], 8);
    assert_eq!(by_ledger["filters"][0]["type"], "contract");
    assert!(by_ledger["pagination"].get("cursor").is_none());
    assert_eq!(by_cursor["pagination"]["cursor"], first.cursor);
    assert!(by_cursor.get("startLedger").is_none());
}
