//! Tests of the engine, by module.
#![forbid(unsafe_code)]

mod protocol;
mod rows;
mod run;
