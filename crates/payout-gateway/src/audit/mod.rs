//! The audit log: one row for every attempt and transition, in the transaction of what it records.
//!
//! Rows are chained by hashes afterwards, because a chain that is written by many transactions at
//! once would let them wait for each other. The sealer does it within a second; [`verify`] names what
//! is not sealed yet.

mod archive;
mod query;
mod row;
mod seal;
mod verify;

pub use archive::{ArchiveError, Archived};
pub(crate) use query::AuditFilter;
pub(crate) use row::{Entry, Row};
pub use verify::{Verdict, VerifyError};
