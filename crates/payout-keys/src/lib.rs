#![doc = include_str!("../../../docs/keys.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod address;
mod deployment;
mod derived;
mod error;
mod fingerprint;
mod form;
mod key;
mod parts;
mod program;
mod random;
mod reference;
mod row;
mod run;
mod unseen;

pub use address::{Recipient, RecipientPrefix};
pub use deployment::{ContractId, Deployment, NetworkId};
pub use derived::{gateway_key, run_key};
pub use error::Error;
pub use fingerprint::Fingerprint;
pub use form::KeyForm;
pub use key::IdempotencyKey;
pub use program::ProgramId;
pub use random::{Entropy, EntropyError, KeyGenerator, OsEntropy};
pub use reference::Reference;
pub use row::RowId;
pub use run::RunName;
pub use unseen::is_unseen;
