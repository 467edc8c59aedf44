//! Parameters: missing, `null` and `{}` are the same; unknown fields are ignored.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::RpcError;

/// Reads the parameters of a method.
pub(super) fn read<T: DeserializeOwned + Default>(params: &Value) -> Result<T, RpcError> {
    match params {
        Value::Null => Ok(T::default()),
        Value::Object(_) => T::deserialize(params)
            .map_err(|error| RpcError::invalid_params(format!("invalid parameters: {error}"))),
        _ => Err(RpcError::invalid_params(
            "invalid parameters: they must be one object with named fields",
        )),
    }
}

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Base64,
    Json,
}

/// Reads `xdrFormat`.
pub(super) fn format(text: Option<&str>) -> Result<Format, RpcError> {
    match text {
        None | Some("" | "base64") => Ok(Format::Base64),
        Some("json") => Ok(Format::Json),
        Some(other) => Err(RpcError::invalid_params(format!(
            "got '{other}': expected base64, json for optional 'xdrFormat'"
        ))),
    }
}

/// `pagination` of lists.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Pagination {
    #[serde(default)]
    pub(super) cursor: Option<String>,
    #[serde(default)]
    pub(super) limit: Option<u64>,
}

impl Pagination {
    /// The page size: `default` where none or 0 is asked for.
    pub(super) fn limit(&self, default: usize, most: usize) -> Result<usize, RpcError> {
        let limit = match self.limit {
            None | Some(0) => return Ok(default),
            Some(limit) => usize::try_from(limit).unwrap_or(usize::MAX),
        };
        if limit > most {
            return Err(RpcError::invalid_params(format!(
                "limit must not exceed {most}"
            )));
        }
        Ok(limit)
    }

    /// The cursor; an empty one is none.
    pub(super) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref().filter(|cursor| !cursor.is_empty())
    }
}
