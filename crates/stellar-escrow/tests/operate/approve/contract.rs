//! A contract as payout key: it signs elsewhere.

use payout_engine::transaction::{Act, contract_at, wasm_hash};
use payout_keys::NetworkId;
use stellar_xdr::{
    Limits, ReadXdr, ScVal, SorobanAuthorizationEntry, SorobanCredentials, WriteXdr,
};

use super::scene::Scene;
use crate::world::key;

/// Deploys the contract and makes it the payout key.
fn signer(scene: &Scene) -> String {
    let wasm = wat::parse_str(include_str!("signer.wat")).unwrap();
    let (deployer, salt) = (key("stranger").address(), [7; 32]);
    let network = NetworkId(scene.world.localnet.network().id());
    let contract = contract_at(network, deployer, salt).unwrap().to_string();
    let wasm_hash = wasm_hash(&wasm);
    scene.world.apply("stranger", Act::Upload(wasm));
    scene.world.apply(
        "stranger",
        Act::Create {
            deployer,
            salt,
            wasm_hash,
            arguments: Vec::new(),
        },
    );
    scene.world.json("admin", &["rotate", &contract]);
    contract
}

/// The offer's entry with this signature.
fn authorise(scene: &Scene, change: impl Fn(&mut SorobanAuthorizationEntry)) {
    let offer = scene.offer("o.json");
    let entry = offer["to_sign"][0]["entry"].as_str().unwrap();
    let mut entry = SorobanAuthorizationEntry::from_xdr_base64(entry, Limits::none()).unwrap();
    change(&mut entry);
    let text = entry.to_xdr_base64(Limits::none()).unwrap();
    std::fs::write(scene.path("entry"), text + "\n").unwrap();
}

fn signature(entry: &mut SorobanAuthorizationEntry, number: u32) {
    if let SorobanCredentials::Address(credentials) = &mut entry.credentials {
        credentials.signature = ScVal::U32(number);
    }
}

#[test]
fn a_contract_authorises_elsewhere_and_an_account_sends() {
    let scene = Scene::new();
    let contract = signer(&scene);
    let build = [
        "pay.csv",
        "--run",
        "june",
        "--build-only",
        "--source",
        &contract,
    ];
    scene.done(
        &[
            &build[..],
            &["--lane", "stranger", "--output-file", "o.json"],
        ]
        .concat(),
    );
    let sign = ["--sign", "o.json", "--source", "stranger", "--yes"];
    let talk = scene.refused(7, &sign);
    assert!(talk.contains("has to authorise it first"), "{talk}");
    let put = ["--sign", "o.json", "--authorisation", "entry", "--yes"];

    authorise(&scene, |_| {});
    let talk = scene.refused(7, &put);
    assert!(talk.contains("there is none"), "{talk}");
    authorise(&scene, |entry| signature(entry, 8));
    let talk = scene.refused(7, &put);
    assert!(talk.contains("does not accept the authorisation"), "{talk}");
    authorise(&scene, |entry| {
        signature(entry, 7);
        if let SorobanCredentials::Address(credentials) = &mut entry.credentials {
            credentials.nonce ^= 1;
        }
    });
    let talk = scene.refused(7, &put);
    assert!(talk.contains("another nonce"), "{talk}");
    authorise(&scene, |entry| {
        signature(entry, 7);
        if let SorobanCredentials::Address(credentials) = &mut entry.credentials {
            credentials.signature_expiration_ledger += 1;
        }
    });
    let talk = scene.refused(7, &put);
    assert!(talk.contains("another expiry"), "{talk}");

    authorise(&scene, |entry| signature(entry, 7));
    scene.done(&put);
    scene.done(&sign);
    scene.submit("o.json");
    scene.left("440");
}
