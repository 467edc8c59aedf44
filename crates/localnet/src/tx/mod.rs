//! Transactions on their way into a ledger.

pub(crate) mod apply;
pub(crate) mod envelope;
pub(crate) mod queue;
mod resources;
pub(crate) mod signatures;
pub(crate) mod validate;
