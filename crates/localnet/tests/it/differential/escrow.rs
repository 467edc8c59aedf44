//! Calls of the compiled escrow: payouts, replays, conflicts, and what is refused.

use std::collections::BTreeMap;

use localnet::xdr::{OperationBody, ScVal};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Kind, World, compare};
use crate::common::escrow::{Escrow, wasm};
use crate::common::{Account, Net, token};

/// Generated invocations.
const INVOCATIONS: usize = 60;

#[test]
fn generated_payouts_give_what_the_host_gives() {
    let escrow = Escrow::new(Net::at_once());
    let accounts = escrow.recipients(4);
    let payees: Vec<ScVal> = accounts
        .iter()
        .map(token::address)
        .chain([token::contract_address(8), token::contract_address(9)])
        .collect();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (admin, stranger) = (escrow.admin.clone(), accounts[0].clone());
    let calls: Vec<(&Account, OperationBody)> = (0..INVOCATIONS)
        .map(|_| {
            let key = format!("key-{}", rng.gen_range(0..20));
            // Each signs for itself alone: authorisations of others carry a random nonce.
            let void = |caller: &Account| {
                let args = vec![token::address(caller), token::string(&key)];
                escrow.call("void_idempotency_key", args)
            };
            match rng.gen_range(0..9) {
                0 => (&admin, escrow.call("get_program", vec![])),
                1 => {
                    let args = vec![token::string(&key)];
                    (&stranger, escrow.call("is_payout_processed", args))
                }
                2 => (&admin, void(&admin)),
                3 => (&stranger, void(&stranger)),
                _ => {
                    let first = rng.gen_range(0..payees.len());
                    let last = rng.gen_range(first..payees.len());
                    (&admin, escrow.batch(&key, &payees[first..=last]))
                }
            }
        })
        .collect();
    let world = World::new(escrow.net, &wasm());
    let mut counts = BTreeMap::new();
    for (number, (source, body)) in calls.iter().enumerate() {
        let OperationBody::InvokeHostFunction(op) = body else {
            unreachable!("only calls are generated")
        };
        let kind = compare(&world, source, op, number % 7 == 6);
        *counts.entry(kind).or_insert(0) += 1;
    }
    println!("{counts:?}");
    assert!(
        counts.get(&Kind::Applied).is_some_and(|count| *count >= 20),
        "{counts:?}"
    );
    assert_eq!(counts.len(), 3, "{counts:?}");
}
