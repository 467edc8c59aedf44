//! What is known of a deployment.

use std::fmt;

use payout_keys::{ContractId, NetworkId, Recipient};

use super::brakes::Brakes;
use super::program::{Delegate, PendingOwner, Program};
use super::token::Token;
use crate::Moment;
use crate::journal::{Journal, JournalError};
use crate::ledger::Life;

/// The hash of a contract's code. Its text is hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeHash(pub [u8; 32]);

impl fmt::Display for CodeHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&hex::encode(self.0))
    }
}

/// What has to stay the same from the first payout of a journal on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pins {
    /// The network.
    pub network: NetworkId,
    /// The escrow.
    pub contract: ContractId,
    /// Its token.
    pub token: ContractId,
    /// Its code.
    pub code: CodeHash,
}

impl Pins {
    /// Pins all at the first use of `journal`; afterwards they have to be the same.
    ///
    /// # Errors
    /// [`JournalError::PinDiffers`] names the first that differs; or the journal cannot be written.
    pub fn hold(&self, journal: &mut Journal) -> Result<(), JournalError> {
        journal.pin("network", &self.network.to_string())?;
        journal.pin("contract", &self.contract.to_string())?;
        journal.pin("token", &self.token.to_string())?;
        journal.pin("code", &self.code.to_string())
    }
}

/// What the escrow has of its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    /// How much.
    pub balance: i128,
    /// Whether it may move it: an issuer can take that away.
    pub authorised: bool,
    /// How long the entry lives; `None` where there is none, or it is not known where it is.
    pub life: Option<Life>,
}

/// How long the contract lives without anybody's help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetimes {
    /// The instance's last ledger.
    pub instance: u32,
    /// The code's last ledger.
    pub code: u32,
}

/// The facts of a deployment, as of one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The network's passphrase.
    pub passphrase: String,
    /// The escrow.
    pub contract: ContractId,
    /// The hash of its code.
    pub code: CodeHash,
    /// The oldest ledger whose state was read, and when that closed if the node told.
    pub at: Moment,
    /// The program and its books.
    pub program: Program,
    /// What stops or slows payouts.
    pub brakes: Brakes,
    /// The admin.
    pub owner: Recipient,
    /// Who was proposed as the next one.
    pub pending_owner: Option<PendingOwner>,
    /// The delegate that was asked for, if it is one.
    pub delegate: Option<Delegate>,
    /// Most recipients of one payout.
    pub max_batch: u32,
    /// Lifetimes.
    pub lifetimes: Lifetimes,
    /// The token.
    pub token: Token,
    /// What the escrow has of it.
    pub holding: Holding,
}

impl Facts {
    /// What has to stay the same.
    #[must_use]
    pub fn pins(&self) -> Pins {
        Pins {
            network: NetworkId::from_passphrase(&self.passphrase),
            contract: self.contract,
            token: self.token.contract,
            code: self.code,
        }
    }

    /// What a payout can move now: the books and the balance have to cover it.
    #[must_use]
    pub fn payable(&self) -> i128 {
        self.program.remaining_balance.min(self.holding.balance)
    }
}
