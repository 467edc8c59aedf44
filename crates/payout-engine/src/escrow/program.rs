//! The program's entry, delegates, and a proposed owner.

use payout_keys::{ContractId, Recipient};
use stellar_xdr::ScVal;

use crate::ledger::Malformed;
use crate::ledger::value::Fields;

/// Where the program is in its life. It never goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProgramStatus {
    /// Funds are locked; nothing is paid yet.
    Draft,
    /// Funds are locked and paid.
    Active,
    /// What is left is withdrawn.
    Closed,
}

impl ProgramStatus {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "Draft",
            Self::Active => "Active",
            Self::Closed => "Closed",
        }
    }
}

/// The program and its books, in the token's smallest unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub program_id: String,
    /// The token's contract.
    pub token: ContractId,
    /// Who pays.
    pub payout_key: Recipient,
    /// Where it is in its life.
    pub status: ProgramStatus,
    /// All that was locked.
    pub total_locked: i128,
    /// All that was paid.
    pub total_paid: i128,
    /// All that was withdrawn.
    pub total_withdrawn: i128,
    /// What is left to pay or withdraw.
    pub remaining_balance: i128,
    /// How many payouts there were.
    pub payout_count: u64,
}

impl Program {
    /// The program in a stored or returned value.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn parse(value: &ScVal) -> Result<Self, Malformed> {
        let what = "the program's entry";
        let fields = Fields::of(what, value)?;
        let wrong = |field| Malformed { what, field };
        let Recipient::Contract(token) = fields.get("token")? else {
            return Err(wrong("token"));
        };
        let status = match fields.get::<u32>("status")? {
            0 => ProgramStatus::Draft,
            1 => ProgramStatus::Active,
            2 => ProgramStatus::Closed,
            _ => return Err(wrong("status")),
        };
        Ok(Self {
            program_id: fields.get("program_id")?,
            token: ContractId(token),
            payout_key: fields.get("authorized_payout_key")?,
            status,
            total_locked: fields.get("total_locked")?,
            total_paid: fields.get("total_paid")?,
            total_withdrawn: fields.get("total_withdrawn")?,
            remaining_balance: fields.get("remaining_balance")?,
            payout_count: fields.get("payout_count")?,
        })
    }
}

/// Who may pay beside the payout key, up to an allowance and until a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delegate {
    /// The delegate.
    pub address: Recipient,
    /// What it may still pay.
    pub allowance: i128,
    /// The Unix second at which it ends.
    pub expires_at: u64,
}

impl Delegate {
    pub(super) fn parse(address: Recipient, value: &ScVal) -> Result<Self, Malformed> {
        let fields = Fields::of("the delegate's entry", value)?;
        Ok(Self {
            address,
            allowance: fields.get("allowance")?,
            expires_at: fields.get("expires_at")?,
        })
    }
}

/// Who was proposed as the owner and has not accepted yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingOwner {
    /// The proposed owner.
    pub address: Recipient,
    /// The last ledger in which it may accept.
    pub live_until_ledger: u32,
}

impl PendingOwner {
    pub(super) fn parse(value: &ScVal) -> Result<Self, Malformed> {
        let fields = Fields::of("the proposed owner's entry", value)?;
        Ok(Self {
            address: fields.get("address")?,
            live_until_ledger: fields.get("live_until_ledger")?,
        })
    }
}
