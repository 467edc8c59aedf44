//! Every event of this contract. The idempotency key is a topic, so a node can filter by it;
//! `docs/events.md` shows each one decoded. Documentation here travels in the Wasm, so it stands only
//! where the name does not say it.

use soroban_sdk::{Address, BytesN, String, contractevent};

use crate::types::OutflowLimit;

/// Version of the event schema.
pub(crate) const VERSION: u32 = 2;

/// A batch was paid. Who got what is in the token's own events directly before.
#[contractevent(topics = ["BatchPay"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BatchPayoutEvent {
    #[topic]
    pub idempotency_key: Option<String>,
    pub version: u32,
    pub program_id: String,
    pub caller: Address,
    pub recipient_count: u32,
    pub total_amount: i128,
    pub remaining_balance: i128,
}

/// A batch call met a consumed key; nothing was paid.
#[contractevent(topics = ["BatPayRp"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BatchPayoutReplayedEvent {
    #[topic]
    pub idempotency_key: String,
    pub version: u32,
    pub program_id: String,
    pub caller: Address,
}

#[contractevent(topics = ["Payout"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PayoutEvent {
    #[topic]
    pub idempotency_key: String,
    pub version: u32,
    pub program_id: String,
    pub caller: Address,
    pub recipient: Address,
    pub amount: i128,
    pub remaining_balance: i128,
}

/// A single call met a consumed key; nothing was paid.
#[contractevent(topics = ["IdmReplay"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PayoutReplayedEvent {
    #[topic]
    pub idempotency_key: String,
    pub version: u32,
    pub program_id: String,
    pub caller: Address,
}

/// A replay came with other arguments than were paid.
#[contractevent(topics = ["IdmConfl"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IdempotencyConflictEvent {
    #[topic]
    pub idempotency_key: String,
    pub version: u32,
    pub program_id: String,
    pub recorded: BytesN<32>,
    pub presented: BytesN<32>,
}

/// The key can never pay from now on.
#[contractevent(topics = ["IdmVoid"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IdempotencyKeyVoidedEvent {
    #[topic]
    pub idempotency_key: String,
    pub version: u32,
    pub program_id: String,
    pub caller: Address,
}

/// The key was paid by another system before this program was published.
#[contractevent(topics = ["IdmImport"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IdempotencyKeyImportedEvent {
    #[topic]
    pub idempotency_key: String,
    pub version: u32,
    pub program_id: String,
}

/// Funds came in; `amount` is what arrived.
#[contractevent(topics = ["FundLock"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FundsLockedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub amount: i128,
    pub remaining_balance: i128,
}

/// Tokens that were sent here by plain transfer were booked.
#[contractevent(topics = ["Surplus"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SurplusCreditedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub amount: i128,
    pub remaining_balance: i128,
}

/// The whole token balance left; `counted` of it was in the books.
#[contractevent(topics = ["Withdraw"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WithdrawnEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub to: Address,
    pub amount: i128,
    pub counted: i128,
    pub remaining_balance: i128,
}

#[contractevent(topics = ["Publish"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProgramPublishedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
}

#[contractevent(topics = ["Close"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProgramClosedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
}

#[contractevent(topics = ["KeyRotate"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PayoutKeyRotatedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub old_key: Address,
    pub new_key: Address,
}

/// A delegate was set; `previous` is the allowance it had left.
#[contractevent(topics = ["DelegSet"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DelegateSetEvent {
    #[topic]
    pub delegate: Address,
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub previous: Option<i128>,
    pub allowance: i128,
    pub expires_at: u64,
}

/// A delegate was revoked with this allowance left.
#[contractevent(topics = ["DelegRev"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DelegateRevokedEvent {
    #[topic]
    pub delegate: Address,
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub allowance: i128,
}

#[contractevent(topics = ["Guardian"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GuardianSetEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub guardian: Option<Address>,
}

/// Pause flags changed; the reason is empty when they were cleared.
#[contractevent(topics = ["Pause"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PauseChangedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub lock_before: bool,
    pub payout_before: bool,
    pub lock_after: bool,
    pub payout_after: bool,
    pub reason: String,
}

#[contractevent(topics = ["Trip"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BreakerTrippedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub reason: String,
}

#[contractevent(topics = ["Reset"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BreakerResetEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
}

#[contractevent(topics = ["OutLimit"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OutflowLimitSetEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub limit: Option<OutflowLimit>,
}

/// An instance of the earlier layout became ours; the amounts are the old books'.
#[contractevent(topics = ["MigProg"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProgramMigratedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub total_funds: i128,
    pub remaining_balance: i128,
}

/// Keys left the earlier layout's list; `moved` of them became records.
#[contractevent(topics = ["MigKeys"])]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeysMigratedEvent {
    pub version: u32,
    pub program_id: String,
    pub actor: Address,
    pub moved: u32,
    pub left: u32,
}
