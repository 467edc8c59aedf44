//! Who asks.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use payout_keys::ProgramId;

use super::keys::Scope;
use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::store::bearer::KeyRow;

/// A caller with a bearer key in force, within its rate.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) key: KeyRow,
}

/// The token of the one `Authorization` header.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim_start())
}

impl Caller {
    pub(crate) fn has(&self, scope: Scope) -> bool {
        self.key
            .scopes
            .split(' ')
            .any(|name| name.parse() == Ok(scope))
    }

    /// Whether this key is for that program.
    pub(crate) fn serves(&self, program: &str) -> bool {
        self.key.program == "*" || self.key.program == program
    }

    /// Refuses what this key may not do as if it was not there.
    pub(crate) fn may(&self, scope: Scope, program: &str) -> Result<(), Problem> {
        if self.has(scope) && self.serves(program) {
            Ok(())
        } else {
            Err(Problem::not_found())
        }
    }

    /// The programs it may look at: one that is asked for, its own, or all (`None`).
    pub(crate) fn within(
        &self,
        scope: Scope,
        asked: Option<&str>,
    ) -> Result<Option<String>, Problem> {
        if let Some(program) = asked {
            // A text that is no program's id is no program.
            ProgramId::new(program).map_err(|_| Problem::not_found())?;
            self.may(scope, program)?;
            return Ok(Some(program.to_owned()));
        }
        if !self.has(scope) {
            return Err(Problem::not_found());
        }
        Ok((self.key.program != "*").then(|| self.key.program.clone()))
    }

    /// As the audit log names it.
    pub(crate) fn actor(&self) -> String {
        format!("key:{}", self.key.id)
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let unauthorized =
            || ProblemKind::Unauthorized.with("The bearer key is missing, unknown or revoked.");
        let token = bearer(&parts.headers).ok_or_else(unauthorized)?;
        let key = app
            .auth
            .key(&app.store, token)
            .await?
            .ok_or_else(unauthorized)?;
        app.limits.take(&key.id).map_err(|wait| {
            ProblemKind::RateLimited
                .with("This bearer key has used up its requests for the moment.")
                .retry_after(wait.as_secs().saturating_add(1))
        })?;
        Ok(Self { key })
    }
}
