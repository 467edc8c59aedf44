//! A correct next version: one more optional entry of its own, a view on it, and nothing changed of what is stored.
//!
//! Everything but `build.rs` is the production source.

#![no_std]
// As the production crate: the SDK's macros generate public items without documentation.
#![allow(
    missing_docs,
    clippy::needless_pass_by_value,
    clippy::must_use_candidate
)]
#![allow(clippy::struct_excessive_bools)]

include!(concat!(env!("OUT_DIR"), "/lib.rs"));
