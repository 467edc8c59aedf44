//! The id of a program.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::error::shown;

/// A program's id: 1 to 64 bytes of `[A-Za-z0-9._-]`, as the contract's constructor takes it. Case
/// matters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(String);

impl ProgramId {
    /// The longest id, in bytes.
    pub const MAX_LEN: usize = 64;

    /// Checks `id`.
    ///
    /// # Errors
    /// [`Error::ProgramIdLength`], [`Error::ProgramIdCharacter`].
    pub fn new(id: &str) -> Result<Self, Error> {
        if let Some(character) = id.chars().find(|&character| !is_name_character(character)) {
            return Err(Error::ProgramIdCharacter {
                value: shown(id),
                character,
            });
        }
        if id.is_empty() || id.len() > Self::MAX_LEN {
            return Err(Error::ProgramIdLength {
                value: shown(id),
                length: id.len(),
            });
        }
        Ok(Self(id.to_owned()))
    }

    /// The id's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What ids of programs and names of runs consist of.
pub(crate) fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-')
}

impl FromStr for ProgramId {
    type Err = Error;

    fn from_str(id: &str) -> Result<Self, Error> {
        Self::new(id)
    }
}

impl AsRef<str> for ProgramId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProgramId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}
