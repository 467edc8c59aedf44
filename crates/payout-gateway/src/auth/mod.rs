//! Who may do what: bearer keys with scopes, stored as hashes; and how often.

mod caller;
mod keys;
mod limits;

pub(crate) use caller::Caller;
pub(crate) use keys::{Auth, token_hash};
pub use keys::{KeyInfo, NewKey, Scope, ScopeError};
pub(crate) use limits::Limits;
