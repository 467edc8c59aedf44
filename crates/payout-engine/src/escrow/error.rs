//! Why the facts of a deployment cannot be had.

use payout_keys::ContractId;

use crate::ledger::Malformed;
use crate::rpc::RpcError;

/// A part of a deployment that may be archived or missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The contract's instance.
    Instance,
    /// The contract's code.
    Code,
}

impl std::fmt::Display for Part {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Instance => "instance",
            Self::Code => "code",
        })
    }
}

/// Why there are no facts. Nothing was signed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EscrowError {
    /// No usable answer.
    #[error(transparent)]
    Rpc(#[from] RpcError),
    /// The node serves another network.
    #[error(
        "the node serves the network {found:?}, and {expected:?} was asked for; use a node of that \
         network, or name the other one"
    )]
    WrongNetwork {
        /// The passphrase that was asked for.
        expected: String,
        /// The node's.
        found: String,
    },
    /// No such contract on this network.
    #[error(
        "there is no contract {contract} on this network (as of ledger {ledger}); check address \
         and network"
    )]
    NotFound {
        /// The contract.
        contract: ContractId,
        /// The ledger that was read.
        ledger: u32,
    },
    /// The contract's life is over until somebody restores it.
    #[error(
        "the {part} of contract {contract} is archived (as of ledger {ledger}); nothing is lost: \
         restore it, then extend its life"
    )]
    Archived {
        /// Which part.
        part: Part,
        /// The contract.
        contract: ContractId,
        /// The ledger that was read.
        ledger: u32,
    },
    /// A contract of something else.
    #[error("contract {contract} is not a program escrow: {why}; check the address")]
    NotAnEscrow {
        /// The contract.
        contract: ContractId,
        /// What it is or lacks.
        why: &'static str,
    },
    /// An escrow of the earlier layout, upgraded and not migrated.
    #[error(
        "contract {contract} still has the program of the earlier layout; its admin has to call \
         migrate_legacy"
    )]
    NotMigrated {
        /// The contract.
        contract: ContractId,
    },
    /// The token's contract is not there.
    #[error("the program's token {token} is no contract on this network")]
    TokenNotFound {
        /// The token.
        token: ContractId,
    },
    /// A token whose amounts cannot be scaled.
    #[error("the token {token} has {decimals} decimals; up to {most} can be counted in 128 bits")]
    TokenPrecision {
        /// The token.
        token: ContractId,
        /// What it says.
        decimals: u32,
        /// The most that can be handled.
        most: u32,
    },
    /// A view that was refused.
    #[error("{contract} refuses {function}: {error}")]
    ViewRefused {
        /// The contract.
        contract: ContractId,
        /// The view.
        function: &'static str,
        /// The node's text, cut short.
        error: String,
    },
    /// An entry or a returned value that is not what it should be.
    #[error(transparent)]
    Malformed(#[from] Malformed),
}
