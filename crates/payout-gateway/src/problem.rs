//! Refusals, as `application/problem+json` with a type that a program can act on.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Every refusal there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    /// No bearer key, or one that is not known or revoked.
    Unauthorized,
    /// What is asked for is not there, or not for this bearer key.
    NotFound,
    /// The path is known, the method is not.
    MethodNotAllowed,
    /// The header `Idempotency-Key` is missing.
    KeyMissing,
    /// The header is there more than once, or its value is no key.
    KeyInvalid,
    /// The key was used for something else.
    KeyReused,
    /// The body is not JSON as described.
    BodyInvalid,
    /// The body is well-formed and cannot be paid.
    PayoutInvalid,
    /// A query parameter is unknown, twice there, or cannot be read.
    QueryInvalid,
    /// The content type or encoding is not taken.
    MediaType,
    /// The body is too large.
    TooLarge,
    /// The order's state does not allow it.
    StateForbids,
    /// The evidence does not show what it should.
    EvidenceInvalid,
    /// Too many requests under this bearer key.
    RateLimited,
    /// The chain has not been read yet, and this needs it.
    NotReady,
    /// A database or another part failed. Nothing was decided.
    Internal,
}

impl ProblemKind {
    /// All of them.
    pub(crate) const ALL: [Self; 16] = [
        Self::Unauthorized,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::KeyMissing,
        Self::KeyInvalid,
        Self::KeyReused,
        Self::BodyInvalid,
        Self::PayoutInvalid,
        Self::QueryInvalid,
        Self::MediaType,
        Self::TooLarge,
        Self::StateForbids,
        Self::EvidenceInvalid,
        Self::RateLimited,
        Self::NotReady,
        Self::Internal,
    ];

    /// Its name, the last part of the type's address.
    pub(crate) fn name(self) -> &'static str {
        self.facts().0
    }

    /// Its HTTP status.
    pub(crate) fn status(self) -> StatusCode {
        self.facts().1
    }

    /// In a few words.
    pub(crate) fn title(self) -> &'static str {
        self.facts().2
    }

    /// What the caller does next.
    pub(crate) fn next(self) -> &'static str {
        self.facts().3
    }

    fn facts(self) -> (&'static str, StatusCode, &'static str, &'static str) {
        match self {
            Self::Unauthorized => (
                "unauthorized",
                StatusCode::UNAUTHORIZED,
                "A bearer key is needed",
                "send `Authorization: Bearer …` with a key that is not revoked",
            ),
            Self::NotFound => (
                "not-found",
                StatusCode::NOT_FOUND,
                "Not there, or not for this bearer key",
                "check program, id and the key's scopes",
            ),
            Self::MethodNotAllowed => (
                "method-not-allowed",
                StatusCode::METHOD_NOT_ALLOWED,
                "This path has no such method",
                "use a method of the OpenAPI document",
            ),
            Self::KeyMissing => (
                "idempotency-key-missing",
                StatusCode::BAD_REQUEST,
                "The header Idempotency-Key is missing",
                "make a key, store it, send it with this and every repeated request",
            ),
            Self::KeyInvalid => (
                "idempotency-key-invalid",
                StatusCode::BAD_REQUEST,
                "The header Idempotency-Key is not one key",
                "send one header with 1 to 256 printable ASCII characters without blanks",
            ),
            Self::KeyReused => (
                "idempotency-key-reused",
                StatusCode::CONFLICT,
                "The key was used for another request",
                "find out which request is right; do not send this one under a fresh key before",
            ),
            Self::BodyInvalid => (
                "body-invalid",
                StatusCode::BAD_REQUEST,
                "The body cannot be read",
                "send the JSON that the OpenAPI document describes; amounts are strings",
            ),
            Self::PayoutInvalid => (
                "payout-invalid",
                StatusCode::UNPROCESSABLE_ENTITY,
                "This cannot be paid",
                "put right what `detail` names; the key is still unused",
            ),
            Self::QueryInvalid => (
                "query-invalid",
                StatusCode::BAD_REQUEST,
                "A query parameter is not known or cannot be read",
                "use the parameters of the OpenAPI document, each once",
            ),
            Self::MediaType => (
                "media-type",
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Only uncompressed application/json is taken",
                "send `Content-Type: application/json` and no Content-Encoding",
            ),
            Self::TooLarge => (
                "body-too-large",
                StatusCode::PAYLOAD_TOO_LARGE,
                "The body is too large",
                "split the payout",
            ),
            Self::StateForbids => (
                "state-forbids",
                StatusCode::CONFLICT,
                "The order's state does not allow this",
                "read the order; its state says what can be done",
            ),
            Self::EvidenceInvalid => (
                "refund-evidence-invalid",
                StatusCode::UNPROCESSABLE_ENTITY,
                "The transactions do not show the refund",
                "name the transfers back and the locks that put them into the contract",
            ),
            Self::RateLimited => (
                "rate-limited",
                StatusCode::TOO_MANY_REQUESTS,
                "Too many requests under this bearer key",
                "wait as `Retry-After` says, then send the same again",
            ),
            Self::NotReady => (
                "not-ready",
                StatusCode::SERVICE_UNAVAILABLE,
                "The chain has not been read yet",
                "send the same again later",
            ),
            Self::Internal => (
                "internal",
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something failed here",
                "send the same again under the same key; nothing is paid twice",
            ),
        }
    }

    /// A refusal of this kind.
    pub(crate) fn with(self, detail: impl Into<String>) -> Problem {
        Problem {
            kind: self,
            detail: detail.into(),
            members: Map::new(),
            retry_after: None,
        }
    }
}

