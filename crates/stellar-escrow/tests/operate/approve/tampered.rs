//! An offer that was changed on its way is signed by nobody and sent by nobody.

use serde_json::{Value, json};
use stellar_xdr::{
    HostFunction, Limits, Operation, OperationBody, Preconditions, ReadXdr, ScVal,
    SorobanAuthorizedFunction, SorobanCredentials, Transaction, TransactionEnvelope,
    TransactionV1Envelope, WriteXdr,
};

use super::scene::Scene;
use crate::world::address;

/// A change to what the file says.
type Edit = fn(&mut Value);
/// A change to what the envelope carries.
type Forge = fn(&mut Transaction);

const FIELDS: [(Edit, &str); 13] = [
    (
        |offer| offer["lines"][1]["recipient"] = json!(address("sponsor")),
        "recipient of line 2",
    ),
    (
        |offer| offer["lines"][1]["amount"] = json!("200000001"),
        "amount of line 2",
    ),
    (
        |offer| offer["lines"][1]["id"] = json!("another"),
        "reference of line 2",
    ),
    (
        |offer| offer["lines"][1]["reference"] = json!("00"),
        "lines.2.reference",
    ),
    (|offer| offer["total"] = json!("1"), "total"),
    (|offer| offer["slot"] = json!(1), "key"),
    (|offer| offer["run"] = json!("july"), "key"),
    (|offer| offer["network"] = json!("Another Network"), "key"),
    (|offer| offer["contract"] = json!(CONTRACT), "contract"),
    (|offer| offer["function"] = json!("close"), "function"),
    (|offer| offer["fingerprint"] = json!("00"), "fingerprint"),
    (
        |offer| offer["bounds"]["max_time"] = json!(9_999_999_999_u64),
        "bounds.max_time",
    ),
    (
        |offer| offer["to_sign"][0]["payload"] = json!("00"),
        "to_sign.1.payload",
    ),
];

const CONTRACT: &str = "CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD2KM";

const FORGERIES: [(Forge, &str); 8] = [
    (
        |tx| {
            let more = [tx.operations.to_vec(), tx.operations.to_vec()].concat();
            tx.operations = more.try_into().unwrap();
        },
        "it has not one operation",
    ),
    (
        |tx| called(tx, |call| call.function_name = "close".try_into().unwrap()),
        "function",
    ),
    (
        |tx| {
            called(tx, |call| {
                let mut args = call.args.to_vec();
                args[4] = ScVal::Vec(None);
                call.args = args.try_into().unwrap();
            });
        },
        "number of references",
    ),
    (
        |tx| {
            if let Preconditions::V2(cond) = &mut tx.cond {
                cond.time_bounds.as_mut().unwrap().max_time.0 += 1;
            }
        },
        "bounds.max_time",
    ),
    (|tx| tx.cond = Preconditions::None, "it has no maxTime"),
    (
        |tx| {
            if let Preconditions::V2(cond) = &mut tx.cond {
                cond.min_seq_ledger_gap = 1;
            }
        },
        "other conditions",
    ),
    (
        |tx| {
            invoked(tx, |auth| {
                if let SorobanCredentials::Address(credentials) = &mut auth.credentials {
                    credentials.signature_expiration_ledger += 1;
                }
            });
        },
        "outlives maxLedger",
    ),
    (
        |tx| {
            invoked(tx, |auth| {
                let below = auth.root_invocation.clone();
                auth.root_invocation.sub_invocations = vec![below].try_into().unwrap();
            });
        },
        "allows more calls",
    ),
];

fn operation(tx: &mut Transaction, change: impl FnOnce(&mut Operation)) {
    let mut operations = tx.operations.to_vec();
    change(&mut operations[0]);
    tx.operations = operations.try_into().unwrap();
}

fn called(tx: &mut Transaction, change: impl FnOnce(&mut stellar_xdr::InvokeContractArgs)) {
    operation(tx, |operation| {
        let OperationBody::InvokeHostFunction(invoke) = &mut operation.body else {
            panic!("no call")
        };
        let HostFunction::InvokeContract(call) = &mut invoke.host_function else {
            panic!("no call")
        };
        change(call);
    });
}

fn invoked(tx: &mut Transaction, change: impl FnOnce(&mut stellar_xdr::SorobanAuthorizationEntry)) {
    operation(tx, |operation| {
        let OperationBody::InvokeHostFunction(invoke) = &mut operation.body else {
            panic!("no call")
        };
        let mut auth = invoke.auth.to_vec();
        change(&mut auth[0]);
        invoke.auth = auth.try_into().unwrap();
    });
}

fn forge(offer: &mut Value, forge: impl FnOnce(&mut Transaction)) {
    let text = offer["envelope"].as_str().unwrap();
    let envelope = TransactionEnvelope::from_xdr_base64(text, Limits::none()).unwrap();
    let TransactionEnvelope::Tx(TransactionV1Envelope { mut tx, signatures }) = envelope else {
        panic!("no transaction")
    };
    forge(&mut tx);
    let envelope = TransactionEnvelope::Tx(TransactionV1Envelope { tx, signatures });
    offer["envelope"] = json!(envelope.to_xdr_base64(Limits::none()).unwrap());
}

