//! Code, lifetimes, channel accounts.

use payout_engine::transaction::{Act, asset_contract};
use payout_keys::{ContractId, NetworkId, Recipient};
use serde_json::{Value, json};
use stellar_xdr::{
    AccountId, ContractId as XdrContractId, Hash, Int128Parts, InvokeContractArgs, PublicKey,
    ScAddress, ScVal, Uint256,
};

use crate::world::{World, key, wasm};

/// A plain transfer of the sponsor's tokens.
pub(crate) fn transfer(world: &World, to: ContractId, units: u64) -> Act {
    let network = NetworkId(world.localnet.network().id());
    let token = asset_contract(network, World::usdc()).unwrap();
    let contract = |id: ContractId| ScAddress::Contract(XdrContractId(Hash(id.0)));
    let Recipient::Account(from) = key("sponsor").address() else {
        unreachable!("a key is an account's")
    };
    let from = AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(from)));
    Act::Call {
        call: InvokeContractArgs {
            contract_address: contract(token),
            function_name: "transfer".try_into().unwrap(),
            args: vec![
                ScVal::Address(ScAddress::Account(from)),
                ScVal::Address(contract(to)),
                ScVal::I128(Int128Parts { hi: 0, lo: units }),
            ]
            .try_into()
            .unwrap(),
        },
        below: Vec::new(),
    }
}

#[test]
fn the_code_is_changed_by_the_owner_alone() {
    let world = World::with_escrow();
    let before = world.fact("wasm_hash");
    let file = wasm("program_escrow");
    let same = ["upgrade", "--wasm", file.to_str().unwrap()];
    let talk = world.refused(1, "admin", &same);
    assert!(talk.contains("already"), "{talk}");
    let next = wasm("v2");
    let upgrade = ["upgrade", "--wasm", next.to_str().unwrap()];
    let done = world.json("admin", &upgrade);
    assert_ne!(done["wasm_hash"], before);
    assert_eq!(world.fact("wasm_hash"), done["wasm_hash"]);
    assert_eq!(world.fact("program_id"), json!("hackathon-2026"));
    let unknown = "00".repeat(32);
    let talk = world.refused(1, "admin", &["upgrade", "--wasm-hash", &unknown]);
    assert!(talk.contains("has no code"), "{talk}");
    // The earlier code is on the network still; nothing is uploaded.
    let hash = before.as_str().unwrap();
    let talk = world.refused(1, "stranger", &["upgrade", "--wasm-hash", hash]);
    assert!(talk.contains("has to authorise"), "{talk}");
    world.json("admin", &["upgrade", "--wasm-hash", hash]);
    assert_eq!(world.fact("wasm_hash"), before);
}

#[test]
fn there_is_nothing_to_migrate_in_an_instance_of_our_own() {
    let world = World::with_escrow();
    let done = world.json("admin", &["migrate"]);
    assert_eq!(done["program_migrated"], json!(false));
    assert_eq!(done["key_transactions"], json!(1));
}

#[test]
fn lives_are_shown_extended_and_given_back() {
    let world = World::with_escrow();
    let show = |world: &World| -> Value {
        let ran = world.run(&["keepalive", "--id", "escrow", "--output", "json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.talk);
        serde_json::from_str(&ran.data).unwrap()
    };
    let before = show(&world);
    let extend = ["keepalive", "--extend-to", "2500000", "--only", "instance"];
    world.json("stranger", &extend);
    let after = show(&world);
    assert_eq!(before["code_live_until"], after["code_live_until"]);
    let left = after["instance_ledgers_left"].as_u64().unwrap();
    assert!((2_499_990..=2_500_000).contains(&left), "{after}");
    // Long enough already: nothing is sent.
    assert_eq!(world.json("stranger", &extend)["fee_charged"], json!("0"));

    world.localnet.advance(10 * 365 * 86_400).unwrap();
    let ran = world.run(&["status", "--id", "escrow"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.talk.contains("archived") && ran.talk.contains("restore"),
        "{}",
        ran.talk
    );
    assert_eq!(show(&world)["instance_live_until"], Value::Null);
    world.json("stranger", &["keepalive", "--extend-to", "1000000"]);
    assert_eq!(world.fact("status"), json!("Draft"));
    assert!(show(&world)["code_ledgers_left"].as_u64().unwrap() > 900_000);
}

#[test]
fn lanes_are_made_filled_listed_and_taken_back() {
    let world = World::start();
    world.fund("admin");
    let lane = |index| key("admin").lane(NetworkId(world.localnet.network().id()), index);
    let lanes = world.json("admin", &["lanes", "create", "2", "--balance", "3"]);
    assert_eq!(lanes[1]["address"], json!(lane(1).address().to_string()));
    assert_eq!(world.xlm(lane(1).address()), Some(30_000_000));
    // Those that are there stay as they are.
    world.json("admin", &["lanes", "create", "21", "--balance", "2"]);
    assert_eq!(world.xlm(lane(1).address()), Some(30_000_000));
    assert_eq!(world.xlm(lane(20).address()), Some(20_000_000));
    let ran = world.run(&["lanes", "list", "22", "--low", "2.5", "--source", "admin"]);
    assert_eq!(
        ran.talk.matches("warning: lane").count(),
        19,
        "{}",
        ran.talk
    );
    assert!(ran.talk.contains("lane 21 does not exist"), "{}", ran.talk);
    world.json("admin", &["lanes", "fund", "21", "--balance", "2.5"]);
    assert_eq!(world.xlm(lane(20).address()), Some(25_000_000));
    assert_eq!(world.xlm(lane(0).address()), Some(30_000_000));

    let before = world.xlm(key("admin").address()).unwrap();
    world.json("admin", &["lanes", "reclaim", "21"]);
    assert_eq!(world.xlm(lane(20).address()), None);
    let fees = before + 2 * 30_000_000 + 19 * 25_000_000;
    let after = world.xlm(key("admin").address()).unwrap();
    assert!((0..100_000).contains(&(fees - after)), "{before} {after}");
    assert_eq!(
        world.json("admin", &["lanes", "reclaim", "21"])[0]["xlm"],
        Value::Null
    );
}
