//! What a ledger tells about itself beside its entries.

pub(crate) mod close;
pub(crate) mod diagnostics;
pub(crate) mod events;
