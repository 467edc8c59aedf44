//! The submission protocol of one obligation under one key, as a pure state machine.
//!
//! **With the same key and the same arguments, sending again is always safe.** Only two acts are
//! dangerous: giving an obligation another key, and saying finally "not paid". The first does not
//! exist here: a state has one key, for life. The second needs proof, and `verdict` is the only
//! place that gives it.
//!
//! A second envelope under the same key would be safe for the money even while the first may land:
//! the contract pays once. It is not signed all the same before the first is proven dead, because
//! two that land cost two fees and leave a replay event, and because two sequence numbers of one
//! obligation block two lanes. A fee bump carries the same inner transaction, of which one at most
//! can land, so it may be signed at any time.

mod answer;
mod diagram;
mod effect;
mod envelope;
mod event;
mod phase;
mod policy;
mod state;
mod step;
mod submit;
mod table;
mod verdict;

pub use answer::{Answer, Awaited, Knowledge, Stop};
pub use diagram::{mermaid, state_table};
pub use effect::{BumpRequest, Effect, Entry, SignRequest};
pub use envelope::{Bounds, Envelope, Signed, Spent, TxHash};
pub use event::{
    Event, Fate, Input, Prepared, Refusal, RefusedKind, SendAnswer, SendStatus, Simulation,
};
pub use phase::Phase;
pub use policy::{Bid, Jitter, Policy};
pub use state::{Obligation, Purpose, Signers};
pub use step::step;
pub use table::{Cause, TRANSITIONS, Transition};
