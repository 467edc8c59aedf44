//! The gateway from outside: over HTTP, on `SQLite` and on a `PostgreSQL` that is started here, paying from
//! the real contract on a local ledger.

mod common;

mod access;
mod audit;
mod clock;
mod control;
mod crash;
mod edges;
mod golden;
mod lanes;
mod operations;
mod races;
mod refund;
mod restore;
mod schedules;
mod serving;
mod sync;
mod window;
