//! Why records are not kept in instance storage: a contract that does so, and where it dies.
//! `docs/adr/0001-persistent-records.md` quotes the number.

// The SDK's macros want a public contract.
#![allow(unreachable_pub)]

use soroban_sdk::testutils::{Address as _, EnvTestConfig};
use soroban_sdk::{Address, Env, String, contract, contractimpl, contracttype};

/// A record with the fields that the earlier layout kept, of names and of values.
#[contracttype]
pub struct FullRecord {
    pub idempotency_key: String,
    pub program_id: String,
    pub payout_type: String,
    pub caller: Address,
    pub recipient_count: u32,
    pub total_amount: i128,
    pub remaining_balance: i128,
    pub timestamp: u64,
}

#[contracttype]
pub enum InstanceKey {
    IdempotencyKey(String),
}

#[contract]
pub struct InstanceLayout;

#[contractimpl]
impl InstanceLayout {
    pub fn consume(env: Env, idempotency_key: String, caller: Address) {
        let record = FullRecord {
            idempotency_key: idempotency_key.clone(),
            program_id: String::from_str(&env, "hackathon-2026"),
            payout_type: String::from_str(&env, "batch"),
            caller,
            recipient_count: 60,
            total_amount: 1,
            remaining_balance: 1,
            timestamp: 1,
        };
        env.storage()
            .instance()
            .set(&InstanceKey::IdempotencyKey(idempotency_key), &record);
    }
}

/// Payouts until the network refuses the instance entry.
fn payouts_until_dead() -> u32 {
    let env = Env::new_with_config(EnvTestConfig {
        capture_snapshot_at_drop: false,
    });
    let id = env.register(InstanceLayout, ());
    let client = InstanceLayoutClient::new(&env, &id);
    let caller = Address::generate(&env);
    (0..1_000)
        .find(|number| {
            let key = std::format!("hackathon-2026-batch-GABC1234-60r-{number:016x}");
            let key = String::from_str(&env, &key);
            let consumed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                client.consume(&key, &caller);
            }));
            consumed.is_err()
        })
        .unwrap()
}

#[test]
fn records_in_instance_storage_end_a_program_after_some_hundred_payouts() {
    let payouts = payouts_until_dead();
    std::println!("instance layout dies at payout {}", payouts + 1);
    assert!((100..200).contains(&payouts), "{payouts}");
}
