//! What callers see: stored or returned values.
//!
//! Amounts are in the token's smallest unit (stroops for a classic asset), times in Unix seconds.
//! Documentation of fields and variants travels in the Wasm, so it stands only where the name does
//! not say it.
//!
//! No struct here holds an `Option` of another one: the SDK's test support cannot derive it.

use soroban_sdk::{Address, BytesN, String, contracttype};

/// Life of the program, never backwards.
#[contracttype]
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
#[repr(u32)]
pub enum ProgramStatus {
    Draft = 0,
    Active = 1,
    Closed = 2,
}

/// The books: `total_locked = total_paid + total_withdrawn + remaining_balance`.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProgramData {
    pub program_id: String,
    pub token: Address,
    pub authorized_payout_key: Address,
    pub status: ProgramStatus,
    pub total_locked: i128,
    pub total_paid: i128,
    pub total_withdrawn: i128,
    pub remaining_balance: i128,
    /// Payouts so far; their ids are 1 to this, without gap.
    pub payout_count: u64,
}

/// What consumed a key.
#[contracttype]
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
#[repr(u32)]
pub enum PayoutKind {
    Single = 0,
    Batch = 1,
    /// Asserted by another system or an earlier layout, not paid here.
    Imported = 2,
    Voided = 3,
}

/// The original effect of a key.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IdempotencyRecord {
    pub kind: PayoutKind,
    /// 1, 2, 3… for payouts, 0 for the others.
    pub payout_id: u64,
    /// SHA-256 over the payout's arguments, zeros for the others.
    pub fingerprint: BytesN<32>,
    pub total_amount: i128,
    /// Ledger of the write, 0 if known only from an earlier layout.
    pub ledger: u32,
}

/// May pay beside the payout key, up to an allowance and a time.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Delegate {
    pub allowance: i128,
    /// First second at which it may no longer pay.
    pub expires_at: u64,
}

/// What is paused.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PauseFlags {
    pub lock: bool,
    pub payout: bool,
}

#[contracttype]
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
#[repr(u32)]
pub enum BreakerState {
    Closed = 0,
    Open = 1,
}

/// The breaker as of now.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CircuitBreaker {
    pub state: BreakerState,
    /// Why it was tripped, empty after a reset.
    pub reason: String,
    /// Who tripped or reset it last.
    pub actor: Option<Address>,
    /// When, 0 before the first time.
    pub since: u64,
    /// What the outflow limit lets through now, None without a limit.
    pub available: Option<i128>,
}

/// A token bucket over payouts.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OutflowLimit {
    /// Most that can flow at once.
    pub capacity: i128,
    /// How fast it fills again.
    pub refill_per_second: i128,
    /// Most that one recipient gets in a payout.
    pub max_payout: i128,
}
