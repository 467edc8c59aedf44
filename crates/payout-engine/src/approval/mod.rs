//! An offer that several people sign before it is sent, on machines that share nothing but a file.
//!
//! Whoever signs or sends it reads the file again and believes none of it: what the file says is
//! compared with what the envelope carries, field by field. Nothing here reaches a network.

mod authority;
mod check;
mod error;
mod file;
mod proposal;
mod sign;

pub use authority::Authority;
pub use error::ApprovalError;
pub use proposal::{Proposal, Terms};

/// The longest that an offer may be valid, in seconds.
pub const LONGEST: u64 = 86_400;

/// The ledgers of `seconds`, at the pace that [`Policy`](crate::protocol::Policy) counts with.
#[must_use]
pub fn ledgers_of(seconds: u64) -> u32 {
    u32::try_from(seconds.saturating_mul(3) / 10).unwrap_or(u32::MAX)
}
