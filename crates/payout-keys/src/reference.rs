//! What tells two obligations of a run apart, though wallet and amount be equal.

use std::fmt;
use std::str::FromStr;

use crate::error::shown;
use crate::parts::{digest, scheme};
use crate::{Deployment, Error, RowId, RunName};

/// A row's reference, which the payout's record commits to. Its text is 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference(pub [u8; 16]);

impl Reference {
    /// The reference of row `id` of run `run`: the first 16 bytes of the digest over scheme
    /// `ref/1`, network, contract, the run's name and the id.
    #[must_use]
    pub fn of(at: &Deployment, run: &RunName, id: &RowId) -> Self {
        let parts = [run.as_str().as_bytes(), id.as_str().as_bytes()];
        let [first @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] =
            digest(scheme::REFERENCE, at, &parts);
        Self(first)
    }
}

impl FromStr for Reference {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        read_hex("reference", text).map(Self)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&hex::encode(self.0))
    }
}

/// Reads `2 * N` lower-case digits: one text for one value.
pub(crate) fn read_hex<const N: usize>(what: &'static str, text: &str) -> Result<[u8; N], Error> {
    lower_hex(text).ok_or_else(|| Error::HexInvalid {
        what,
        value: shown(text),
        digits: 2 * N,
    })
}

/// The bytes behind `2 * N` lower-case hexadecimal digits.
pub(crate) fn lower_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let upper = text.bytes().any(|byte| byte.is_ascii_uppercase());
    (!upper && hex::decode_to_slice(text, &mut bytes).is_ok()).then_some(bytes)
}
