//! What a key may look like.

use soroban_sdk::{Env, String, panic_with_error};

use crate::error::Error;

/// Longest key, in bytes. Its digest is stored, so the network's 250 bytes for a ledger key do not
/// limit it.
pub(crate) const MAX_LEN: usize = 256;

/// Whether `key` is 1 to 256 bytes of printable ASCII without blank.
pub(crate) fn is_valid(key: &String) -> bool {
    let len = key.len() as usize;
    if len == 0 || len > MAX_LEN {
        return false;
    }
    let mut buffer = [0u8; MAX_LEN];
    let bytes = &mut buffer[..len];
    key.copy_into_slice(bytes);
    bytes.iter().all(u8::is_ascii_graphic)
}

/// # Errors
/// [`Error::InvalidIdempotencyKey`].
pub(crate) fn require_valid(env: &Env, key: &String) {
    if !is_valid(key) {
        panic_with_error!(env, Error::InvalidIdempotencyKey);
    }
}
