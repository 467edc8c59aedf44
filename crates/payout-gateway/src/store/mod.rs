//! The database: `SQLite` or `PostgreSQL`, under one set of queries.
//!
//! What belongs together is written in one transaction, with the audit rows of it. `SQLite` has one
//! writer, so its writing pool has one connection; `PostgreSQL`'s processes share the work by row
//! locks.

pub(crate) mod accept;
pub(crate) mod bearer;
pub(crate) mod duties;
pub(crate) mod envelopes;
pub(crate) mod findings;
pub(crate) mod jobs;
pub(crate) mod lanes;
pub(crate) mod operations;
pub(crate) mod orders;
pub(crate) mod programs;
mod write;

use std::path::PathBuf;
use std::time::Duration;

use payout_engine::make_own_file;
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AnyPool, AssertSqlSafe, Connection as _, Row as _};

pub(crate) use self::write::Write;
use crate::clock::Millis;

/// Which database it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Embedded, in a file.
    Sqlite,
    /// A server, shared by several processes.
    Postgres,
}

/// Why the database did not do what was asked. Nothing of the transaction happened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An address that is none.
    #[error("`{0}` is no database; write sqlite:FILE or postgres://…")]
    Address(String),
    /// No database can be made there.
    #[error("the database {} cannot be made: {why}; check folder and rights", .path.display())]
    File {
        /// Where.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// The database failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the database's schema cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// A stored value that cannot be.
    #[error("the database holds {what} `{value}`, which cannot be; restore it from a backup")]
    Corrupt {
        /// What.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// Another program is stored under this id.
    #[error(
        "program {program} was first used with {what} {stored}, and is now {found}; nothing is \
         paid until that is put right"
    )]
    Pin {
        /// The program.
        program: String,
        /// What differs.
        what: &'static str,
        /// As stored.
        stored: String,
        /// As found.
        found: String,
    },
    /// The job is not ours any more: its lease ran out, or a void came first.
    #[error("{0}; nothing was sent")]
    Fenced(&'static str),
    /// No randomness.
    #[error(transparent)]
    Randomness(#[from] crate::ids::NoRandomness),
}

impl StoreError {
    pub(crate) fn corrupt(what: &'static str, value: impl Into<String>) -> Self {
        Self::Corrupt {
            what,
            value: value.into().chars().take(80).collect(),
        }
    }
}

/// The database.
#[derive(Clone)]
pub struct Store {
    kind: Kind,
    address: String,
    write: AnyPool,
    read: AnyPool,
}

/// How long a transaction waits for a connection.
const PATIENCE: Duration = Duration::from_secs(15);

/// A connection that was idle for longer is asked whether it is alive before it is used. Asking each time costs a round trip
/// for every request; one that dies in between fails its statement, and nothing is decided.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

const SQLITE_READERS: u32 = 4;
/// How long `SQLite` waits for a writer of another process, such as a backup or a command.
const SQLITE_SETTINGS: [&str; 4] = [
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 10000",
];

impl Store {
    /// Opens the database at `address` and brings its schema up to date.
    ///
    /// # Errors
    /// [`StoreError::Address`], [`StoreError::Database`], [`StoreError::Migration`].
    pub async fn open(address: &str, connections: u32) -> Result<Self, StoreError> {
        install_default_drivers();
        let store = if let Some(file) = address.strip_prefix("sqlite:") {
            let file = file.trim_start_matches("//");
            let url = format!("sqlite://{file}?mode=rwc");
            make_file(&url)?;
            Self {
                kind: Kind::Sqlite,
                address: url.clone(),
                write: sqlite(&url, 1).await?,
                read: sqlite(&url, SQLITE_READERS).await?,
            }
        } else if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            let pool = postgres(connections.max(2)).connect(address).await?;
            Self {
                kind: Kind::Postgres,
                address: address.to_owned(),
                write: pool.clone(),
                read: pool,
            }
        } else {
            return Err(StoreError::Address(shown(address)));
        };
        sqlx::migrate!("./migrations").run(&store.write).await?;
        Ok(store)
    }

    /// The same database for another runtime: a connection belongs to the one that opened it. `SQLite`'s
    /// work on threads of their own, and its only writer is shared.
    pub(crate) fn again(&self) -> Self {
        if self.kind == Kind::Sqlite {
            return self.clone();
        }
        let most = self.write.options().get_max_connections();
        match postgres(most).connect_lazy(&self.address) {
            Ok(pool) => Self {
                write: pool.clone(),
                read: pool,
                ..self.clone()
            },
            // The address was good when the first pool was opened.
            Err(_) => self.clone(),
        }
    }

    /// Which database it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.write.close().await;
        self.read.close().await;
    }

    /// Where reads go.
    pub(crate) fn reading(&self) -> &AnyPool {
        &self.read
    }

    /// The database's clock, which all processes share.
    pub(crate) fn clock(&self) -> &'static str {
        match self.kind {
            Kind::Sqlite => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            Kind::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
        }
    }

    /// Takes rows that no other transaction has, without waiting for it.
    pub(crate) fn skip_locked(&self) -> &'static str {
        match self.kind {
            Kind::Sqlite => "",
            Kind::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// Locks what is read until the transaction ends.
    pub(crate) fn for_update(&self) -> &'static str {
        match self.kind {
            Kind::Sqlite => "",
            Kind::Postgres => " FOR UPDATE",
        }
    }

    /// The database's time.
    pub(crate) async fn now(&self) -> Result<Millis, StoreError> {
        let text = format!("SELECT {} AS now", self.clock());
        let row = sqlx::query(AssertSqlSafe(text))
            .fetch_one(&self.read)
            .await?;
        Ok(row.try_get("now")?)
    }
}

impl std::fmt::Debug for Store {
    /// Without the address, which may have a password in it.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Store({:?})", self.kind)
    }
}

fn postgres(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .test_before_acquire(false)
        .before_acquire(|connection, since| {
            Box::pin(async move {
                if since.idle_for > TRUSTED_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Makes a database's file, where there is none: orders are nobody's business but the owner's.
fn make_file(url: &str) -> Result<(), StoreError> {
    let options: SqliteConnectOptions = url.parse()?;
    let path = options.get_filename();
    make_own_file(path).map_err(|why| StoreError::File {
        path: path.to_owned(),
        why,
    })
}

async fn sqlite(url: &str, connections: u32) -> Result<AnyPool, sqlx::Error> {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        // Where the disk is full, `SQLite` has undone a transaction before it is rolled back. The
        // connection takes itself for inside of it from then on, and is of no more use.
        .before_acquire(|connection, _| {
            let inside = connection.is_in_transaction();
            Box::pin(async move { Ok(!inside) })
        })
        .after_connect(|connection, _| {
            Box::pin(async move {
                for setting in SQLITE_SETTINGS {
                    sqlx::query(setting).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
        .connect(url)
        .await
}

/// An address without what stands before the host: it may be a password.
fn shown(address: &str) -> String {
    let behind = address.rsplit('@').next().unwrap_or_default();
    behind.chars().take(80).collect()
}
