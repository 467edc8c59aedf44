#![no_std]
#![forbid(unsafe_code)]
use soroban_sdk::{contract, contractimpl, contracttype, contractevent, Env, String, Address};
#[contracttype]
pub struct A { pub a: u32 }
#[contractevent(topics = ["BatchPay"])]
pub struct BatchPayoutEvent { #[topic] pub idempotency_key: Option<String>, pub version: u32, pub x: Option<Address> }
#[contract]
pub struct C;
#[contractimpl]
impl C {
    pub fn f(e: Env, k: String) -> A { BatchPayoutEvent { idempotency_key: Some(k), version: 2, x: None }.publish(&e); A { a: 1 } }
}
