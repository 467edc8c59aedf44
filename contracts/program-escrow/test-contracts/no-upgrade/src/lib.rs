//! The contract without the entrypoint `upgrade`: it could never be corrected again.
//!
//! Everything but `build.rs` is the production source.

#![no_std]

include!(concat!(env!("OUT_DIR"), "/lib.rs"));
