//! Case 04: the escrow itself is frozen, or clawed back.

use payout_engine::transaction::Act;
use payout_keys::ContractId;
use stellar_xdr::{
    ContractId as XdrContractId, Hash, Int128Parts, InvokeContractArgs, ScAddress, ScVal,
};

use crate::entries::ONE;
use crate::scene::csv;
use crate::world::World;

/// Authorisation required, revocable, clawback.
const STRICT: u32 = 1 | 2 | 8;

fn contract(world: &World, fact: &str) -> ScAddress {
    let id: ContractId = world.fact(fact).as_str().unwrap().parse().unwrap();
    ScAddress::Contract(XdrContractId(Hash(id.0)))
}

/// The issuer, as the token's administrator, does something to the escrow.
fn issuer(world: &World, function: &str, argument: ScVal) {
    let call = InvokeContractArgs {
        contract_address: contract(world, "token_contract"),
        function_name: function.try_into().unwrap(),
        args: vec![ScVal::Address(contract(world, "contract")), argument]
            .try_into()
            .unwrap(),
    };
    let below = Vec::new();
    world.apply("issuer", Act::Call { call, below });
}

#[test]
fn a_frozen_or_short_escrow_is_named_and_the_rows_are_not() {
    let world = World::with_escrow();
    world.put_issuer_flags(STRICT);
    world.open(&["cases.R1"]);
    for (file, tokens) in [("k1.csv", "10"), ("k2.csv", "10"), ("k3.csv", "60")] {
        world.file(file, csv(&[("cases.R1", "one", tokens)]));
    }
    let talk = world.refused(7, "sponsor", &["lock", "100"]);
    assert!(talk.contains("600 TokenTransferFailed"), "{talk}");
    issuer(&world, "set_authorized", ScVal::Bool(true));
    world.json("sponsor", &["lock", "100"]);
    world.json("admin", &["publish"]);
    world.pays(0, "k1.csv", "k1", &[]);

    issuer(&world, "set_authorized", ScVal::Bool(false));
    let before = world.sequence("payout");
    for more in [&["--dry-run"][..], &[]] {
        let talk = world.pays(7, "k2.csv", "k2", more);
        assert!(talk.contains("the escrow is frozen"), "{talk}");
        assert!(!talk.contains("cannot be paid now: "), "{talk}");
    }
    // What was paid under its name is still found.
    world.pays(0, "k1.csv", "k1", &[]);
    assert_eq!(world.sequence("payout"), before);
    assert!(world.envelopes("payout-k2").is_empty());
    world.proven(&["cases.R1"], "10");

    issuer(&world, "set_authorized", ScVal::Bool(true));
    let half = ScVal::I128(Int128Parts {
        hi: 0,
        lo: 500_000_000,
    });
    issuer(&world, "clawback", half);
    let talk = world.pays(7, "k3.csv", "k3", &[]);
    assert!(
        talk.contains("the escrow holds 40") && talk.contains("90"),
        "{talk}"
    );
    assert_eq!(world.sequence("payout"), before);
    // The key is free, and pays what is there.
    world.file("k3.csv", csv(&[("cases.R1", "one", "40")]));
    world.pays(0, "k3.csv", "k3", &["--again", "k1"]);
    assert_eq!(world.balance("cases.R1"), 50 * ONE);
    assert_eq!(world.fact("remaining_balance"), "50");
    assert_eq!(world.fact("token_balance"), "0");
    assert_eq!(world.count(), 2);
    assert_eq!(world.replays(), 0);
}
