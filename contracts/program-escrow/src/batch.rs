//! What a batch may ask for, judged over all rows before the next rule.

use soroban_sdk::{Address, BytesN, Env, Vec, panic_with_error};

use crate::error::Error;

/// Most recipients of one payout.
///
/// One transaction may emit 16,384 bytes of events plus return value. With classic accounts, a
/// 12-letter asset, a 256-byte key and a 64-byte program id 60 recipients take 16,228 of them, and
/// 61 do not fit (`docs/costs.md`).
pub(crate) const MAX_SIZE: u32 = 60;

/// A batch that may be paid, as far as its rows tell.
pub(crate) struct Batch<'a> {
    pub(crate) recipients: &'a Vec<Address>,
    pub(crate) amounts: &'a Vec<i128>,
    largest: i128,
    total: Option<i128>,
}

impl<'a> Batch<'a> {
    /// # Errors
    /// In this order: [`Error::LengthMismatch`], [`Error::EmptyBatch`], [`Error::BatchTooLarge`],
    /// [`Error::InvalidAmount`], [`Error::DuplicateRecipient`], [`Error::InvalidRecipient`].
    pub(crate) fn check(
        env: &Env,
        token: &Address,
        recipients: &'a Vec<Address>,
        amounts: &'a Vec<i128>,
        references: Option<&Vec<BytesN<16>>>,
    ) -> Self {
        let size = recipients.len();
        if amounts.len() != size || references.is_some_and(|references| references.len() != size) {
            panic_with_error!(env, Error::LengthMismatch);
        }
        if size == 0 {
            panic_with_error!(env, Error::EmptyBatch);
        }
        if size > MAX_SIZE {
            panic_with_error!(env, Error::BatchTooLarge);
        }
        // The host does not look into a vector; reading an element checks its type.
        references.into_iter().flatten().for_each(drop);
        let mut largest = 0;
        let mut total = Some(0i128);
        for amount in amounts {
            if amount <= 0 {
                panic_with_error!(env, Error::InvalidAmount);
            }
            largest = amount.max(largest);
            total = total.and_then(|sum| sum.checked_add(amount));
        }
        for (row, recipient) in (0..).zip(recipients) {
            // The host compares; sixty rows in Wasm would cost more than the transfers' own share.
            if recipients.first_index_of(&recipient) != Some(row) {
                panic_with_error!(env, Error::DuplicateRecipient);
            }
        }
        if recipients.contains(env.current_contract_address()) || recipients.contains(token) {
            panic_with_error!(env, Error::InvalidRecipient);
        }
        Self {
            recipients,
            amounts,
            largest,
            total,
        }
    }

    /// The largest amount of a row.
    pub(crate) fn largest(&self) -> i128 {
        self.largest
    }

    /// The sum of all rows.
    ///
    /// # Errors
    /// [`Error::AmountOverflow`].
    pub(crate) fn total(&self, env: &Env) -> i128 {
        self.total
            .unwrap_or_else(|| panic_with_error!(env, Error::AmountOverflow))
    }
}
