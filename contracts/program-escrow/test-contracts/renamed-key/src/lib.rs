//! The contract with the variant `DataKey::IdempotencyKey` renamed, so that every record looks absent.
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
