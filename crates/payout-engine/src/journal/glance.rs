//! A look at a journal beside whoever writes it.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::{Journal, JournalError, StoredOffer, schema};

/// What a journal says to somebody who only reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    /// What was pinned at its first use, by name.
    pub pins: BTreeMap<String, String>,
    /// Every offer, in the order they were stored.
    pub offers: Vec<StoredOffer>,
}

impl Journal {
    /// Reads the journal at `path` and changes nothing. Takes no lock: another process may be writing.
    ///
    /// # Errors
    /// [`JournalError`]; [`JournalError::Foreign`] where it is a file of something else.
    pub fn glance(path: &Path) -> Result<Glance, JournalError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .map_err(|error| JournalError::of(path, error))?;
        schema::known(path, &connection)?;
        let journal = Self {
            connection,
            path: path.to_owned(),
            _lock: None,
        };
        Ok(Glance {
            pins: journal.pins()?,
            offers: journal.all()?,
        })
    }

    fn pins(&self) -> Result<BTreeMap<String, String>, JournalError> {
        let of = |error| self.error(error);
        let sql = "SELECT substr(name, 5), value FROM setting WHERE name LIKE 'pin.%'";
        let mut statement = self.connection.prepare(sql).map_err(of)?;
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(of)?;
        rows.collect::<Result<_, _>>().map_err(of)
    }
}
