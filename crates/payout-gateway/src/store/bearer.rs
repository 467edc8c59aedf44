//! Bearer keys and sessions as they are stored: hashes alone.

use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{Store, StoreError};
use crate::clock::{self, Millis};

/// A bearer key, without its secret.
#[derive(Debug, Clone)]
pub(crate) struct KeyRow {
    pub(crate) id: String,
    pub(crate) program: String,
    pub(crate) name: String,
    pub(crate) scopes: String,
    pub(crate) created_at: Millis,
    pub(crate) revoked_at: Option<Millis>,
}

impl KeyRow {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            program: row.try_get("program")?,
            name: row.try_get("name")?,
            scopes: row.try_get("scopes")?,
            created_at: row.try_get("created_at")?,
            revoked_at: row.try_get("revoked_at")?,
        })
    }
}

impl Store {
    pub(crate) async fn add_key(&self, key: &KeyRow, token_hash: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "INSERT INTO bearer_keys (id, program, name, token_hash, scopes, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&key.id)
        .bind(&key.program)
        .bind(&key.name)
        .bind(token_hash)
        .bind(&key.scopes)
        .bind(key.created_at)
        .execute(&mut *tx)
        .await?;
        crate::audit::Entry::new("key_created", "command", &key.program)
            .detail("key", key.id.as_str())
            .detail("name", key.name.as_str())
            .detail("scopes", key.scopes.as_str())
            .record(&mut tx)
            .await?;
        tx.commit().await
    }

    /// Revokes a key. `false`: there is none that is in force.
    pub(crate) async fn end_key(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let row = sqlx::query(
            "UPDATE bearer_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL \
             RETURNING program",
        )
        .bind(id)
        .bind(clock::now())
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else {
            tx.rollback().await?;
            return Ok(false);
        };
        let program: String = row.try_get("program")?;
        sqlx::query("DELETE FROM sessions WHERE bearer_key = $1")
            .bind(id)
            .execute(&mut *tx)
            .await?;
        crate::audit::Entry::new("key_revoked", "command", &program)
            .detail("key", id)
            .record(&mut tx)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    pub(crate) async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, program, name, scopes, created_at, revoked_at FROM bearer_keys \
             ORDER BY created_at, id",
        )
        .fetch_all(self.reading())
        .await?;
        rows.iter().map(KeyRow::read).collect()
    }

    /// The key with this hash, if it is in force.
    pub(crate) async fn key_by_hash(&self, hash: &str) -> Result<Option<KeyRow>, StoreError> {
        let row = sqlx::query(
            "SELECT id, program, name, scopes, created_at, revoked_at FROM bearer_keys \
             WHERE token_hash = $1 AND revoked_at IS NULL",
        )
        .bind(hash)
        .fetch_optional(self.reading())
        .await?;
        row.as_ref().map(KeyRow::read).transpose()
    }

    pub(crate) async fn add_session(
        &self,
        hash: &str,
        key: &str,
        until: Millis,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query("DELETE FROM sessions WHERE expires_at < $1")
            .bind(clock::now())
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "INSERT INTO sessions (token_hash, bearer_key, expires_at) VALUES ($1, $2, $3)",
        )
        .bind(hash)
        .bind(key)
        .bind(until)
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    pub(crate) async fn end_session(&self, hash: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
            .bind(hash)
            .execute(&mut *tx)
            .await?;
        tx.commit().await
    }

    /// The key behind a session that has not run out.
    pub(crate) async fn key_by_session(&self, hash: &str) -> Result<Option<KeyRow>, StoreError> {
        let row = sqlx::query(
            "SELECT k.id, k.program, k.name, k.scopes, k.created_at, k.revoked_at \
             FROM sessions s JOIN bearer_keys k ON k.id = s.bearer_key \
             WHERE s.token_hash = $1 AND s.expires_at > $2 AND k.revoked_at IS NULL",
        )
        .bind(hash)
        .bind(clock::now())
        .fetch_optional(self.reading())
        .await?;
        row.as_ref().map(KeyRow::read).transpose()
    }
}
