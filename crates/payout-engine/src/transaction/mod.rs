//! One transaction that is not a payout: deploying, locking, braking, funding.
//!
//! No idempotency key guards these, so the sequence number has to: an act is signed **once**, the
//! same bytes are sent until there is a verdict, and nothing else is signed before that. The verdict
//! is what the ledger made of the hash, or the account's sequence number in a ledger past the bounds.
//!
//! [`prepare`] simulates and prices, [`Prepared::sign`] makes the one envelope, [`settle`] brings it
//! to an [`Outcome`].

mod act;
mod classic;
mod error;
mod operator;
mod outcome;
mod prepare;
mod sealed;
mod settle;
mod sign;

pub use act::{Act, asset_contract, contract_at, wasm_hash};
pub use classic::{change_trust, create_account, merge, payment};
pub use error::TransactionError;
pub use operator::{Limits, OperatorCall, constructor, view_call};
pub use outcome::{Outcome, Verdict};
pub use prepare::{Cost, Prepared, account, prepare, simulate_view};
pub use sealed::Sealed;
pub use settle::{Patience, settle};
pub use sign::Keys;
