//! The serving plane: requests in, orders out. Nothing here waits for the chain.

mod attempts;
mod audit;
mod body;
mod key;
mod list;
mod order;
mod programs;
mod query;
mod submit;

pub(crate) use attempts::{attempts, AttemptBody};
pub(crate) use audit::{audit, double_payments, AuditPage, DoublePayments};
pub(crate) use body::{PayoutBody, fingerprint, json_body};
pub(crate) use key::idempotency_key;
pub(crate) use list::{list, read, OrderPage};
pub(crate) use order::OrderBody;
pub(crate) use programs::{programs, program, ProgramBody};
pub(crate) use query::{NoQuery, Params};
pub(crate) use submit::submit;
