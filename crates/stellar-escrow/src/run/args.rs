//! Flags of a run.

use std::path::PathBuf;

use clap::Args;
use payout_keys::ContractId;

use crate::config::{ContractArgs, NetworkArgs, SourceArgs};

/// Milliseconds between two looks, where nothing else is said.
pub(crate) const POLL: u64 = 1_000;
/// The ceiling for bids, in stroops for each operation: 1 XLM.
pub(crate) const MAX_FEE: u32 = 10_000_000;
/// The ceiling for resources, in stroops: 50 XLM, more than 60 new contract balances cost.
pub(crate) const MAX_RESOURCE_FEE: i64 = 500_000_000;

/// How a run is read.
#[derive(Clone, Args)]
pub(crate) struct Reading {
    /// An ended run whose paid rows are skipped; name every one there was before; can be repeated
    #[arg(long, value_name = "RUN")]
    pub(crate) after: Vec<String>,
    /// Where journal and receipts are kept [default: payout-NAME beside the file]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Receipts of another machine, to explain what it paid; can be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) receipts: Vec<PathBuf>,
    /// Milliseconds between two looks at the network
    #[arg(long, value_name = "MS", default_value_t = POLL, value_parser = clap::value_parser!(u64).range(10..=60_000))]
    pub(crate) poll: u64,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    #[command(flatten)]
    pub(crate) contract: ContractArgs,
}

impl Reading {
    /// The same, of `contract` where no other one is named.
    pub(crate) fn at(&self, contract: ContractId) -> Self {
        Self {
            contract: self.contract.or(contract),
            ..self.clone()
        }
    }
}

/// Who signs, and what it may cost.
#[derive(Args)]
pub(crate) struct Signing {
    /// Another account that sends and pays the fees: an identity, `env:NAME` or `file:PATH`
    #[arg(long, value_name = "WHO")]
    pub(crate) lane: Option<String>,
    /// Most that is bid for inclusion, in stroops for each operation (a fee bump counts as two)
    #[arg(long, value_name = "STROOPS", default_value_t = MAX_FEE, value_parser = clap::value_parser!(u32).range(100..))]
    pub(crate) max_fee: u32,
    /// Most that one transaction's resources may cost, in stroops
    #[arg(long, value_name = "STROOPS", default_value_t = MAX_RESOURCE_FEE)]
    pub(crate) max_resource_fee: i64,
    /// Pay for restoring archived entries where it is needed
    #[arg(long)]
    pub(crate) restore: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

/// Which rows are offered.
#[derive(Args, Default)]
pub(crate) struct Offering {
    /// An id that is to be paid though it has wallet and amount of a paid one that is not in the
    /// file any more; can be repeated
    #[arg(long, value_name = "ID")]
    pub(crate) also: Vec<String>,
    /// A run that has paid ids of this file, by papers beside it: they are to be paid once more; can be
    /// repeated
    #[arg(long, value_name = "RUN")]
    pub(crate) again: Vec<String>,
    /// Most rows of a batch [default: as many as the contract takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_batch: Option<u32>,
    /// An id that may be paid though its wallet is a contract that nobody has deployed, or the
    /// asset's issuer; can be repeated
    #[arg(long, value_name = "ID")]
    pub(crate) allow: Vec<String>,
}
