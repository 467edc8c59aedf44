//! The entrypoints: each hands on to the module that holds its rules. One sentence of
//! documentation each, because it travels in the Wasm; the whole stands in the module.

mod ownership;

use soroban_sdk::{Address, BytesN, Env, String, Vec, contract, contractimpl};

use crate::brakes::{breaker, guardian, outflow, pause};
use crate::idempotency::{self, Key};
use crate::payout::{self, Request};
use crate::types::{
    CircuitBreaker, Delegate, IdempotencyRecord, OutflowLimit, PauseFlags, ProgramData,
};
use crate::{batch, delegates, funds, legacy, life, storage};

/// One program, one token, each key paid once.
#[contract]
pub struct ProgramEscrow;

#[contractimpl]
impl ProgramEscrow {
    /// Creates the program in Draft, whole, in the deploying transaction.
    pub fn __constructor(
        env: Env,
        admin: Address,
        program_id: String,
        authorized_payout_key: Address,
        token: Address,
    ) {
        life::create(&env, &admin, program_id, authorized_payout_key, token);
    }

    /// Pays up to 60 recipients once under this key; a used key pays nothing.
    pub fn batch_payout_idempotent(
        env: Env,
        idempotency_key: String,
        recipients: Vec<Address>,
        amounts: Vec<i128>,
    ) -> ProgramData {
        let request = Request::batch(idempotency_key, None, recipients, amounts, None);
        payout::batch_payout_internal(&env, request)
    }

    /// The same, by the payout key or a delegate.
    pub fn batch_payout_idempotent_by(
        env: Env,
        idempotency_key: String,
        caller: Address,
        recipients: Vec<Address>,
        amounts: Vec<i128>,
    ) -> ProgramData {
        let request = Request::batch(idempotency_key, Some(caller), recipients, amounts, None);
        payout::batch_payout_internal(&env, request)
    }

    /// The same, and the record commits to one reference a recipient.
    pub fn batch_payout_with_references(
        env: Env,
        idempotency_key: String,
        caller: Address,
        recipients: Vec<Address>,
        amounts: Vec<i128>,
        references: Vec<BytesN<16>>,
    ) -> ProgramData {
        let request = Request::batch(
            idempotency_key,
            Some(caller),
            recipients,
            amounts,
            Some(references),
        );
        payout::batch_payout_internal(&env, request)
    }

    /// Pays one recipient once under this key; a used key pays nothing.
    pub fn single_payout_idempotent(
        env: Env,
        idempotency_key: String,
        recipient: Address,
        amount: i128,
    ) -> ProgramData {
        let request = Request::single(&env, idempotency_key, None, recipient, amount);
        payout::batch_payout_internal(&env, request)
    }

    /// The same, by the payout key or a delegate.
    pub fn single_payout_idempotent_by(
        env: Env,
        idempotency_key: String,
        caller: Address,
        recipient: Address,
        amount: i128,
    ) -> ProgramData {
        let request = Request::single(&env, idempotency_key, Some(caller), recipient, amount);
        payout::batch_payout_internal(&env, request)
    }

    /// Makes an unused key unable to pay, for ever.
    pub fn void_idempotency_key(env: Env, caller: Address, idempotency_key: String) {
        idempotency::void::void(&env, &caller, idempotency_key);
    }

    /// Whether the key was paid here or asserted elsewhere; false for voided ones.
    pub fn is_payout_processed(env: Env, idempotency_key: String) -> bool {
        idempotency::is_consumed(&env, idempotency_key)
    }

    /// The original effect of the key.
    pub fn get_idempotency_record(env: Env, idempotency_key: String) -> Option<IdempotencyRecord> {
        Key::new(&env, idempotency_key).find(&env)
    }

    /// The program and its books.
    pub fn get_program(env: Env) -> ProgramData {
        storage::program(&env)
    }

