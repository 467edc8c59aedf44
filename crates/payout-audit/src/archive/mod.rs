//! The archive: one append-only file of what nodes gave, each record chained to the one before.
//!
//! A line is a record: the hex digest, a blank, and JSON. The digest is SHA-256 over the digest of
//! the line before (32 zero bytes for the first) and the JSON's bytes. Ledgers are covered by pages
//! and gaps alone, and a page is one line, so nothing is ever half covered.

mod chain;
mod error;
mod record;
mod subject;
mod writer;

pub use chain::{Digest, Head, read};
pub use error::ArchiveError;
pub use record::{Gap, Opened, Page, RawEvent, RawEvidence, RawTx, Record};
pub use subject::subject;
pub use writer::Archive;
pub(crate) use writer::belongs;
