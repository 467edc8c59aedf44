//! Bearer keys. A key is 256 random bits, so a plain SHA-256 of it cannot be searched through.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payout_keys::ProgramId;
use sha2::{Digest, Sha256};

use crate::clock;
use crate::ids::{random, timed_id};
use crate::store::bearer::KeyRow;
use crate::store::{Store, StoreError};

/// What a bearer key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Submit payouts.
    Submit,
    /// Read orders and audit rows.
    Read,
    /// Void, refund, retry, reconcile; and the operator's pages.
    Operate,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Submit, Self::Read, Self::Operate];

    fn name(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Read => "read",
            Self::Operate => "operate",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A name that is no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no scope `{0}`; the scopes are submit, read, operate")]
pub struct ScopeError(String);

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(name: &str) -> Result<Self, ScopeError> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.name() == name)
            .ok_or_else(|| ScopeError(name.chars().take(40).collect()))
    }
}

/// A new bearer key. Its text is shown once and stored nowhere.
pub struct NewKey {
    /// Its id, by which it is revoked.
    pub id: String,
    /// What the caller sends.
    pub token: String,
}

impl fmt::Debug for NewKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "NewKey({}, hidden)", self.id)
    }
}

/// What is known about a bearer key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyInfo {
    /// Its id.
    pub id: String,
    /// Its program, or `*` for all.
    pub program: String,
    /// What it is called.
    pub name: String,
    /// What it may do, separated by blanks.
    pub scopes: String,
    /// When it was created.
    pub created_at: String,
    /// When it was revoked.
    pub revoked_at: Option<String>,
}

/// The stored form of a token.
pub(crate) fn token_hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

impl Store {
    /// Creates a bearer key for `program`, or for all programs.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn create_key(
        &self,
        program: Option<&ProgramId>,
        name: &str,
        scopes: &[Scope],
    ) -> Result<NewKey, StoreError> {
        let now = clock::now();
        let token = format!("gw_{}", URL_SAFE_NO_PAD.encode(random::<32>()?));
        let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
        let row = KeyRow {
            id: timed_id(now)?,
            program: program.map_or("*", ProgramId::as_str).to_owned(),
            name: name.to_owned(),
            scopes: names.join(" "),
            created_at: now,
            revoked_at: None,
        };
        self.add_key(&row, &token_hash(&token)).await?;
        Ok(NewKey { id: row.id, token })
    }

    /// Revokes a bearer key. `false`: there is none of that id in force.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn revoke_key(&self, id: &str) -> Result<bool, StoreError> {
        self.end_key(id).await
    }

    /// All bearer keys, revoked ones too.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn list_keys(&self) -> Result<Vec<KeyInfo>, StoreError> {
        let rows = self.keys().await?;
        Ok(rows
            .into_iter()
            .map(|row| KeyInfo {
                id: row.id,
                program: row.program,
                name: row.name,
                scopes: row.scopes,
                created_at: clock::text(row.created_at),
                revoked_at: row.revoked_at.map(clock::text),
            })
            .collect())
    }
}

/// Finds out who a token belongs to, and remembers it for a moment.
pub(crate) struct Auth {
    keep: Duration,
    known: Mutex<HashMap<String, (Instant, KeyRow)>>,
}

/// How many keys are remembered; more are looked up each time.
const REMEMBERED: usize = 10_000;

impl Auth {
    pub(crate) fn new(keep: Duration) -> Self {
        Self {
            keep,
            known: Mutex::default(),
        }
    }

    /// The key behind a token, if it is in force.
    pub(crate) async fn key(
        &self,
        store: &Store,
        token: &str,
    ) -> Result<Option<KeyRow>, StoreError> {
        let hash = token_hash(token);
        if let Some(row) = self.remembered(&hash) {
            return Ok(Some(row));
        }
        let found = store.key_by_hash(&hash).await?;
        if let Some(row) = &found {
            self.remember(hash, row.clone());
        }
        Ok(found)
    }

    fn remembered(&self, hash: &str) -> Option<KeyRow> {
        let known = self.known.lock().ok()?;
        let (since, row) = known.get(hash)?;
        (since.elapsed() < self.keep).then(|| row.clone())
    }

    fn remember(&self, hash: String, row: KeyRow) {
        if let Ok(mut known) = self.known.lock() {
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(hash, (Instant::now(), row));
        }
    }
}
