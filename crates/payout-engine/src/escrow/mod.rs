//! The facts of a deployment, read from a node before any money moves: which network, which code,
//! the program and its books, brakes, roles, the token and what the escrow holds of it, lifetimes.
//!
//! Entries are read where the contract's storage schema is agreed (a golden file holds it), and
//! views are simulated where only the code knows.

mod brakes;
mod error;
mod errors;
mod facts;
mod lives;
mod program;
mod read;
mod token;
mod view;

pub use brakes::{Brakes, OutflowLimit};
pub use error::{EscrowError, Part};
pub use errors::{CONTRACT_ERRORS, ContractError, contract_error};
pub use facts::{CodeHash, Facts, Holding, Lifetimes, Pins};
pub use lives::{Lives, code_life, lives};
pub use program::{Delegate, PendingOwner, Program, ProgramStatus};
pub use read::{Wanted, read};
pub(crate) use token::SacBalance;
pub use token::{CreditAsset, IssuerFlags, Token, TokenKind, decimal};