/// A refusal.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) kind: ProblemKind,
    pub(crate) detail: String,
    members: Map<String, Value>,
    retry_after: Option<u64>,
}

impl Problem {
    /// Something is not there, or not for the asker: one answer for both.
    pub(crate) fn not_found() -> Self {
        ProblemKind::NotFound.with("There is nothing here for this bearer key.")
    }

    /// With a member of its own.
    pub(crate) fn member(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// With `Retry-After` in seconds.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    fn body(&self) -> Value {
        let mut body = self.members.clone();
        body.insert("type".into(), json!(type_uri(self.kind)));
        body.insert("title".into(), json!(self.kind.title()));
        body.insert("status".into(), json!(self.kind.status().as_u16()));
        body.insert("code".into(), json!(self.kind.name()));
        body.insert("detail".into(), json!(self.detail));
        Value::Object(body)
    }
}

impl<E: Into<crate::store::StoreError>> From<E> for Problem {
    fn from(error: E) -> Self {
        let error = error.into();
        tracing::error!(%error, "the store failed");
        ProblemKind::Internal
            .with("The database could not be read or written. Nothing was decided.")
            .retry_after(1)
    }
}

/// The type's address, relative to the gateway.
pub(crate) fn type_uri(kind: ProblemKind) -> String {
    format!("/problems/{}", kind.name())
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.kind.status(), self.body().to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.kind == ProblemKind::Unauthorized {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// A refusal, as the `OpenAPI` document describes it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Problem)]
#[allow(dead_code, reason = "it describes what `Problem` writes")]
pub(crate) struct ProblemBody {
    /// Address of the type, relative to the gateway: `/problems/…`.
    r#type: String,
    /// The type in a few words.
    title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// The type's name.
    code: String,
    /// What was wrong here, and with which value.
    detail: String,
    /// With `idempotency-key-reused`: the fingerprint of the request that used the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_fingerprint: Option<String>,
    /// With `idempotency-key-reused`: the fingerprint of this request.
    #[serde(skip_serializing_if = "Option::is_none")]
    presented_fingerprint: Option<String>,
    /// With `state-forbids`: where the order stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

/// How a request that reads may be refused, as the `OpenAPI` document describes it.
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "it describes what `Problem` writes")]
pub(crate) enum Unread {
    /// Refused
    #[response(status = "4XX", content_type = "application/problem+json")]
    Refused(ProblemBody),
    /// Could not be read
    #[response(status = "5XX", content_type = "application/problem+json")]
    Failed(ProblemBody),
}

/// How a request that changes something may be refused, as the `OpenAPI` document describes it.
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "it describes what `Problem` writes")]
pub(crate) enum Undecided {
    /// Refused; the key is unused
    #[response(status = "4XX", content_type = "application/problem+json")]
    Refused(ProblemBody),
    /// Nothing was decided
    #[response(status = "5XX", content_type = "application/problem+json")]
    Failed(ProblemBody),
}

/// The refusals as a table for documents.
#[must_use]
pub fn problem_table() -> String {
    let rows: Vec<String> = ProblemKind::ALL
        .iter()
        .map(|kind| {
            format!(
                "| {} | `{}` | {} | {} |\n",
                kind.status().as_u16(),
                kind.name(),
                kind.title(),
                kind.next()
            )
        })
        .collect();
    format!(
        "| Status | Type | Meaning | The caller |\n| --- | --- | --- | --- |\n{}",
        rows.concat()
    )
}
