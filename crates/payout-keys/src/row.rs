//! The id of a row.

use std::fmt;
use std::sync::Arc;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::Error;
use crate::error::shown;
use crate::unseen::first_unseen;

/// The id of one row of a file, which is one obligation: 1 to 256 bytes of UTF-8 in Unicode's form
/// NFC, without ASCII blanks around it and without characters that nobody sees
/// ([`is_unseen`](crate::is_unseen)). Case matters.
///
/// Two spellings of one id would be two obligations and would be paid twice, so there is one
/// spelling. Cells become ids in one place, [`RowId::from_cell`]; everything behind it takes a
/// `RowId`, and [`RowId::new`] refuses another spelling instead of changing it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(Arc<str>);

impl RowId {
    /// The longest id, in bytes.
    pub const MAX_LEN: usize = 256;

    /// Checks an id that is said to be in its one spelling: from a journal, a receipt, another
    /// program.
    ///
    /// # Errors
    /// [`Error::RowIdLength`], [`Error::RowIdBlank`], [`Error::RowIdUnseen`],
    /// [`Error::RowIdNotNormalised`].
    pub fn new(id: &str) -> Result<Self, Error> {
        if trimmed(id) != id {
            return Err(Error::RowIdBlank { value: shown(id) });
        }
        if let Some(character) = first_unseen(id) {
            return Err(Error::RowIdUnseen {
                value: shown(id),
                character,
            });
        }
        if !is_nfc(id) {
            return Err(Error::RowIdNotNormalised { value: shown(id) });
        }
        if id.is_empty() || id.len() > Self::MAX_LEN {
            return Err(Error::RowIdLength {
                value: shown(id),
                length: id.len(),
            });
        }
        Ok(Self(id.into()))
    }

    /// Brings a cell of a file into the one spelling: ASCII blanks around it removed (U+0009,
    /// U+000A, U+000C, U+000D, U+0020, and no other white space), then NFC. What nobody sees is refused and
    /// not removed: nothing is guessed.
    ///
    /// # Errors
    /// [`Error::RowIdLength`], [`Error::RowIdUnseen`].
    pub fn from_cell(cell: &str) -> Result<Self, Error> {
        Self::new(&trimmed(cell).nfc().collect::<String>())
    }

    /// The id's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|character: char| character.is_ascii_whitespace())
}

impl AsRef<str> for RowId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RowId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}
