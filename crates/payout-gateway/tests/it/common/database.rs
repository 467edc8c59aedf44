//! One of the two databases.

use std::path::Path;

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

    /// A backup as docs/gateway.md has it, into a file.
    pub(crate) async fn back_up(&self, to: &Path) {
        match self {
            Self::Sqlite(_) => {
                let pool = self.past().await;
                let text = format!("VACUUM INTO '{}'", to.display());
                sqlx::query(sqlx::AssertSqlSafe(text))
                    .execute(&pool)
                    .await
                    .expect("a backup");
                pool.close().await;
            }
            Self::Postgres(postgres) => postgres.dump(to),
        }
    }

    /// Puts a backup in the database's place. No gateway may be running.
    pub(crate) fn restore(&self, from: &Path) {
        match self {
            Self::Sqlite(folder) => {
                for end in ["-wal", "-shm"] {
                    let _ = std::fs::remove_file(folder.path().join(format!("g.db{end}")));
                }
                std::fs::copy(from, folder.path().join("g.db")).expect("a restore");
            }
            Self::Postgres(postgres) => postgres.undump(from),
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
