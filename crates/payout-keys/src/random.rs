//! Keys from randomness. To be stored before they are used: nobody can find them again.

use std::num::NonZeroU32;

use crate::form::version_4;
use crate::{Error, IdempotencyKey, KeyForm, ProgramId, Recipient};

/// The source of randomness failed, for this reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no randomness ({0}), so no key was made; nothing was paid, try again")]
pub struct EntropyError(pub String);

/// A source of randomness. Anything but the operating system's is for tests: a source that repeats
/// itself makes two payouts share a key, and the second is never paid.
pub trait Entropy {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// [`EntropyError`] if it cannot.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), EntropyError>;
}

/// The operating system's cryptographically secure generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        getrandom::getrandom(bytes).map_err(|error| EntropyError(error.to_string()))
    }
}

/// Makes random keys.
#[derive(Debug, Clone, Default)]
pub struct KeyGenerator<E = OsEntropy> {
    entropy: E,
}

impl KeyGenerator {
    /// A generator on the operating system's randomness.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<E: Entropy> KeyGenerator<E> {
    /// A generator on `entropy`.
    pub fn with_entropy(entropy: E) -> Self {
        Self { entropy }
    }

    /// `{program_id}-single-{first 8 of the recipient}-{16 hex}`
    ///
    /// # Errors
    /// [`Error::Entropy`].
    pub fn single(
        &mut self,
        program: &ProgramId,
        recipient: &Recipient,
    ) -> Result<IdempotencyKey, Error> {
        let (program, recipient, nonce) = (program.clone(), recipient.prefix(), self.bytes()?);
        Ok(KeyForm::Single {
            program,
            recipient,
            nonce,
        }
        .to_key())
    }

    /// `{program_id}-batch-{first 8 of the first recipient}-{n}r-{16 hex}`
    ///
    /// # Errors
    /// [`Error::BatchSize`], [`Error::Entropy`].
    pub fn batch(
        &mut self,
        program: &ProgramId,
        recipients: &[Recipient],
    ) -> Result<IdempotencyKey, Error> {
        let count = u32::try_from(recipients.len())
            .ok()
            .and_then(NonZeroU32::new);
        let (Some(first), Some(count)) = (recipients.first(), count) else {
            return Err(Error::BatchSize {
                count: recipients.len(),
            });
        };
        let (program, recipient, nonce) = (program.clone(), first.prefix(), self.bytes()?);
        Ok(KeyForm::Batch {
            program,
            recipient,
            count,
            nonce,
        }
        .to_key())
    }

    /// A UUID of version 4.
    ///
    /// # Errors
    /// [`Error::Entropy`].
    pub fn uuid(&mut self) -> Result<IdempotencyKey, Error> {
        Ok(KeyForm::Uuid(version_4(self.bytes()?)).to_key())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes)?;
        Ok(bytes)
    }
}
