//! Tests of the engine, by module.
#![forbid(unsafe_code)]

mod envelope;
mod journal;
mod page;
mod protocol;
mod rows;
mod rpc;
mod run;
mod transaction;
