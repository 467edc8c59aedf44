//! What a key says about itself. Read from the right, because ids of programs contain hyphens.

use std::fmt;
use std::num::NonZeroU32;

use crate::reference::lower_hex;
use crate::{IdempotencyKey, ProgramId, RecipientPrefix};

/// A key in its parts.
///
/// [`KeyForm::of`] and [`KeyForm::to_key`] undo each other, byte for byte, whatever the program's
/// id is. What a key says is a convention of those who make keys; the contract does not enforce it,
/// so a form is no evidence of a payout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum KeyForm {
    /// `{program_id}-single-{first 8 of the recipient}-{16 hex}`
    Single {
        /// The program.
        program: ProgramId,
        /// The first 8 characters of the recipient.
        recipient: RecipientPrefix,
        /// The random part.
        nonce: [u8; 8],
    },
    /// `{program_id}-batch-{first 8 of the first recipient}-{n}r-{16 hex}`
    Batch {
        /// The program.
        program: ProgramId,
        /// The first 8 characters of the first recipient.
        recipient: RecipientPrefix,
        /// How many recipients: decimal, without leading zeros.
        count: NonZeroU32,
        /// The random part.
        nonce: [u8; 8],
    },
    /// `{program_id}-run-{64 hex}`: [`run_key`](crate::run_key).
    Run {
        /// The program.
        program: ProgramId,
        /// The digest of run and slot.
        digest: [u8; 32],
    },
    /// `{program_id}-gw-{64 hex}`: [`gateway_key`](crate::gateway_key).
    Gateway {
        /// The program.
        program: ProgramId,
        /// The digest of the caller's key and its counter.
        digest: [u8; 32],
    },
    /// A UUID of version 4 in lower case. (Bytes without that version make a key that is read as
    /// `Other`.)
    Uuid([u8; 16]),
    /// Any other key. [`KeyForm::of`] never puts a key here that has one of the forms above.
    Other(IdempotencyKey),
}

impl KeyForm {
    /// Reads a key from the right. Every key has exactly one form.
    #[must_use]
    pub fn of(key: &IdempotencyKey) -> Self {
        let text = key.as_str();
        uuid(text)
            .or_else(|| derived(text))
            .or_else(|| random(text))
            .unwrap_or_else(|| Self::Other(key.clone()))
    }

    /// The key.
    #[must_use]
    pub fn to_key(&self) -> IdempotencyKey {
        match self {
            Self::Other(key) => key.clone(),
            made => IdempotencyKey::made(made.to_string()),
        }
    }

    /// The program that the key names, if it names one.
    #[must_use]
    pub fn program(&self) -> Option<&ProgramId> {
        match self {
            Self::Single { program, .. }
            | Self::Batch { program, .. }
            | Self::Run { program, .. }
            | Self::Gateway { program, .. } => Some(program),
            Self::Uuid(_) | Self::Other(_) => None,
        }
    }
}

fn derived(text: &str) -> Option<KeyForm> {
    let (rest, digest) = text.rsplit_once('-')?;
    let digest = lower_hex(digest)?;
    let (program, kind) = rest.rsplit_once('-')?;
    let program = ProgramId::new(program).ok()?;
    match kind {
        "run" => Some(KeyForm::Run { program, digest }),
        "gw" => Some(KeyForm::Gateway { program, digest }),
        _ => None,
    }
}

fn random(text: &str) -> Option<KeyForm> {
    let (rest, nonce) = text.rsplit_once('-')?;
    let nonce = lower_hex(nonce)?;
    let (rest, last) = rest.rsplit_once('-')?;
    if let Ok(recipient) = RecipientPrefix::new(last) {
        let program = ProgramId::new(rest.strip_suffix("-single")?).ok()?;
        return Some(KeyForm::Single {
            program,
            recipient,
            nonce,
        });
    }
    let count = count(last.strip_suffix('r')?)?;
    let (rest, recipient) = rest.rsplit_once('-')?;
    let recipient = RecipientPrefix::new(recipient).ok()?;
    let program = ProgramId::new(rest.strip_suffix("-batch")?).ok()?;
    Some(KeyForm::Batch {
        program,
        recipient,
        count,
        nonce,
    })
}

/// A decimal number in its one spelling: no sign, no leading zero.
fn count(text: &str) -> Option<NonZeroU32> {
    let count: NonZeroU32 = text.parse().ok()?;
    (count.to_string() == text).then_some(count)
}

/// The places of the hyphens in a UUID.
const UUID_HYPHENS: [usize; 4] = [8, 13, 18, 23];

fn uuid(text: &str) -> Option<KeyForm> {
    let digits: String = text.chars().filter(|&character| character != '-').collect();
    let uuid = KeyForm::Uuid(lower_hex::<16>(&digits).filter(|&bytes| version_4(bytes) == bytes)?);
    (uuid.to_string() == text).then_some(uuid)
}

/// `bytes` with the version and variant of a random UUID.
pub(crate) fn version_4(mut bytes: [u8; 16]) -> [u8; 16] {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    bytes
}

impl fmt::Display for KeyForm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single {
                program,
                recipient,
                nonce,
            } => {
                write!(out, "{program}-single-{recipient}-{}", hex::encode(nonce))
            }
            Self::Batch {
                program,
                recipient,
                count,
                nonce,
            } => {
                write!(
                    out,
                    "{program}-batch-{recipient}-{count}r-{}",
                    hex::encode(nonce)
                )
            }
            Self::Run { program, digest } => write!(out, "{program}-run-{}", hex::encode(digest)),
            Self::Gateway { program, digest } => {
                write!(out, "{program}-gw-{}", hex::encode(digest))
            }
            Self::Uuid(bytes) => {
                let mut text = hex::encode(bytes);
                for at in UUID_HYPHENS {
                    text.insert(at, '-');
                }
                out.write_str(&text)
            }
            Self::Other(key) => out.write_str(key.as_str()),
        }
    }
}
