//! What has to survive a crash.

use payout_keys::RunName;

use crate::journal::{Intent, Journal, StoredOffer};
use crate::protocol::Entry;

/// It is not durable, so nothing is sent that depends on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unstored(pub String);

/// Stores durably. When a call has returned, a power cut does not undo it.
#[allow(async_fn_in_trait, reason = "as Network")]
pub trait Store {
    /// Stores what the protocol asks for, for the offer of `intent`, in one transaction.
    ///
    /// # Errors
    /// [`Unstored`]; then nothing of it is stored.
    async fn store(&mut self, intent: &Intent, entry: &Entry) -> Result<(), Unstored>;

    /// Keeps the newest ledger that anything told of. It never goes back.
    ///
    /// # Errors
    /// [`Unstored`].
    async fn note_ledger(&mut self, ledger: u32) -> Result<(), Unstored>;
}

/// A store that knows what was offered in a run.
#[allow(async_fn_in_trait, reason = "as Network")]
pub trait RunStore: Store {
    /// The newest ledger that was noted, 0 if none.
    ///
    /// # Errors
    /// [`Unstored`].
    async fn ledger(&self) -> Result<u32, Unstored>;

    /// Every offer of `run`, in the order they were stored.
    ///
    /// # Errors
    /// [`Unstored`].
    async fn offers(&self, run: &RunName) -> Result<Vec<StoredOffer>, Unstored>;
}

impl Store for Journal {
    async fn store(&mut self, intent: &Intent, entry: &Entry) -> Result<(), Unstored> {
        Self::store(self, intent, entry).map_err(|error| Unstored(error.to_string()))
    }

    async fn note_ledger(&mut self, ledger: u32) -> Result<(), Unstored> {
        Self::note_ledger(self, ledger).map_err(|error| Unstored(error.to_string()))
    }
}

impl RunStore for Journal {
    async fn ledger(&self) -> Result<u32, Unstored> {
        Self::ledger(self).map_err(|error| Unstored(error.to_string()))
    }

    async fn offers(&self, run: &RunName) -> Result<Vec<StoredOffer>, Unstored> {
        self.of_run(run)
            .map_err(|error| Unstored(error.to_string()))
    }
}

/// A machine that may have no memory: it reads as empty, and nothing can be sent that needs storing.
impl Store for Option<Journal> {
    async fn store(&mut self, intent: &Intent, entry: &Entry) -> Result<(), Unstored> {
        match self {
            Some(journal) => Store::store(journal, intent, entry).await,
            None => Err(Unstored("there is no journal, so nothing is sent".into())),
        }
    }

    async fn note_ledger(&mut self, ledger: u32) -> Result<(), Unstored> {
        match self {
            Some(journal) => Store::note_ledger(journal, ledger).await,
            None => Ok(()),
        }
    }
}

impl RunStore for Option<Journal> {
    async fn ledger(&self) -> Result<u32, Unstored> {
        match self {
            Some(journal) => RunStore::ledger(journal).await,
            None => Ok(0),
        }
    }

    async fn offers(&self, run: &RunName) -> Result<Vec<StoredOffer>, Unstored> {
        match self {
            Some(journal) => RunStore::offers(journal, run).await,
            None => Ok(Vec::new()),
        }
    }
}