    /// What is left to pay or withdraw.
    pub fn get_remaining_balance(env: Env) -> i128 {
        storage::program(&env).remaining_balance
    }

    /// Most recipients of one payout.
    pub fn max_batch_size() -> u32 {
        batch::MAX_SIZE
    }

    /// Moves tokens in and credits what arrived.
    pub fn lock_program_funds(env: Env, from: Address, amount: i128) -> ProgramData {
        funds::lock(&env, from, amount)
    }

    /// Books tokens that were sent here by plain transfer.
    pub fn credit_surplus(env: Env) -> i128 {
        funds::credit_surplus(&env)
    }

    /// Draft becomes Active.
    pub fn publish_program(env: Env) {
        life::publish(&env);
    }

    /// Ends payouts for good and opens withdrawal.
    pub fn close_program(env: Env) {
        life::close(&env);
    }

    /// Sends the whole token balance of a closed program.
    pub fn withdraw_remaining(env: Env, to: Address) -> i128 {
        funds::withdraw_remaining(&env, to)
    }

    /// Another key pays from now on.
    pub fn rotate_payout_key(env: Env, new_key: Address) {
        life::rotate_payout_key(&env, new_key);
    }

    /// Lets an address pay up to an allowance, until a Unix second.
    pub fn set_delegate(env: Env, delegate: Address, allowance: i128, expires_at: u64) {
        delegates::set(&env, delegate, allowance, expires_at);
    }

    /// Takes a delegate's right away.
    pub fn revoke_delegate(env: Env, caller: Address, delegate: Address) {
        delegates::revoke(&env, caller, delegate);
    }

    /// The delegate as stored.
    pub fn get_delegate(env: Env, delegate: Address) -> Option<Delegate> {
        delegates::get(&env, &delegate)
    }

    /// Sets who may pause and trip.
    pub fn set_guardian(env: Env, guardian: Option<Address>) {
        guardian::set(&env, guardian);
    }

    /// Who may pause and trip.
    pub fn get_guardian(env: Env) -> Option<Address> {
        storage::brakes(&env).guardian
    }

    /// Pauses what is true; the rest stays.
    pub fn pause(env: Env, caller: Address, flags: PauseFlags, reason: String) {
        pause::pause(&env, caller, &flags, reason);
    }

    /// Clears what is true; the rest stays.
    pub fn unpause(env: Env, flags: PauseFlags) {
        pause::unpause(&env, &flags);
    }

    /// What is paused.
    pub fn get_pause_flags(env: Env) -> PauseFlags {
        pause::flags(&env)
    }

    /// Stops payouts until the admin resets.
    pub fn trip_circuit_breaker(env: Env, caller: Address, reason: String) {
        breaker::trip(&env, caller, reason);
    }

    /// Lets payouts flow again, with an empty bucket.
    pub fn reset_circuit_breaker(env: Env) {
        breaker::reset(&env);
    }

    /// The breaker as of now.
    pub fn get_circuit_breaker(env: Env) -> CircuitBreaker {
        breaker::view(&env)
    }

    /// Limits the flow of payouts; None is off.
    pub fn set_outflow_limit(env: Env, limit: Option<OutflowLimit>) {
        outflow::set(&env, limit);
    }

    /// The limit on the flow of payouts.
    pub fn get_outflow_limit(env: Env) -> Option<OutflowLimit> {
        outflow::limit(&storage::brakes(&env))
    }

    /// Marks up to 30 keys as paid by another system; Draft only.
    pub fn import_consumed_keys(env: Env, keys: Vec<String>) {
        idempotency::import::import(&env, &keys);
    }

    /// Takes over an instance of the earlier layout.
    pub fn migrate_legacy(env: Env) {
        legacy::migrate_program(&env);
    }

    /// Moves up to `limit` keys out of the earlier list; returns how many are left.
    pub fn migrate_legacy_keys(env: Env, limit: u32) -> u32 {
        legacy::migrate_keys(&env, limit)
    }
}
