//! The books as the contract keeps and returns them.

use payout_keys::{ContractId, Recipient};
use stellar_xdr::ScVal;

use super::ModelError;
use super::value::{Fields, text};

/// Life of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the contract's")]
pub enum Status {
    Draft,
    Active,
    Closed,
}

/// `ProgramData`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the contract's")]
pub struct Program {
    pub program_id: String,
    pub token: ContractId,
    pub payout_key: Recipient,
    pub status: Status,
    pub locked: i128,
    pub paid: i128,
    pub withdrawn: i128,
    pub remaining: i128,
    pub payout_count: u64,
}

impl Program {
    /// Reads the struct.
    ///
    /// # Errors
    /// [`ModelError`], where it is another one.
    pub fn read(value: &ScVal) -> Result<Self, ModelError> {
        let fields = Fields::of(value)?;
        let token = match fields.address("token")? {
            Recipient::Contract(id) => ContractId(id),
            Recipient::Account(_) => {
                return Err(ModelError::Field("the token is no contract".to_owned()));
            }
        };
        let status = match fields.u32("status")? {
            0 => Status::Draft,
            1 => Status::Active,
            2 => Status::Closed,
            other => return Err(ModelError::Field(format!("status {other} is not known"))),
        };
        Ok(Self {
            program_id: fields.read("program_id", text)?.to_owned(),
            token,
            payout_key: fields.address("authorized_payout_key")?,
            status,
            locked: fields.integer("total_locked")?,
            paid: fields.integer("total_paid")?,
            withdrawn: fields.integer("total_withdrawn")?,
            remaining: fields.integer("remaining_balance")?,
            payout_count: fields.u64("payout_count")?,
        })
    }

    /// Whether the books add up.
    #[must_use]
    pub fn balanced(&self) -> bool {
        let parts = [self.paid, self.withdrawn, self.remaining];
        let sum = parts
            .into_iter()
            .try_fold(0_i128, i128::checked_add);
        sum == Some(self.locked) && parts.iter().all(|part| *part >= 0)
    }
}
