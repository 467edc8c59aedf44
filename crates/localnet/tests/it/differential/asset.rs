//! Calls of an asset's contract, good and bad.

use std::collections::BTreeMap;

use localnet::xdr::{Asset, ContractId, OperationBody, ScVal};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Kind, World, compare};
use crate::common::build::{asset, options, payment, run, trust};
use crate::common::{Account, Net, token};

/// Generated invocations.
const INVOCATIONS: usize = 300;

/// An asset with an issuer who may do everything, and four who hold it or not.
struct Market {
    world: World,
    contract: ContractId,
    issuer: Account,
    holders: Vec<Account>,
}

impl Market {
    fn new() -> Self {
        let net = Net::at_once();
        let issuer = net.account("issuer");
        let usd = asset("USD", &issuer);
        let flags = OperationBody::SetOptions(localnet::xdr::SetOptionsOp {
            set_flags: Some(2 | 8),
            ..options()
        });
        run(&net.client, &issuer, vec![flags]).succeeded();
        token::deploy(&net.client, &issuer, &usd);
        let holders: Vec<Account> = (0..4)
            .map(|n| net.account(&format!("holder {n}")))
            .collect();
        // The last one trusts nobody.
        for holder in &holders[..3] {
            run(&net.client, holder, vec![trust(&usd, 1_000_000)]).succeeded();
            run(&net.client, &issuer, vec![payment(holder, &usd, 100_000)]).succeeded();
        }
        let contract = net.localnet.network().asset_contract(&usd);
        Self {
            world: World::new(net, &[]),
            contract,
            issuer,
            holders,
        }
    }

    /// An invocation, good or bad, with the account that sends it.
    fn generate(&self, rng: &mut ChaCha8Rng) -> (Account, OperationBody) {
        // Three of the four have a trustline.
        let pick = |rng: &mut ChaCha8Rng| match rng.gen_range(0..10) {
            0 => self.holders[3].clone(),
            _ => self.holders[rng.gen_range(0..3)].clone(),
        };
        let anyone = |rng: &mut ChaCha8Rng| match rng.gen_range(0..12) {
            0 | 1 => token::contract_address(rng.gen_range(1..4)),
            2 => token::address(&self.issuer),
            3 => token::address(&Account::named("nobody")),
            _ => token::address(&pick(rng)),
        };
        let amount = |rng: &mut ChaCha8Rng| {
            token::amount(match rng.gen_range(0..20) {
                0 => -5,
                1 => i128::MAX,
                2 => 900_000,
                _ => rng.gen_range(0..2_000),
            })
        };
        let holder = pick(rng);
        let own = token::address(&holder);
        let latest = self
            .world
            .localnet
            .latest_ledger()
            .expect("the network runs");
        let (source, function, args) = match rng.gen_range(0..17) {
            0..=6 => (holder, "transfer", vec![own, anyone(rng), amount(rng)]),
            7 | 8 => (self.issuer.clone(), "mint", vec![anyone(rng), amount(rng)]),
            9 => (holder, "burn", vec![own, amount(rng)]),
            10 => {
                let expires = ScVal::U32(latest + rng.gen_range(0..500));
                (
                    holder,
                    "approve",
                    vec![own, anyone(rng), amount(rng), expires],
                )
            }
            11 => (
                self.issuer.clone(),
                "clawback",
                vec![anyone(rng), amount(rng)],
            ),
            12 => (
                self.issuer.clone(),
                "set_authorized",
                vec![anyone(rng), ScVal::Bool(rng.gen_bool(0.9))],
            ),
            13 => (holder, "balance", vec![anyone(rng)]),
            14 => (holder, "no_such_function", vec![]),
            15 => (holder, "transfer", vec![own, amount(rng)]),
            _ => {
                let from = token::address(&pick(rng));
                (
                    holder,
                    "transfer_from",
                    vec![own, from, anyone(rng), amount(rng)],
                )
            }
        };
        (source, token::call(&self.contract, function, args))
    }
}

#[test]
fn generated_invocations_give_what_the_host_gives() {
    let market = Market::new();
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut counts = BTreeMap::new();
    for number in 0..INVOCATIONS {
        let (source, body) = market.generate(&mut rng);
        let OperationBody::InvokeHostFunction(op) = &body else {
            unreachable!("only calls are generated")
        };
        let kind = compare(&market.world, &source, op, number % 5 == 4);
        *counts.entry(kind).or_insert(0) += 1;
    }
    println!("{counts:?}");
    assert!(counts.values().all(|count| *count >= 20), "{counts:?}");
    assert_eq!(counts.len(), 3);
}

/// The native asset takes the same way.
#[test]
fn lumens_behave_alike() {
    let Market {
        world,
        issuer,
        holders,
        ..
    } = Market::new();
    let native = world.localnet.network().asset_contract(&Asset::Native);
    token::deploy(&world.net, &issuer, &Asset::Native);
    let args = vec![
        token::address(&holders[0]),
        token::address(&holders[1]),
        token::amount(10),
    ];
    let body = token::call(&native, "transfer", args);
    let OperationBody::InvokeHostFunction(op) = &body else {
        unreachable!("a call")
    };
    assert_eq!(compare(&world, &holders[0], op, false), Kind::Applied);
}
