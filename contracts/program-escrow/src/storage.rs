//! The storage schema: every ledger key of ours and the type behind it. A golden file holds it,
//! because the name of a variant **is** the key: renaming one makes every entry under it look
//! absent, and an absent record pays again.
//!
//! `Escrow…` keeps our instance keys apart from those that an instance of the earlier layout may
//! still carry.
//!
//! Nothing here extends a TTL (`docs/adr/0003-no-ttl-extension.md`).

use soroban_sdk::{Address, Bytes, BytesN, Env, String, contracttype, panic_with_error};

use crate::error::Error;
use crate::types::{Delegate, ProgramData};

/// Ledger keys of this contract.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum DataKey {
    /// Instance: [`ProgramData`].
    EscrowProgram,
    /// Instance: [`Brakes`].
    EscrowBrakes,
    /// Persistent, one entry a delegate: [`Delegate`].
    EscrowDelegate(Address),
    /// Persistent, one entry a key: the packed record under the SHA-256 of the key.
    IdempotencyKey(BytesN<32>),
}

/// Guardian, pause, breaker latch and outflow bucket, beside the program in the instance.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Brakes {
    /// May pause and trip.
    pub guardian: Option<Address>,
    /// Locking is paused.
    pub lock_paused: bool,
    /// Paying is paused.
    pub payout_paused: bool,
    /// The breaker is open.
    pub open: bool,
    /// Why it was tripped.
    pub reason: String,
    /// Who tripped or reset it last.
    pub actor: Option<Address>,
    /// When, in Unix seconds.
    pub since: u64,
    /// Limit: capacity.
    pub capacity: i128,
    /// Limit: refill per second.
    pub refill_per_second: i128,
    /// Limit: largest payout. 0: no limit, and the other fields of it are 0 too.
    pub max_payout: i128,
    /// What was in the bucket at `refilled_at`.
    pub available: i128,
    /// When the bucket was computed, in Unix seconds.
    pub refilled_at: u64,
}

impl Brakes {
    /// The state after deployment: no guardian, nothing paused, closed, no limit.
    pub(crate) fn released(env: &Env) -> Self {
        Self {
            guardian: None,
            lock_paused: false,
            payout_paused: false,
            open: false,
            reason: String::from_str(env, ""),
            actor: None,
            since: 0,
            capacity: 0,
            refill_per_second: 0,
            max_payout: 0,
            available: 0,
            refilled_at: 0,
        }
    }
}

/// Whether this instance holds a program of ours.
pub(crate) fn has_program(env: &Env) -> bool {
    env.storage().instance().has(&DataKey::EscrowProgram)
}

/// The program, or [`Error::NoProgram`] on an instance that was not migrated.
pub(crate) fn program(env: &Env) -> ProgramData {
    env.storage()
        .instance()
        .get(&DataKey::EscrowProgram)
        .unwrap_or_else(|| panic_with_error!(env, Error::NoProgram))
}

pub(crate) fn set_program(env: &Env, program: &ProgramData) {
    env.storage()
        .instance()
        .set(&DataKey::EscrowProgram, program);
}

/// The brakes, or [`Error::NoProgram`]: both are written together.
pub(crate) fn brakes(env: &Env) -> Brakes {
    env.storage()
        .instance()
        .get(&DataKey::EscrowBrakes)
        .unwrap_or_else(|| panic_with_error!(env, Error::NoProgram))
}

pub(crate) fn set_brakes(env: &Env, brakes: &Brakes) {
    env.storage().instance().set(&DataKey::EscrowBrakes, brakes);
}

pub(crate) fn delegate(env: &Env, delegate: &Address) -> Option<Delegate> {
    env.storage()
        .persistent()
        .get(&DataKey::EscrowDelegate(delegate.clone()))
}

pub(crate) fn set_delegate(env: &Env, delegate: &Address, value: &Delegate) {
    env.storage()
        .persistent()
        .set(&DataKey::EscrowDelegate(delegate.clone()), value);
}

pub(crate) fn remove_delegate(env: &Env, delegate: &Address) {
    env.storage()
        .persistent()
        .remove(&DataKey::EscrowDelegate(delegate.clone()));
}

/// The packed record under a key's digest.
pub(crate) fn record(env: &Env, digest: &BytesN<32>) -> Option<Bytes> {
    env.storage()
        .persistent()
        .get(&DataKey::IdempotencyKey(digest.clone()))
}

/// Writes a packed record. Only [`crate::idempotency::record::consume`] may call this, once a key.
pub(crate) fn set_record(env: &Env, digest: &BytesN<32>, packed: &Bytes) {
    env.storage()
        .persistent()
        .set(&DataKey::IdempotencyKey(digest.clone()), packed);
}
