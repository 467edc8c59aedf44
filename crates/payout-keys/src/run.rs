//! The name of a run.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::error::shown;
use crate::program::is_name_character;

/// A run's name: 1 to 64 bytes of `[a-z0-9._-]`, the first a letter or a digit. Upper-case letters
/// are taken as their lower-case ones.
///
/// The name decides which keys a file is paid under, so two spellings of one name on two machines
/// would pay everything twice. Hence nothing that looks alike or depends on a keyboard, a shell or
/// a file system tells two runs apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunName(String);

impl RunName {
    /// The longest name, in bytes.
    pub const MAX_LEN: usize = 64;

    /// Checks `name`, and takes upper-case letters as lower-case ones.
    ///
    /// # Errors
    /// [`Error::RunNameLength`], [`Error::RunNameCharacter`], [`Error::RunNameStart`].
    pub fn new(name: &str) -> Result<Self, Error> {
        if let Some(character) = name
            .chars()
            .find(|&character| !is_name_character(character))
        {
            return Err(Error::RunNameCharacter {
                value: shown(name),
                character,
            });
        }
        if name.is_empty() || name.len() > Self::MAX_LEN {
            return Err(Error::RunNameLength {
                value: shown(name),
                length: name.len(),
            });
        }
        if let Some(character) = name
            .chars()
            .next()
            .filter(|first| !first.is_ascii_alphanumeric())
        {
            return Err(Error::RunNameStart {
                value: shown(name),
                character,
            });
        }
        Ok(Self(name.to_ascii_lowercase()))
    }

    /// The name as it is derived from: in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RunName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::new(name)
    }
}

impl AsRef<str> for RunName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}
