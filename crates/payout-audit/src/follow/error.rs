//! Why nodes gave nothing that can be used.

use payout_engine::rpc::RpcError;

use crate::archive::ArchiveError;

/// Why following ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// No node was named.
    #[error("no node is named; give --rpc-url")]
    NoNode,
    /// A node did not answer, again and again.
    #[error("node {node} gave no answer that can be used: {source}")]
    Unreachable {
        /// Its host.
        node: String,
        /// The last failure.
        source: RpcError,
    },
    /// A node contradicts itself or the protocol.
    #[error(
        "node {node} answered what cannot be: {why}. Do not trust it; nothing of that answer was kept"
    )]
    Lying {
        /// Its host.
        node: String,
        /// What it said.
        why: String,
    },
    /// No node is far enough.
    #[error(
        "no node has ledger {wanted}; the furthest is at {latest}. Ask one that is further; an archive that is \
         ahead of every node is of another chain, or they lag"
    )]
    Behind {
        /// What is wanted.
        wanted: u32,
        /// What there is.
        latest: u32,
    },
    /// A node of another network.
    #[error("node {node} is of network {found:?}, and the audit is of {asked:?}")]
    OtherNetwork {
        /// Its host.
        node: String,
        /// Its passphrase.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// The archive's past is not the node's.
    #[error(
        "history differs: ledger {ledger} has hash {archived} in the archive and {found} at node {node}. The archive \
         is of another chain, or one of the two is wrong; nothing was written"
    )]
    OtherHistory {
        /// The ledger.
        ledger: u32,
        /// By the archive.
        archived: String,
        /// By the node.
        found: String,
        /// Its host.
        node: String,
    },
    /// No such contract, or another one.
    #[error("contract {contract} cannot be audited: {why}")]
    Contract {
        /// The contract.
        contract: String,
        /// Why.
        why: String,
    },
    /// The archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}
