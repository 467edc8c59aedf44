//! What happened, in the terms of docs/events.md.

use payout_keys::{ContractId, Fingerprint, Recipient};

use super::EventId;

/// Who emitted an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emitter {
    /// The contract under audit.
    Escrow,
    /// Its token.
    Token,
    /// Somebody else, who has no place in an archive.
    Other(ContractId),
}

/// One event.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its place.
    pub id: EventId,
    /// Who emitted it.
    pub emitter: Emitter,
    /// What it says.
    pub body: Body,
    /// Its XDR, as the transaction's result commits to it.
    pub xdr: Vec<u8>,
}

/// What an event says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// `BatchPay` or `Payout`.
    Paid(Paid),
    /// `BatPayRp` or `IdmReplay`.
    Replayed {
        /// The key.
        key: String,
        /// Who called.
        caller: Recipient,
    },
    /// `IdmConfl`.
    Conflict {
        /// The key.
        key: String,
        /// What was paid.
        recorded: Fingerprint,
        /// What was asked.
        presented: Fingerprint,
    },
    /// `IdmVoid`.
    Voided {
        /// The key.
        key: String,
        /// Who called.
        caller: Recipient,
    },
    /// `IdmImport`.
    Imported {
        /// The key.
        key: String,
    },
    /// `FundLock` or `Surplus`.
    Credited {
        /// Whether tokens came with it (`FundLock`).
        moved: bool,
        /// How much.
        amount: i128,
        /// What the books say afterwards.
        remaining: i128,
    },
    /// `Withdraw`.
    Withdrawn {
        /// Who got it.
        to: Recipient,
        /// What left.
        amount: i128,
        /// What of it stood in the books.
        counted: i128,
        /// What the books say afterwards.
        remaining: i128,
    },
    /// `MigProg`: the books begin anew.
    Migrated {
        /// What the books begin with.
        remaining: i128,
    },
    /// The code was changed.
    Upgraded {
        /// The new code's hash, where it is a Wasm.
        to: Option<[u8; 32]>,
    },
    /// Roles, brakes and life: listed, with no money in it.
    Control {
        /// The event's name.
        name: String,
        /// What it says, for people.
        text: String,
    },
    /// The token moved to or from the contract.
    Moved(Moved),
    /// An event of the token that moves nothing: an authorisation.
    TokenControl {
        /// What it says.
        text: String,
    },
    /// Not what the contract or a token emits.
    Unread {
        /// Why not.
        why: String,
    },
}

/// A payout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paid {
    /// The key.
    pub key: String,
    /// Who called.
    pub caller: Recipient,
    /// How many recipients.
    pub count: u32,
    /// The sum.
    pub total: i128,
    /// What the books say afterwards.
    pub remaining: i128,
    /// The recipient, where the event names it (`Payout`).
    pub single: Option<Recipient>,
}

/// How tokens moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// From one to another.
    Transfer,
    /// From the issuer.
    Mint,
    /// To the issuer.
    Burn,
    /// Taken by the issuer.
    Clawback,
}

/// Tokens moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// How.
    pub how: How,
    /// From whom; the asset's issuer where it is a mint.
    pub from: Option<Recipient>,
    /// To whom; the asset's issuer where it is a burn or a clawback.
    pub to: Option<Recipient>,
    /// How much.
    pub amount: i128,
}
