//! Logging in with a bearer key. The browser gets a session's token, never the key.

use axum::Form;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use maud::html;
use serde::Deserialize;

use super::layout::{PageProblem, whole};
use crate::auth::{Caller, Scope, token_hash};
use crate::clock;
use crate::http::App;
use crate::ids::random;
use crate::problem::{Problem, ProblemKind};
use crate::serving::{NoQuery, Params};

const NAME: &str = "gateway_session";
const HOURS: i64 = 8;

/// Somebody who is logged in, with a key that may operate.
pub(super) struct Operator(pub(super) Caller);

impl Operator {
    /// The program that its pages are about; `None` for all.
    pub(super) fn program(&self) -> Option<String> {
        let program = &self.0.key.program;
        (program != "*").then(|| program.clone())
    }
}

fn token(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == NAME)
        .map(|(_, value)| value)
}

impl FromRequestParts<App> for Operator {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let to_login = || Redirect::to("/operator/login").into_response();
        let token = token(&parts.headers).ok_or_else(to_login)?;
        let key = app
            .store
            .key_by_session(&token_hash(token))
            .await
            .map_err(|error| PageProblem::from(error).into_response())?
            .ok_or_else(to_login)?;
        Ok(Self(Caller { key }))
    }
}

/// Asks for a key.
pub(super) async fn form(Params(NoQuery {}): Params<NoQuery>) -> Response {
    ask(None)
}

fn ask(wrong: Option<&str>) -> Response {
    let content = html! {
        @if let Some(wrong) = wrong { p.alert role="alert" { (wrong) } }
        form.filter method="post" action="/operator/login" {
            label { "Bearer key with the scope operate"
                input type="password" name="key" required autocomplete="current-password";
            }
            button { "Log in" }
        }
    };
    whole("Log in", &html! {}, &content)
}

/// What the form sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    key: String,
}

/// Begins a session.
pub(super) async fn log_in(
    State(app): State<App>,
    headers: HeaderMap,
    Form(login): Form<Login>,
) -> Result<Response, PageProblem> {
    // One bucket for all who have no key yet: guessing is slow from wherever it comes.
    if app.limits.take("login").is_err() {
        return Err(PageProblem::from(
            ProblemKind::RateLimited.with("Too many logins at the moment."),
        ));
    }
    let key = app.auth.key(&app.store, login.key.trim()).await?;
    let Some(key) = key.filter(|key| Caller { key: key.clone() }.has(Scope::Operate)) else {
        let mut response = ask(Some("This is no key that may operate."));
        *response.status_mut() = StatusCode::FORBIDDEN;
        return Ok(response);
    };
    let token = URL_SAFE_NO_PAD.encode(
        random::<32>().map_err(|error| Problem::from(crate::store::StoreError::from(error)))?,
    );
    let until = clock::now().saturating_add(HOURS * 3_600_000);
    app.store
        .add_session(&token_hash(&token), &key.id, until)
        .await?;
    let secure = headers
        .get("x-forwarded-proto")
        .is_some_and(|scheme| scheme.as_bytes() == b"https");
    let cookie = format!(
        "{NAME}={token}; Path=/operator; HttpOnly; SameSite=Strict; Max-Age={}{}",
        HOURS * 3_600,
        if secure { "; Secure" } else { "" }
    );
    Ok((
        [(header::SET_COOKIE, cookie)],
        Redirect::to("/operator/payouts"),
    )
        .into_response())
}

/// Ends a session.
pub(super) async fn log_out(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, PageProblem> {
    if let Some(token) = token(&headers) {
        app.store.end_session(&token_hash(token)).await?;
    }
    let cookie = format!("{NAME}=; Path=/operator; HttpOnly; SameSite=Strict; Max-Age=0");
    Ok((
        [(header::SET_COOKIE, cookie)],
        Redirect::to("/operator/login"),
    )
        .into_response())
}
