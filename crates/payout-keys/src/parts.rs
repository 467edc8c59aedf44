//! One digest over several parts, such that no two lists of parts are hashed as the same bytes.

use sha2::{Digest, Sha256};

use crate::Deployment;

/// The schemes, each with its version. A change of what is hashed is a new version.
pub(crate) mod scheme {
    pub(crate) const RUN: &[u8] = b"run/1";
    pub(crate) const GATEWAY: &[u8] = b"gw/1";
    pub(crate) const REFERENCE: &[u8] = b"ref/1";
}

/// SHA-256 over scheme, network, contract and `rest`, each part as its length (4 bytes, big-endian)
/// and its bytes.
///
/// Callers' parts are at most 256 bytes long by their types, so every length fits.
pub(crate) fn digest(scheme: &[u8], deployment: &Deployment, rest: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    let first = [scheme, &deployment.network.0, &deployment.contract.0];
    for part in first.iter().chain(rest) {
        frame(part, |bytes| hash.update(bytes));
    }
    hash.finalize().into()
}

fn frame(part: &[u8], mut sink: impl FnMut(&[u8])) {
    let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
    sink(&length.to_be_bytes());
    sink(part);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::frame;

    /// Reads framed parts back; `None` if there is anything else.
    fn read(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut parts = Vec::new();
        while !bytes.is_empty() {
            let (length, rest) = bytes.split_first_chunk::<4>()?;
            let (part, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
            parts.push(part.to_vec());
            bytes = rest;
        }
        Some(parts)
    }

    proptest! {
        /// What can be read back is different for different parts: framing is injective.
        #[test]
        fn framed_parts_are_read_back(parts in vec(vec(any::<u8>(), 0..300), 0..8)) {
            let mut bytes = Vec::new();
            for part in &parts {
                frame(part, |more| bytes.extend_from_slice(more));
            }
            prop_assert_eq!(read(&bytes), Some(parts));
        }
    }
}
