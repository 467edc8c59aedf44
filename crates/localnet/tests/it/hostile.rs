//! A thousand hostile requests: each gets the public server's kind of error, none changes anything.

use std::collections::BTreeMap;

use localnet::xdr::{
    Asset, Memo, OperationBody, SorobanAuthorizationEntry, SorobanAuthorizedFunction,
    SorobanAuthorizedInvocation, SorobanCredentials, TransactionEnvelope,
};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::common::build::{payment, run, transaction};
use crate::common::{Account, Client, Http, Net, base64, token};

const METHODS: [&str; 12] = [
    "getHealth",
    "getVersionInfo",
    "getNetwork",
    "getFeeStats",
    "getLatestLedger",
    "getLedgers",
    "getLedgerEntries",
    "simulateTransaction",
    "sendTransaction",
    "getTransaction",
    "getTransactions",
    "getEvents",
];

/// Parameters that some method reads.
const FIELDS: [&str; 10] = [
    "transaction",
    "hash",
    "keys",
    "startLedger",
    "endLedger",
    "filters",
    "pagination",
    "xdrFormat",
    "resourceConfig",
    "authMode",
];

fn junk(rng: &mut ChaCha8Rng, depth: u32) -> Value {
    match rng.gen_range(0..if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => json!(rng.gen_bool(0.5)),
        2 => json!(rng.r#gen::<i64>()),
        3 => json!(rng.gen_range(-1e300..1e300)),
        4 => json!(""),
        5 => json!("A".repeat(rng.gen_range(1..5_000))),
        6 => json!(String::from_utf8_lossy(&rng.r#gen::<[u8; 16]>())),
        7 => Value::Array(
            (0..rng.gen_range(0..4))
                .map(|_| junk(rng, depth - 1))
                .collect(),
        ),
        _ => (0..rng.gen_range(0..4))
            .map(|_| {
                let name = FIELDS.choose(rng).expect("a field");
                ((*name).to_owned(), junk(rng, depth - 1))
            })
            .collect(),
    }
}

struct Hostile<'a> {
    net: &'a Net,
    rng: ChaCha8Rng,
    victim: Account,
    valid: TransactionEnvelope,
    used: TransactionEnvelope,
    /// How often each answer came.
    answers: BTreeMap<String, u32>,
}

impl Hostile<'_> {
    fn post(&mut self, body: &[u8]) -> Option<Value> {
        match self.net.client.post("/", "application/json", body) {
            Http::Status(200, text) => {
                let answer: Value = serde_json::from_str(&text).expect("every answer is JSON");
                let kind = match answer["error"]["code"].as_i64() {
                    Some(code) => format!("error {code}"),
                    None => answer["result"]["status"]
                        .as_str()
                        .map_or("result".to_owned(), |status| format!("result {status}")),
                };
                *self.answers.entry(kind).or_default() += 1;
                Some(answer)
            }
            Http::Status(status, _) => {
                *self.answers.entry(format!("HTTP {status}")).or_default() += 1;
                None
            }
            Http::Broken(why) => panic!("the connection broke: {why}"),
        }
    }

    fn broken_json(&mut self) {
        let good = json!({"jsonrpc": "2.0", "id": 1, "method": "getHealth"}).to_string();
        let mut bytes = good.into_bytes();
        let cut = self.rng.gen_range(1..bytes.len());
        if self.rng.gen_bool(0.5) {
            bytes.truncate(cut);
        } else {
            bytes[cut] = self.rng.r#gen();
        }
        self.post(&bytes);
    }

    fn wrong_types(&mut self) {
        let method = *METHODS.choose(&mut self.rng).expect("a method");
        let params = junk(&mut self.rng, 3);
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = self.post(request.to_string().as_bytes());
        if let Some(code) = answer.and_then(|answer| answer["error"]["code"].as_i64()) {
            assert!(
                [-32_600, -32_602, -32_603].contains(&code),
                "{request}: {code}"
            );
        }
    }

    fn giant_body(&mut self) {
        let size = self.rng.gen_range(513 * 1024..600 * 1024);
        match self
            .net
            .client
            .post("/", "application/json", &vec![b'['; size])
        {
            Http::Status(413, _) | Http::Broken(_) => {}
            Http::Status(status, body) => panic!("HTTP {status} {body}"),
        }
    }

    fn deep_json(&mut self) {
        let depth = self.rng.gen_range(200..200_000);
        let answer = self.post("[".repeat(depth).as_bytes());
        assert_eq!(answer.expect("an answer")["error"]["code"], -32_700);
    }

    fn invalid_xdr(&mut self) {
        let method = if self.rng.gen_bool(0.5) {
            "sendTransaction"
        } else {
            "simulateTransaction"
        };
        let mut text = base64(&self.valid).into_bytes();
        match self.rng.gen_range(0..3) {
            0 => text.truncate(self.rng.gen_range(0..text.len())),
            1 => {
                for _ in 0..20 {
                    let place = self.rng.gen_range(0..text.len());
                    text[place] = *b"ABCDEFGHIJabcdefghij0123456789+/"
                        .choose(&mut self.rng)
                        .expect("one");
                }
            }
            _ => text = (0..200).map(|_| self.rng.gen_range(b'A'..=b'Z')).collect(),
        }
        let text = String::from_utf8_lossy(&text);
        let params = json!({"transaction": text});
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = self
            .post(request.to_string().as_bytes())
            .expect("an answer");
        if method == "sendTransaction" {
            let refused = answer["error"]["message"] == "invalid_xdr"
                || answer["result"]["status"] == "ERROR";
            assert!(refused, "{answer}");
        } else {
            let failed =
                answer["result"]["error"].is_string() || answer["result"]["results"].is_array();
            assert!(failed, "{answer}");
        }
    }

    fn wrong_transaction(&mut self) {
        let client = &self.net.client;
        let mut tx = transaction(
            client,
            &self.victim,
            vec![payment(&self.victim, &Asset::Native, 1)],
        );
        let stranger = Account::named("stranger");
        let elsewhere = Client {
            network_id: self.rng.r#gen(),
            ..client.clone()
        };
        let (envelope, expected) = match self.rng.gen_range(0..5) {
            0 => (client.sign(&tx, &[&stranger]), "TxBadAuth"),
            1 => (elsewhere.sign(&tx, &[&self.victim]), "TxBadAuth"),
            2 => {
                tx.seq_num.0 += *[-1, 1, 1 << 40].choose(&mut self.rng).expect("one");
                (client.sign(&tx, &[&self.victim]), "TxBadSeq")
            }
            3 => {
                let TransactionEnvelope::Tx(mut signed) = client.sign(&tx, &[&self.victim]) else {
                    unreachable!("a V1 envelope")
                };
                signed.tx.memo = Memo::Id(self.rng.r#gen());
                (TransactionEnvelope::Tx(signed), "TxBadAuth")
            }
            _ => (self.used.clone(), "TxBadSeq"),
        };
        let params = json!({"transaction": base64(&envelope)});
        let request =
            json!({"jsonrpc": "2.0", "id": 1, "method": "sendTransaction", "params": params});
        let mut answer = self
            .post(request.to_string().as_bytes())
            .expect("an answer");
        let sent = crate::common::Sent(answer["result"].take());
        assert_eq!((sent.status(), sent.code()), ("ERROR", expected));
    }
}

#[test]
fn a_thousand_hostile_requests_change_nothing() {
    let net = Net::at_once();
    let victim = net.account("victim");
    run(
        &net.client,
        &victim,
        vec![payment(&victim, &Asset::Native, 1)],
    )
    .succeeded();
    let tx = transaction(
        &net.client,
        &victim,
        vec![payment(&victim, &Asset::Native, 1)],
    );
    let used = net.client.sign(&tx, &[&victim]);
    net.client.submit(&used).succeeded();
    net.localnet.close_ledgers(20).unwrap();
    let mut valid = transaction(
        &net.client,
        &victim,
        vec![payment(&victim, &Asset::Native, 1)],
    );
    valid.memo = Memo::Id(1);
    let before = (
        net.localnet.latest_ledger().unwrap(),
        net.client.balance(&victim),
        net.client.sequence(&victim),
    );
    let mut hostile = Hostile {
        net: &net,
        rng: ChaCha8Rng::seed_from_u64(3),
        valid: crate::common::build::unsigned(valid),
        victim,
        used,
        answers: BTreeMap::new(),
    };
    for number in 0..1_000 {
        match number % 20 {
            0 => hostile.giant_body(),
            1 => hostile.deep_json(),
            2..=4 => hostile.broken_json(),
            5..=9 => hostile.invalid_xdr(),
            10..=14 => hostile.wrong_transaction(),
            _ => hostile.wrong_types(),
        }
    }
    println!("{:?}", hostile.answers);
    let victim = hostile.victim;
    let after = (
        net.localnet.latest_ledger().unwrap(),
        net.client.balance(&victim),
        net.client.sequence(&victim),
    );
    assert_eq!(after, before, "no ledger closed, nothing moved");
    // And it still works.
    run(
        &net.client,
        &victim,
        vec![payment(&victim, &Asset::Native, 1)],
    )
    .succeeded();
}

#[test]
fn what_is_nested_as_deeply_as_allowed_is_answered_in_json_too() {
    let net = Net::at_once();
    let a = net.account("a");
    token::deploy(&net.client, &a, &Asset::Native);
    let contract = net.localnet.network().asset_contract(&Asset::Native);
    let call = token::call(&contract, "decimals", vec![]);
    let (mut body, mut data, sequence) = token::simulated(&net.client, &a, call);
    let OperationBody::InvokeHostFunction(op) = &mut body else {
        panic!("a call");
    };
    let localnet::xdr::HostFunction::InvokeContract(args) = &op.host_function else {
        panic!("a call");
    };
    let mut invocation = SorobanAuthorizedInvocation {
        function: SorobanAuthorizedFunction::ContractFn(args.clone()),
        sub_invocations: vec![].try_into().unwrap(),
    };
    for _ in 0..240 {
        invocation = SorobanAuthorizedInvocation {
            function: SorobanAuthorizedFunction::ContractFn(args.clone()),
            sub_invocations: [invocation].try_into().unwrap(),
        };
    }
    op.auth = [SorobanAuthorizationEntry {
        credentials: SorobanCredentials::SourceAccount,
        root_invocation: invocation,
    }]
    .try_into()
    .unwrap();
    data.resource_fee += 10_000_000;
    let sent = net
        .client
        .send(&token::sealed(&net.client, &a, sequence, body, data));
    assert_eq!(sent.status(), "PENDING", "{:?}", sent.error());
    assert_ne!(net.client.transaction(sent.hash()).status(), "NOT_FOUND");
    for (method, params) in [
        (
            "getTransaction",
            json!({"hash": sent.hash(), "xdrFormat": "json"}),
        ),
        ("getLedgers", json!({"startLedger": 2, "xdrFormat": "json"})),
    ] {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let body = request.to_string();
        let answer = net.client.post("/", "application/json", body.as_bytes());
        assert!(
            matches!(answer, Http::Status(200, _)),
            "{method}: {answer:?}"
        );
    }
}

#[test]
fn a_batch_that_asks_for_too_much_is_cut_short() {
    let net = Net::at_once();
    net.localnet.close_ledgers(200).unwrap();
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "getLedgers",
        "params": {"startLedger": 2, "pagination": {"limit": 200}, "xdrFormat": "json"}});
    let mut batch = vec![request; 3_000];
    let last = net.account("a");
    let tx = transaction(&net.client, &last, vec![payment(&last, &Asset::Native, 1)]);
    let envelope = base64(&net.client.sign(&tx, &[&last]));
    batch.push(
        json!({"jsonrpc": "2.0", "id": "last", "method": "sendTransaction",
        "params": {"transaction": envelope}}),
    );
    let body = Value::Array(batch).to_string();
    let Http::Status(200, text) = net.client.post("/", "application/json", body.as_bytes()) else {
        panic!("no answer");
    };
    assert!(text.len() < 100 << 20, "{} bytes", text.len());
    let answers: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(answers.len(), 3_001);
    assert!(answers[0]["result"].is_object());
    // What was refused was not done either.
    assert_eq!(answers[3_000]["error"]["code"], -32_001);
    assert_eq!(answers[3_000]["id"], "last");
    assert_eq!(net.client.sequence(&last) + 1, tx.seq_num.0);
}
