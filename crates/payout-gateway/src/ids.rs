//! Ids: of orders, derived; of everything else, random.

use payout_keys::{IdempotencyKey, ProgramId};
use sha2::{Digest, Sha256};

use crate::clock::Millis;

/// The operating system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gives no randomness: {0}")]
pub struct NoRandomness(getrandom::Error);

/// The id of an order: eight hexadecimal digits of the second it was created in, then the first 64
/// bits of SHA-256 over scheme, program, caller's key and counter, each with its length before it.
///
/// Sorted by it, orders are sorted by time. It is stored and shown, and never used to find out
/// whether a key is known.
pub(crate) fn order_id(
    program: &ProgramId,
    key: &IdempotencyKey,
    counter: u32,
    created: Millis,
) -> String {
    let mut hash = Sha256::new();
    let parts: [&[u8]; 4] = [
        b"order/1",
        program.as_str().as_bytes(),
        key.as_str().as_bytes(),
        &counter.to_be_bytes(),
    ];
    for part in parts {
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        hash.update(length.to_be_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    let second = u32::try_from(created.div_euclid(1000)).unwrap_or(u32::MAX);
    let first = digest.get(..8).unwrap_or_default();
    format!("{second:08x}{}", hex::encode(first))
}

/// `N` random bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::getrandom(&mut bytes).map_err(NoRandomness)?;
    Ok(bytes)
}

/// 32 random hexadecimal digits.
pub(crate) fn random_id() -> Result<String, NoRandomness> {
    random::<16>().map(hex::encode)
}

/// An id that sorts by time and is random behind it.
pub(crate) fn timed_id(at: Millis) -> Result<String, NoRandomness> {
    let behind = random::<10>().map(hex::encode)?;
    Ok(format!("{at:012x}{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(program: &str, key: &str, counter: u32, at: Millis) -> String {
        let program = ProgramId::new(program).expect("a program");
        let key = IdempotencyKey::new(key).expect("a key");
        order_id(&program, &key, counter, at)
    }

    #[test]
    fn an_order_id_is_time_and_digest() {
        let at = 1_767_225_600_999;
        assert_eq!(id("p", "k", 0, at), "6955b900d20a29b4748777c1");
        assert_eq!(id("p", "k", 0, at).len(), 24);
        assert_eq!(id("p", "k", 0, at)[8..], id("p", "k", 0, at + 9_000)[8..]);
        assert!(id("p", "k", 0, at) < id("p", "k", 0, at + 1_000));
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(id("ab", "c", 0, 0), id("a", "bc", 0, 0));
        assert_ne!(id("a", "b", 0, 0), id("a", "b", 1, 0));
    }
}
