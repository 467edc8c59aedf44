//! The control plane: void, retry, refund and reconcile, each idempotent under a key of its own.

pub(crate) mod evidence;
pub(crate) mod opening;
pub(crate) mod operation;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod retry;
pub(crate) mod void;

pub(crate) use operation::read as operation;
pub(crate) use reconcile::{findings, reconcile};
pub(crate) use refund::refund;
pub(crate) use retry::retry;
pub(crate) use void::void;
