//! Tests of the engine, by module.
#![forbid(unsafe_code)]

mod journal;
mod protocol;
mod rows;
mod run;
