//! Facts and preflight on the local ledger, with the compiled contract.
#![forbid(unsafe_code)]

mod addresses;
mod costs;
mod entries;
mod facts;
mod frozen;
mod native;
mod other_token;
mod transactions;
mod trustlines;
mod world;
