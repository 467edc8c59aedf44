//! Ledger entries: their keys built, read in pages, their values taken apart.

pub(crate) mod keys;
mod read;
pub(crate) mod value;

pub use read::{Entries, Entry, Life, read};
pub use value::Malformed;
