//! The registry of errors: appended to, never reused. A golden file holds it.

use soroban_sdk::contracterror;

/// Why a call was refused; nothing was changed.
#[contracterror]
#[derive(Copy, Clone, Debug, Eq, PartialEq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Error {
    // Life of the program.
    /// Payouts need an active program.
    NotActive = 100,
    /// Only in Draft.
    NotDraft = 101,
    /// Only in Closed.
    NotClosed = 102,
    /// The program is closed.
    AlreadyClosed = 103,
    /// Program id: 1 to 64 bytes of `[A-Za-z0-9._-]`.
    InvalidProgramId = 104,
    /// This instance holds no program; `migrate_legacy` first.
    NoProgram = 105,

    // Who may do what.
    /// The caller lacks the role.
    Unauthorized = 200,
    /// The caller is neither payout key nor delegate.
    DelegateNotFound = 201,
    /// The delegate's time is over.
    DelegateExpired = 202,
    /// More than the delegate's allowance.
    DelegateAllowanceExceeded = 203,
    /// Expiry: after now, at most ten years ahead.
    InvalidExpiry = 204,
    /// Allowance must be above zero.
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
    /// The lists differ in length.
    LengthMismatch = 400,
    /// No recipient.
    EmptyBatch = 401,
    /// More than `max_batch_size`.
    BatchTooLarge = 402,
    /// Amounts must be above zero.
    InvalidAmount = 403,
    /// A recipient stands twice in the batch.
    DuplicateRecipient = 404,
    /// Neither this contract nor the token's may receive.
    InvalidRecipient = 405,
    /// A sum left the range of i128.
    AmountOverflow = 406,
    /// More than the remaining balance.
    InsufficientBalance = 407,
    /// The transfer in credited nothing.
    NothingReceived = 408,

    // Brakes.
    /// Paused.
    Paused = 500,
    /// The circuit breaker is open.
    CircuitOpen = 501,
    /// More than the outflow limit has available.
    OutflowLimitExceeded = 502,
    /// One amount is above the limit's `max_payout`.
    PayoutTooLarge = 503,
    /// Limit: `capacity >= max_payout > 0`, `refill_per_second >= 0`.
    InvalidOutflowLimit = 504,
    /// No pause flag is true.
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
