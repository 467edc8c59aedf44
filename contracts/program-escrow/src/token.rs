//! The only door to the token. Every call is caught, so that a failure inside the token never
//! surfaces as if it were one of ours, and only an exact answer counts as success.

use soroban_sdk::{Address, Env, panic_with_error, token::TokenClient};

use crate::error::Error;

/// The token, from this contract's point of view.
pub(crate) struct Token<'a> {
    env: &'a Env,
    client: TokenClient<'a>,
    here: Address,
}

impl<'a> Token<'a> {
    pub(crate) fn new(env: &'a Env, token: &Address) -> Self {
        Self {
            env,
            client: TokenClient::new(env, token),
            here: env.current_contract_address(),
        }
    }

    /// This contract's balance.
    ///
    /// # Errors
    /// [`Error::TokenTransferFailed`] when the token refuses or answers rubbish.
    pub(crate) fn balance(&self) -> i128 {
        match self.client.try_balance(&self.here) {
            Ok(Ok(balance)) => balance,
            _ => self.fail(),
        }
    }

    /// Sends from this contract.
    ///
    /// # Errors
    /// [`Error::TokenTransferFailed`].
    pub(crate) fn send(&self, to: &Address, amount: i128) {
        self.transfer(&self.here, to, amount);
    }

    /// Takes from an account that has authorised it.
    ///
    /// # Errors
    /// [`Error::TokenTransferFailed`].
    pub(crate) fn receive(&self, from: &Address, amount: i128) {
        self.transfer(from, &self.here, amount);
    }

    /// # Errors
    /// [`Error::TokenTransferFailed`] unless the balance fell by exactly `total` since `before`.
    pub(crate) fn require_spent(&self, before: i128, total: i128) {
        if before.checked_sub(self.balance()) != Some(total) {
            self.fail()
        }
    }

    fn transfer(&self, from: &Address, to: &Address, amount: i128) {
        match self.client.try_transfer(from, to, &amount) {
            Ok(Ok(())) => {}
            _ => self.fail(),
        }
    }

    fn fail(&self) -> ! {
        panic_with_error!(self.env, Error::TokenTransferFailed)
    }
}
