//! A transaction that writes, and the moments around its commit.
//!
//! Each commit is told twice at the level `trace`, right before and right after, with the place in the
//! code that began it. So a log shows every durable write in its order, and a test can pull the plug at
//! each of them.

use std::ops::{Deref, DerefMut};
use std::panic::Location;

use sqlx::{Any, AnyConnection, Transaction};

use super::{Kind, Store, StoreError};

/// A transaction that writes. Dropped without [`commit`](Self::commit), nothing of it happened.
pub(crate) struct Write {
    transaction: Transaction<'static, Any>,
    at: &'static Location<'static>,
}

impl Store {
    /// A transaction that has its right to write from the beginning, so that what it reads is still
    /// true when it writes.
    #[track_caller]
    pub(crate) fn begin(&self) -> impl Future<Output = Result<Write, StoreError>> {
        let at = Location::caller();
        let begin = match self.kind {
            Kind::Sqlite => "BEGIN IMMEDIATE",
            Kind::Postgres => "BEGIN",
        };
        async move {
            let transaction = self.write.begin_with(begin).await?;
            Ok(Write { transaction, at })
        }
    }
}

impl Write {
    /// Makes all of it durable.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        let at = self.at;
        tracing::trace!(%at, "commits");
        self.transaction.commit().await?;
        tracing::trace!(%at, "committed");
        Ok(())
    }

    /// Undoes all of it, and waits until that is done.
    pub(crate) async fn rollback(self) -> Result<(), StoreError> {
        Ok(self.transaction.rollback().await?)
    }
}

impl Deref for Write {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.transaction
    }
}

impl DerefMut for Write {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }
}
