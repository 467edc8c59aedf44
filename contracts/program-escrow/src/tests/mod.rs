//! Tests by feature. Every call states who signed it: [`setup::World::by`] mocks exactly one
//! signature on exactly one call and, when the call succeeds, compares what the host asked for with
//! it; a refusal is compared entry by entry with the ledger before.

extern crate std;

mod compiled;
pub(crate) mod setup;
pub(crate) mod steps;
pub(crate) mod wasm;

mod cases;
mod entrypoints;

mod attacks;
mod authorisation;
mod brakes;
mod case_02_direct_call;
mod case_04_issuer;
mod case_12_brakes;
mod construction;
mod cross_entrypoint_idempotency_tests;
mod delegates;
mod event_examples;
mod events;
mod every_error;
mod faulty_token;
mod faulty_tokens;
mod fingerprints;
mod funds;
mod golden;
mod legacy;
mod life;
mod migration;
mod outflow;
mod ownership;
mod payout_validation;
mod properties;
mod replay;
pub(crate) mod spec_text;
mod void_import;
