//! The network's nodes. An address may have a key in it, so none is shown; a header is never in the
//! file, only where it is.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};

use super::ConfigError;

/// The network.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// Nodes that speak Stellar RPC. A final "not paid" needs two that different people run.
    pub rpc: Vec<NodeConfig>,
    /// The network's passphrase.
    pub passphrase: String,
}

/// A node: its address alone, or `{ url, headers }`.
#[derive(Clone)]
pub struct NodeConfig {
    /// Its address.
    pub url: String,
    /// Where the headers are that it wants with each call, an API key for example.
    pub headers: Option<HeadersRef>,
}

impl From<String> for NodeConfig {
    fn from(url: String) -> Self {
        Self { url, headers: None }
    }
}

impl fmt::Debug for NodeConfig {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("NodeConfig")
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

/// Where headers are, one a line as `NAME:VALUE`: `env:NAME` or `file:PATH`. They are read at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadersRef(String);

impl HeadersRef {
    /// The text, which is no secret itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Checks that `text` is not a header by mistake.
    ///
    /// # Errors
    /// [`ConfigError::Headers`].
    pub fn new(text: &str) -> Result<Self, ConfigError> {
        let place = text.strip_prefix("env:").or(text.strip_prefix("file:"));
        match place.filter(|place| !place.is_empty()) {
            Some(_) => Ok(Self(text.to_owned())),
            None => Err(ConfigError::Headers),
        }
    }
}

impl<'de> Deserialize<'de> for HeadersRef {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::new(&text).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for NodeConfig {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AddressOrTable)
    }
}

struct AddressOrTable;

/// A node as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    url: String,
    #[serde(default)]
    headers: Option<HeadersRef>,
}

impl<'de> Visitor<'de> for AddressOrTable {
    type Value = NodeConfig;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a node's address, or { url, headers }")
    }

    fn visit_str<E>(self, url: &str) -> Result<NodeConfig, E> {
        Ok(url.to_owned().into())
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<NodeConfig, A::Error> {
        let Table { url, headers } = Table::deserialize(MapAccessDeserializer::new(table))?;
        Ok(NodeConfig { url, headers })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    fn nodes(rpc: &str) -> Result<Vec<NodeConfig>, ConfigError> {
        let text = format!("[network]\nrpc = {rpc}\npassphrase = \"p\"");
        Ok(Config::from_toml(&text)?
            .network
            .map(|network| network.rpc)
            .unwrap_or_default())
    }

    #[test]
    fn a_node_is_an_address_or_a_table() {
        let nodes = nodes(
            r#"["https://one.example", { url = "https://two.example", headers = "env:TWO" }]"#,
        )
        .expect("two nodes");
        let read: Vec<_> = nodes
            .iter()
            .map(|node| {
                (
                    node.url.as_str(),
                    node.headers.as_ref().map(HeadersRef::as_str),
                )
            })
            .collect();
        assert_eq!(
            read,
            [
                ("https://one.example", None),
                ("https://two.example", Some("env:TWO"))
            ]
        );
        let shown = format!("{nodes:?}");
        assert!(
            shown.contains("env:TWO") && !shown.contains("example"),
            "{shown}"
        );
    }

    #[test]
    fn a_header_in_the_file_is_refused_and_not_repeated() {
        for header in ["X-Api-Key: 1234", "x-api-key:1234", "1234", "env:", "file:"] {
            let rpc = format!("[{{ url = \"https://one.example\", headers = \"{header}\" }}]");
            let said = nodes(&rpc).expect_err("a header in the file").to_string();
            assert!(said.contains("env:NAME or file:PATH"), "{said}");
            assert!(!said.contains("1234"), "{said}");
        }
        let slip = r#"[{ url = "https://one.example", header = "env:A" }]"#;
        let said = nodes(slip).expect_err("a slip of the hand").to_string();
        assert!(said.contains("unknown field `header`"), "{said}");
    }
}
