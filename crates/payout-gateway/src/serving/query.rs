//! Query parameters: the known ones, each once, and no other.

use axum::extract::FromRequestParts;
use axum::extract::Query;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::problem::{Problem, ProblemKind};

/// The parameters that `T` describes.
pub(crate) struct Params<T>(pub(crate) T);

/// No parameter at all.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoQuery {}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Query::<T>::try_from_uri(&parts.uri)
            .map(|Query(parameters)| Self(parameters))
            .map_err(|error| ProblemKind::QueryInvalid.with(error.body_text()))
    }
}
