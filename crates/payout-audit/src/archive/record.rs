//! What a line of the archive says. Texts are borrowed from the line.

use serde::{Deserialize, Serialize};

/// A record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Record<'a> {
    /// The first one: what the archive is of.
    #[serde(borrow)]
    Opened(Opened<'a>),
    /// Ledgers that were read, with everything in them.
    #[serde(borrow)]
    Page(Page<'a>),
    /// Ledgers that no node could give.
    Gap(Gap),
}

/// What an archive is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened<'a> {
    /// The form of the records.
    pub format: u32,
    /// The network's id, hexadecimal.
    pub network: &'a str,
    /// The contract.
    pub contract: &'a str,
    /// Its token.
    pub token: &'a str,
}

impl Opened<'_> {
    /// The form that is written here.
    pub const FORMAT: u32 = 1;
}

/// Ledgers `from` to `to`, read whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page<'a> {
    /// The first.
    pub from: u32,
    /// The last.
    pub to: u32,
    /// The node's latest ledger when it was read.
    pub latest: u32,
    /// The node: its host alone.
    pub node: &'a str,
    /// The hash of ledger `to`, hexadecimal; empty where the node did not give it.
    pub ledger_hash: &'a str,
    /// Transactions with events that concern the contract, in order.
    #[serde(borrow)]
    pub transactions: Vec<RawTx<'a>>,
}

/// Ledgers that no node could give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The first.
    pub from: u32,
    /// The last.
    pub to: u32,
}

/// A transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTx<'a> {
    /// Its hash, hexadecimal.
    pub hash: &'a str,
    /// Its ledger.
    pub ledger: u32,
    /// When that closed.
    pub closed: &'a str,
    /// Its own words, where a node gave them.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<RawEvidence<'a>>,
    /// Its events, in order.
    #[serde(borrow)]
    pub events: Vec<RawEvent<'a>>,
}

/// What a transaction itself says, in base64 XDR.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawEvidence<'a> {
    /// `TransactionEnvelope`.
    pub envelope: &'a str,
    /// `TransactionResult`.
    pub result: &'a str,
    /// `ScVal`.
    pub returned: &'a str,
    /// Events of others in the transaction, each a `ContractEvent` with its index.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<(u32, &'a str)>,
}

/// An event, as the node gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawEvent<'a> {
    /// Its id.
    pub id: &'a str,
    /// Who emitted it.
    pub contract: &'a str,
    /// Whether it is the host's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub system: bool,
    /// Its topics, each an `ScVal` in base64.
    #[serde(borrow)]
    pub topics: Vec<&'a str>,
    /// Its data, an `ScVal` in base64.
    pub value: &'a str,
}
