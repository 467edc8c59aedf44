//! What all operating commands have in common: they say what they will do, ask, sign once, wait for
//! the verdict, and tell it.

mod args;
mod error;
mod pending;
mod work;

pub(crate) use args::{ActArgs, ReadArgs, block_on};
pub(crate) use error::Error;
pub(crate) use work::{Desk, Plan, done};
