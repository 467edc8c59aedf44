//! Envelopes: built, filled from a simulation, signed, bumped; and the contract's calls and record.

mod auth;
mod build;
mod call;
mod error;
mod hash;
mod record;
mod secret;

pub use auth::sign_authorisations;
pub use build::{Signers, bump, draft, sign};
pub use call::{Caller, payout_call, record_call, void_call};
pub(crate) use call::{call, sc_address};
pub use error::EnvelopeError;
pub use hash::{fee_bump_hash, transaction_hash};
pub use record::{record_of, view};
pub use secret::SecretKey;
