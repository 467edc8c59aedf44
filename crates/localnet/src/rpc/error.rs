//! JSON-RPC errors.

use serde::Serialize;
use serde_json::Value;

/// An error as it goes over the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl RpcError {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The body is no JSON.
    pub(crate) fn parse() -> Self {
        Self::new(-32_700, "parse error: the request is not valid JSON")
    }

    /// No request, or a ledger or cursor outside the retained window.
    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(-32_600, message)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self {
            data: Some(Value::String(method.to_owned())),
            ..Self::new(-32_601, "method not found")
        }
    }

    /// A parameter that cannot be used.
    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32_602, message)
    }

    /// More work than one request may ask for.
    pub(crate) fn too_much() -> Self {
        Self::new(-32_001, "request exceeded processing limit threshold")
    }

    /// Something that is not the client's doing.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(-32_603, message)
    }
}
