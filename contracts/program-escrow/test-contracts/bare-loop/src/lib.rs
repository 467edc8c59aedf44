//! The least that pays a batch: one authorisation and a loop over the token's `transfer`. What the
//! escrow costs above this is the price of its promises.

#![no_std]

use soroban_sdk::token::TokenClient;
use soroban_sdk::{Address, Env, Vec, contract, contractimpl};

/// Pays, and remembers nothing.
#[contract]
pub struct BareLoop;

#[contractimpl]
impl BareLoop {
    /// Sends each amount to its recipient.
    pub fn pay(
        env: Env,
        token: Address,
        from: Address,
        recipients: Vec<Address>,
        amounts: Vec<i128>,
    ) {
        from.require_auth();
        let token = TokenClient::new(&env, &token);
        for (recipient, amount) in recipients.iter().zip(amounts.iter()) {
            token.transfer(&from, &recipient, &amount);
        }
    }
}
