//! What happens to an obligation.

use std::fmt;

use super::envelope::{Signed, TxHash};
use super::policy::{Bid, Jitter};
use crate::escrow::contract_error;
use crate::record::{Moment, NodeId, View};

/// One event and the randomness that a wait after it is spread by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Input {
    /// What happened.
    pub event: Event,
    /// Drawn anew for each input.
    pub jitter: Jitter,
}

/// An answer from outside. Each belongs to an [`Effect`](super::Effect) unless it says otherwise.
/// One that comes late, twice or unasked does no harm.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    /// The key was looked up.
    Record(View),
    /// The node could not be read: lost connection, 5xx, nonsense.
    ReadFailed(String),
    /// The simulation succeeded.
    Simulated(Simulation),
    /// The simulation was answered with a refusal.
    SimulationRefused(Refusal),
    /// The simulation was not answered.
    SimulationFailed(String),
    /// From outside: the restores that were shown may be paid.
    Consented,
    /// The entry is durable.
    Stored,
    /// The entry is not stored: disk full, journal gone.
    StoreFailed(String),
    /// The envelope or the fee bump is signed. Nobody else has seen it.
    Signed(Signed),
    /// It could not be signed, and trying again will not help.
    SignFailed(String),
    /// The lane could not be read, whose next sequence number is needed. Trying again may help.
    LaneUnread(String),
    /// A node answered a sending.
    Answered(SendAnswer),
    /// Nobody answered, or not in a way that can be read. It may have been accepted.
    SendFailed(String),
    /// What a node knows by hash.
    Transaction {
        /// The hash that was asked for.
        hash: TxHash,
        /// What it says.
        fate: Fate,
    },
    /// What others bid of late.
    Fees(Bid),
    /// A wait is over.
    Timer,
    /// From outside: go on, with a higher ceiling for bids if one is given.
    Resume {
        /// The new ceiling.
        max_bid: Option<Bid>,
    },
    /// From outside: sign nothing any more, and find out whether it was paid.
    GiveUp,
    /// The landed transaction was found, by outer or inner hash or in the record's ledger.
    Receipt {
        /// Its hash.
        hash: TxHash,
        /// Its ledger.
        ledger: u32,
    },
}

/// What a simulation says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Simulation {
    /// The ledger it was simulated on: the node's clock, from which bounds are counted.
    pub at: Moment,
    /// Who was asked.
    pub node: NodeId,
    /// The simulated resource fee, in stroops.
    pub min_resource_fee: i64,
    /// How many archived entries it would restore.
    pub restores: u32,
    /// What others bid of late.
    pub market: Bid,
    /// What signing needs and the protocol does not read: footprint and authorisations.
    pub prepared: Prepared,
}

/// A simulation's result as it is handed on to the signer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Prepared {
    /// The footprint and resources, as XDR.
    pub transaction_data: Vec<u8>,
    /// The authorisation entries, as XDR.
    pub auth: Vec<Vec<u8>>,
}

/// Why a payout was refused before anything was signed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// The ledger it was simulated on. A refusal from before what is known counts for nothing.
    pub ledger: u32,
    /// The contract's error number, where it is the contract that refused.
    pub contract_error: Option<u32>,
    /// What the node said.
    pub text: String,
}

/// In one line: the contract's error by name, or the first line of what the node said.
impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.contract_error.and_then(contract_error) {
            Some(error) => write!(out, "contract error {error}"),
            None => out.write_str(self.text.lines().next().unwrap_or_default()),
        }
    }
}

/// A node's answer to a sending. None of them says whether anything was paid.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SendAnswer {
    /// Which one.
    pub status: SendStatus,
    /// The node's latest ledger.
    pub ledger: u32,
}

/// Each status that a node can answer with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SendStatus {
    /// Taken into the queue.
    Pending,
    /// Already in the queue.
    Duplicate,
    /// Not taken: the same bytes were applied or dropped of late, or another transaction of the
    /// account is in the queue.
    TryAgainLater,
    /// Refused.
    Refused {
        /// The result's code, as `txBAD_SEQ`.
        code: String,
        /// What kind of refusal it is.
        kind: RefusedKind,
    },
    /// A status that this program does not know.
    Other(String),
}

/// What a refused sending means for going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusedKind {
    /// The bid is too low; this one would do.
    Fee(Bid),
    /// It may pass when the ledger moves on, or be over: `txBAD_SEQ`, `txTOO_LATE` and the like.
    Passing,
    /// Something has to be put right first: `txBAD_AUTH`, `txNO_ACCOUNT`, `txMALFORMED`.
    Lasting,
}

/// What a node knows of a transaction by its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Nothing, which says nothing.
    NotFound,
    /// Included.
    Included {
        /// The ledger.
        ledger: u32,
        /// Whether it succeeded.
        succeeded: bool,
        /// What it cost, in stroops.
        fee_charged: i64,
    },
}

impl Fate {
    /// Whether it was included in this ledger and succeeded.
    #[must_use]
    pub fn succeeded_in(self, at: u32) -> bool {
        matches!(self, Self::Included { ledger, succeeded: true, .. } if ledger == at)
    }
}
