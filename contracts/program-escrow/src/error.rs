//! The registry of errors: appended to, never reused. A golden file holds it.
//!
//! Documentation of variants travels in the Wasm, so it stands only where the name does not say it.

use soroban_sdk::contracterror;

/// Why a call was refused; nothing was changed.
#[contracterror]
#[derive(Copy, Clone, Debug, Eq, PartialEq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Error {
    // Life of the program.
    NotActive = 100,
    NotDraft = 101,
    NotClosed = 102,
    AlreadyClosed = 103,
    /// Program id: 1 to 64 bytes of `[A-Za-z0-9._-]`.
    InvalidProgramId = 104,
    /// This instance holds no program; `migrate_legacy` first.
    NoProgram = 105,

    // Who may do what.
    Unauthorized = 200,
    /// The caller is neither payout key nor delegate.
    DelegateNotFound = 201,
    DelegateExpired = 202,
    DelegateAllowanceExceeded = 203,
    /// Expiry: after now, at most ten years ahead.
    InvalidExpiry = 204,
    InvalidAllowance = 205,
    /// Without an owner money would be stuck.
    OwnershipCannotBeRenounced = 206,

    // Idempotency keys.
    /// Key: 1 to 256 bytes, each 0x21 to 0x7E.
    InvalidIdempotencyKey = 300,
    /// The key was voided and can never pay.
    KeyVoided = 301,
    /// The key is consumed and cannot be voided.
    KeyAlreadyConsumed = 302,
    /// 1 to 30 keys a call.
    TooManyKeys = 303,

    // What a payout asks for.
    LengthMismatch = 400,
    EmptyBatch = 401,
    BatchTooLarge = 402,
    InvalidAmount = 403,
    /// A recipient stands twice in the batch.
    DuplicateRecipient = 404,
    /// Neither this contract nor the token's may receive.
    InvalidRecipient = 405,
    /// A sum left the range of i128.
    AmountOverflow = 406,
    InsufficientBalance = 407,
    /// The transfer in credited nothing.
    NothingReceived = 408,

    // Brakes.
    Paused = 500,
    CircuitOpen = 501,
    /// More than the outflow limit has available.
    OutflowLimitExceeded = 502,
    /// One amount is above the limit's `max_payout`.
    PayoutTooLarge = 503,
    /// Limit: `capacity >= max_payout > 0`, `refill_per_second >= 0`.
    InvalidOutflowLimit = 504,
    NoFlagSet = 505,
    /// Reason: at most 128 bytes.
    ReasonTooLong = 506,

    // The token.
    /// The token refused, or its balances do not add up.
    TokenTransferFailed = 600,

    // Old instances.
    /// No old program is there to migrate.
    NothingToMigrate = 700,
}