/// Neither signed nor sent, and what was changed is named.
fn named(scene: &Scene, offer: &Value, what: &str) {
    std::fs::write(scene.path("bad.json"), offer.to_string()).unwrap();
    for verb in ["--sign", "--submit"] {
        let talk = scene.refused(7, &[verb, "bad.json", "--source", "payout", "--yes"]);
        assert!(talk.contains(what), "{verb}, {what}: {talk}");
    }
    assert_eq!(scene.offer("bad.json"), *offer, "it was written to");
}

#[test]
fn whatever_is_changed_is_named_and_refused() {
    let scene = Scene::new();
    scene.build("o.json", &["--lane", "stranger"]);
    let unsigned = scene.offer("o.json");
    scene.sign("o.json", "payout");
    scene.sign("o.json", "stranger");
    let signed = scene.offer("o.json");
    for good in [&unsigned, &signed] {
        for (edit, what) in FIELDS {
            let mut offer = good.clone();
            edit(&mut offer);
            named(&scene, &offer, what);
        }
        for (change, what) in FORGERIES {
            let mut offer = good.clone();
            forge(&mut offer, change);
            named(&scene, &offer, what);
        }
    }
    // Nothing of it is a file of ours.
    let mut offer = unsigned;
    offer["format"] = json!("another");
    std::fs::write(scene.path("bad.json"), offer.to_string()).unwrap();
    scene.refused(4, &["--sign", "bad.json", "--source", "payout", "--yes"]);
    scene.left("500");
    scene.submit("o.json");
    scene.left("440");
}

/// The arguments behind key and payout key.
fn arguments(offer: &Value) -> Vec<ScVal> {
    let text = offer["envelope"].as_str().unwrap();
    let envelope = TransactionEnvelope::from_xdr_base64(text, Limits::none()).unwrap();
    let TransactionEnvelope::Tx(TransactionV1Envelope { mut tx, .. }) = envelope else {
        panic!("no transaction")
    };
    let mut found = Vec::new();
    called(&mut tx, |call| found = call.args[2..].to_vec());
    found
}

/// Puts the hash in that the envelope has now.
fn rehash(scene: &Scene, offer: &mut Value) {
    std::fs::write(scene.path("bad.json"), offer.to_string()).unwrap();
    let talk = scene.refused(7, &["--submit", "bad.json", "--yes"]);
    assert!(talk.contains("to_sign.1.payload"), "{talk}");
    let carried = talk.split("by what").next().unwrap();
    offer["to_sign"][0]["payload"] = json!(carried.rsplit('"').nth(1).unwrap());
}

#[test]
fn an_id_that_an_earlier_slot_paid_is_not_signed_for_again() {
    let scene = Scene::new();
    scene.build("first.json", &["--max-batch", "1"]);
    let first = scene.offer("first.json");
    scene.sign("first.json", "payout");
    scene.submit("first.json");
    scene.left("490");
    scene.build("o.json", &["--max-batch", "1"]);
    // An offer for the open slot, right in itself, with the row that the first slot paid.
    let mut offer = scene.offer("o.json");
    for field in ["lines", "total", "fingerprint"] {
        offer[field] = first[field].clone();
    }
    let paid = arguments(&first);
    let put = |call: &mut stellar_xdr::InvokeContractArgs| {
        let args = [call.args[..2].to_vec(), paid.clone()].concat();
        call.args = args.try_into().unwrap();
    };
    forge(&mut offer, |tx| {
        called(tx, put);
        invoked(tx, |auth| {
            if let SorobanAuthorizedFunction::ContractFn(call) = &mut auth.root_invocation.function
            {
                put(call);
            }
        });
    });
    rehash(&scene, &mut offer);
    named(
        &scene,
        &offer,
        "row ann of the offer is paid already, in slot 0",
    );
    scene.left("490");
}

#[test]
fn a_changed_envelope_loses_its_signatures() {
    let scene = Scene::new();
    scene.build("o.json", &[]);
    scene.sign("o.json", "payout");
    let mut offer = scene.offer("o.json");
    // File and envelope agree that it is valid for longer, and nobody signed that.
    forge(&mut offer, |tx| {
        if let Preconditions::V2(cond) = &mut tx.cond {
            cond.time_bounds.as_mut().unwrap().max_time.0 += 60;
        }
    });
    let later = offer["bounds"]["max_time"].as_u64().unwrap() + 60;
    offer["bounds"]["max_time"] = json!(later);
    rehash(&scene, &mut offer);
    named(&scene, &offer, "does not hold");
    scene.left("500");
}

#[test]
fn another_network_or_contract_here_is_named() {
    let scene = Scene::new();
    scene.build("o.json", &[]);
    for verb in ["--sign", "--submit"] {
        let mut command = scene
            .world
            .command(&["pay", verb, "o.json", "--source", "payout"]);
        command.env("STELLAR_CONTRACT_ID", CONTRACT);
        let output = command.output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(7), "{talk}");
        assert!(talk.contains("the offer is for contract"), "{talk}");
    }
    let talk = scene.refused(
        7,
        &["--sign", "o.json", "--run", "july", "--source", "payout"],
    );
    assert!(talk.contains("the offer is for run june"), "{talk}");
}
