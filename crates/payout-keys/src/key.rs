//! The key itself, whatever it says.

use std::fmt;
use std::str::FromStr;

use crate::error::shown;
use crate::{Error, KeyForm};

/// An idempotency key: 1 to 256 bytes of printable ASCII without blanks (0x21 to 0x7E), as the
/// contract takes it.
///
/// Two keys are the same if their bytes are. Nothing is folded or trimmed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The longest key, in bytes.
    pub const MAX_LEN: usize = 256;

    /// Checks `key`.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::KeyCharacter`].
    pub fn new(key: &str) -> Result<Self, Error> {
        if let Some(character) = key.chars().find(|character| !character.is_ascii_graphic()) {
            return Err(Error::KeyCharacter {
                value: shown(key),
                character,
            });
        }
        if key.is_empty() || key.len() > Self::MAX_LEN {
            return Err(Error::KeyLength {
                value: shown(key),
                length: key.len(),
            });
        }
        Ok(Self(key.to_owned()))
    }

    /// A key that keeps the limits by the way it was made.
    pub(crate) fn made(key: String) -> Self {
        debug_assert_eq!(Self::new(&key).as_ref().map(Self::as_str), Ok(key.as_str()));
        Self(key)
    }

    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the key says about itself, read from the right.
    #[must_use]
    pub fn form(&self) -> KeyForm {
        KeyForm::of(self)
    }
}

impl FromStr for IdempotencyKey {
    type Err = Error;

    fn from_str(key: &str) -> Result<Self, Error> {
        Self::new(key)
    }
}

impl AsRef<str> for IdempotencyKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}
