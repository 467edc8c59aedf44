//! What a payout commits to.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use stellar_xdr::{Int128Parts, Limits, ScBytes, ScSymbol, ScVal, ScVec, VecM, WriteXdr};

use crate::reference::read_hex;
use crate::{Error, Recipient, Reference};

/// What a payout commits to, as the contract records it. Its text is 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// SHA-256 over the XDR of the `ScVal` vector `[Symbol("payout"), recipients, amounts]`, with
    /// `references` as a fourth element where the payout has any. The lists are taken as they are:
    /// a replay may present what no payout can have.
    ///
    /// # Errors
    /// [`Error::PayoutTooLong`], beyond what XDR can count.
    pub fn of(
        recipients: &[Recipient],
        amounts: &[i128],
        references: Option<&[Reference]>,
    ) -> Result<Self, Error> {
        let count = recipients.len().max(amounts.len());
        encoded(recipients, amounts, references)
            .map(|bytes| Self(Sha256::digest(bytes).into()))
            .map_err(|_| Error::PayoutTooLong { count })
    }
}

fn encoded(
    recipients: &[Recipient],
    amounts: &[i128],
    references: Option<&[Reference]>,
) -> Result<Vec<u8>, stellar_xdr::Error> {
    let mut parts = vec![
        ScVal::Symbol(ScSymbol("payout".try_into()?)),
        vector(
            recipients
                .iter()
                .map(|recipient| ScVal::Address(recipient.to_xdr()))
                .collect(),
        )?,
        vector(amounts.iter().copied().map(integer).collect())?,
    ];
    if let Some(references) = references {
        let bytes = |reference: &Reference| Ok(ScVal::Bytes(ScBytes(reference.0.try_into()?)));
        parts.push(vector(
            references
                .iter()
                .map(bytes)
                .collect::<Result<_, stellar_xdr::Error>>()?,
        )?);
    }
    vector(parts)?.to_xdr(Limits::none())
}

fn vector(elements: Vec<ScVal>) -> Result<ScVal, stellar_xdr::Error> {
    let elements: VecM<ScVal> = elements.try_into()?;
    Ok(ScVal::Vec(Some(ScVec(elements))))
}

fn integer(amount: i128) -> ScVal {
    let [high @ .., _, _, _, _, _, _, _, _] = amount.to_be_bytes();
    let [_, _, _, _, _, _, _, _, low @ ..] = amount.to_be_bytes();
    ScVal::I128(Int128Parts {
        hi: i64::from_be_bytes(high),
        lo: u64::from_be_bytes(low),
    })
}

impl FromStr for Fingerprint {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        read_hex("fingerprint", text).map(Self)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&hex::encode(self.0))
    }
}
