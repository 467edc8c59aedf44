//! Where an event stands on the ledger, as its id says.

use std::fmt;
use std::str::FromStr;

use super::ModelError;

/// An event's id: ledger, transaction and operation in one number, and the event's index in the
/// operation. Ids rise in the order in which things happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// `ledger << 32 | transaction << 12 | operation`.
    pub place: u64,
    /// The event's index.
    pub index: u32,
}

impl EventId {
    /// The ledger.
    #[must_use]
    pub fn ledger(self) -> u32 {
        u32::try_from(self.place >> 32).unwrap_or(u32::MAX)
    }
}

impl FromStr for EventId {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        let wrong = || ModelError::EventId(text.chars().take(40).collect());
        let (place, index) = text.split_once('-').ok_or_else(wrong)?;
        if place.len() != 19 || index.len() != 10 {
            return Err(wrong());
        }
        Ok(Self {
            place: place.parse().map_err(|_| wrong())?,
            index: index.parse().map_err(|_| wrong())?,
        })
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:019}-{:010}", self.place, self.index)
    }
}
