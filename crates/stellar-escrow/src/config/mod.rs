//! Where settings come from: flags, environment variables, and stellar-cli's own configuration.
//!
//! A flag beats the environment, and the environment beats the configuration. Secrets are read and
//! never shown.

mod contract;
mod error;
mod folder;
mod network;
mod phrase;
mod source;

pub(crate) use contract::{ContractArgs, contract_id, party};
pub(crate) use error::Error;
pub(crate) use folder::Folder;
pub(crate) use network::{Network, NetworkArgs, headers};
pub(crate) use source::{SourceArgs, address, kept, secret_key};

/// An environment variable that says something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
