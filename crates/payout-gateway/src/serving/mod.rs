//! The serving plane: requests in, orders out. Nothing here waits for the chain.

pub(crate) mod attempts;
pub(crate) mod audit;
pub(crate) mod body;
pub(crate) mod key;
pub(crate) mod list;
pub(crate) mod object;
pub(crate) mod order;
pub(crate) mod programs;
pub(crate) mod query;
pub(crate) mod submit;

pub(crate) use attempts::attempts;
pub(crate) use audit::{audit, double_payments};
pub(crate) use body::{PayoutBody, fingerprint, json_body};
pub(crate) use key::idempotency_key;
pub(crate) use list::{list, read, visible};
pub(crate) use object::Object;
pub(crate) use programs::{program, programs};
pub(crate) use query::{NoQuery, Params};
pub(crate) use submit::submit;
