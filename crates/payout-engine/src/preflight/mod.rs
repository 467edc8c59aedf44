//! Can each recipient be paid now? Asked of the ledger before anything is signed.
//!
//! [`check`] reads what the ledger says of every recipient and judges each row, and names what
//! stands in the way on the escrow's own side: then it is not the rows that are at fault. [`confirm`]
//! simulates what was found payable. [`costs`] measures what each kind of recipient costs.
//! [`diagnose`] finds which rows a refused batch fails on.
//!
//! All of it is as of a ledger. A recipient can drop a trustline between this and the payment; the
//! contract then rolls the whole batch back, and [`diagnose`] says which row to leave out.

mod check;
mod cost;
mod diagnose;
mod error;
mod history;
mod judge;
mod obstacle;
mod probe;
mod reason;
mod standing;
#[cfg(test)]
mod tests;

pub use check::{Options, Report, check};
pub use cost::{Costs, KindCost, costs};
pub use diagnose::{Diagnosis, Fault, diagnose};
pub use error::PreflightError;
pub use judge::{Ask, Consents, Kind, Verdict, judge};
pub use obstacle::{Obstacle, Source, obstacles};
pub use probe::{Confirmed, Probe, confirm};
pub use reason::Reason;
pub use standing::{AccountRoom, Standing, Trust};
