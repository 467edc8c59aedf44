//! Envelopes: built, filled from a simulation, signed, bumped; and the contract's calls and record.

mod auth;
mod build;
mod call;
mod error;
mod hash;
mod record;
mod secret;

pub use auth::sign_authorisations;
pub(crate) use auth::sign_entries;
pub(crate) use build::decorated;
pub use build::{Signers, bump, draft, sign};
pub(crate) use call::{address, call, integer, sc_address, text, vector};
pub use call::{Caller, payout_call, record_call, void_call};
pub use error::EnvelopeError;
pub use hash::{fee_bump_hash, transaction_hash};
pub use record::{record_of, view};
pub use secret::SecretKey;
