//! Envelopes: built, filled from a simulation, signed, bumped; and the contract's calls and record.

mod auth;
mod build;
mod call;
mod error;
mod hash;
mod landed;
mod record;
mod secret;
mod stored;

pub use auth::sign_authorisations;
pub(crate) use auth::{authorisation_payload, sign_entries, signatures};
pub use build::{Signers, bump, draft, sign};
pub(crate) use build::{charge, decorated, envelope, preconditions, unsigned};
pub use call::{Caller, intent_call, payout_call, record_call, void_call};
pub(crate) use call::{address, call, integer, sc_address, text, vector};
pub use error::EnvelopeError;
pub use hash::{envelope_hash, fee_bump_hash, transaction_hash};
pub use landed::payouts_under;
pub use record::{record_of, view};
pub use secret::SecretKey;
pub use stored::{record_ledger_key, record_ledger_key_of, stored_record};
