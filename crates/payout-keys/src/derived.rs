//! Keys that are found again without having been stored.

use crate::parts::{digest, scheme};
use crate::{Deployment, IdempotencyKey, KeyForm, ProgramId, RunName};

/// The key of slot `slot` of run `run`: `{program_id}-run-{64 hex}`.
///
/// The digest is over scheme `run/1`, network, contract, the run's name and the slot (4 bytes,
/// big-endian). A run's first slot is 0. Nothing of what is paid enters, so an edited or reordered
/// file is paid under the same keys.
#[must_use]
pub fn run_key(program: &ProgramId, at: &Deployment, run: &RunName, slot: u32) -> IdempotencyKey {
    let digest = digest(
        scheme::RUN,
        at,
        &[run.as_str().as_bytes(), &slot.to_be_bytes()],
    );
    KeyForm::Run {
        program: program.clone(),
        digest,
    }
    .to_key()
}

/// The key on chain for a caller's key at a gateway: `{program_id}-gw-{64 hex}`.
///
/// The digest is over scheme `gw/1`, network, contract, the program's id, the caller's key and the
/// counter (4 bytes, big-endian). The counter is 0 until the caller's key is deliberately used
/// anew. The caller's text does not appear on chain; who can guess it can check the guess.
#[must_use]
pub fn gateway_key(
    program: &ProgramId,
    at: &Deployment,
    caller_key: &IdempotencyKey,
    counter: u32,
) -> IdempotencyKey {
    let parts: [&[u8]; 3] = [
        program.as_str().as_bytes(),
        caller_key.as_str().as_bytes(),
        &counter.to_be_bytes(),
    ];
    let digest = digest(scheme::GATEWAY, at, &parts);
    KeyForm::Gateway {
        program: program.clone(),
        digest,
    }
    .to_key()
}
