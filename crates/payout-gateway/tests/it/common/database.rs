//! One of the two databases.

use std::path::PathBuf;

use sqlx::AnyPool;
use sqlx::any::install_default_drivers;
use tempfile::TempDir;

use super::postgres::Postgres;

pub(crate) enum Database {
    Sqlite(TempDir),
    Postgres(Box<Postgres>),
}

impl Database {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn postgres() -> Self {
        Self::Postgres(Box::new(Postgres::start()))
    }

    pub(crate) fn address(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite:{}", folder.path().join("g.db").display()),
            Self::Postgres(postgres) => postgres.url(),
        }
    }

    /// The file, where it is one.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        match self {
            Self::Sqlite(folder) => Some(folder.path().join("g.db")),
            Self::Postgres(_) => None,
        }
    }

    /// A connection past the gateway.
    pub(crate) async fn past(&self) -> AnyPool {
        install_default_drivers();
        let url = match self {
            Self::Sqlite(folder) => format!("sqlite://{}", folder.path().join("g.db").display()),
            Self::Postgres(postgres) => postgres.url(),
        };
        AnyPool::connect(&url).await.expect("the database")
    }

    /// How many rows a table has.
    pub(crate) async fn count(&self, table: &str) -> i64 {
        let text = format!("SELECT COUNT(*) FROM {table}");
        let pool = self.past().await;
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(text))
            .fetch_one(&pool)
            .await
            .expect("a count");
        pool.close().await;
        count
    }
}
