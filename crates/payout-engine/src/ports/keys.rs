//! A signer with the keys in this process.

use payout_keys::{ContractId, NetworkId, Recipient};

use super::signer::{Signer, Unsigned};
use crate::envelope::{EnvelopeError, SecretKey, Signers, bump, intent_call, sign};
use crate::journal::Intent;
use crate::protocol::{BumpRequest, SignRequest, Signed};

/// The payout key, and the account that carries its transactions if that is another one.
#[derive(Debug)]
pub struct Keys {
    network: NetworkId,
    contract: ContractId,
    payout: SecretKey,
    lane: Option<SecretKey>,
}

impl Keys {
    /// Signs for `contract` with the payout key (or a delegate's). `lane` pays the fees and gives the
    /// sequence numbers; without one, the payout key does.
    #[must_use]
    pub fn new(
        network: NetworkId,
        contract: ContractId,
        payout: SecretKey,
        lane: Option<SecretKey>,
    ) -> Self {
        Self {
            network,
            contract,
            payout,
            lane,
        }
    }

    /// The payout key's address.
    #[must_use]
    pub fn caller(&self) -> Recipient {
        self.payout.address()
    }

    fn source(&self) -> &SecretKey {
        self.lane.as_ref().unwrap_or(&self.payout)
    }
}

fn unsigned(error: &EnvelopeError) -> Unsigned {
    Unsigned(error.to_string())
}

impl Signer for Keys {
    fn lane(&self) -> Recipient {
        self.source().address()
    }

    async fn sign(
        &mut self,
        intent: &Intent,
        request: &SignRequest,
        last: i64,
    ) -> Result<Signed, Unsigned> {
        let call = intent_call(self.contract, self.payout.address(), intent)
            .map_err(|error| unsigned(&error))?;
        let signers = Signers {
            source: self.source(),
            caller: self.lane.as_ref().map(|_| &self.payout),
        };
        sign(self.network, call, request, last, signers).map_err(|error| unsigned(&error))
    }

    async fn bump(&mut self, request: &BumpRequest) -> Result<Signed, Unsigned> {
        bump(self.network, request, self.source()).map_err(|error| unsigned(&error))
    }
}

/// A machine that may have no key: it reads, and signs nothing.
impl Signer for Option<Keys> {
    fn lane(&self) -> Recipient {
        // Nobody's account: what only reads needs none.
        self.as_ref()
            .map_or(Recipient::Account([0; 32]), Signer::lane)
    }

    async fn sign(
        &mut self,
        intent: &Intent,
        request: &SignRequest,
        last: i64,
    ) -> Result<Signed, Unsigned> {
        match self {
            Some(keys) => keys.sign(intent, request, last).await,
            None => Err(Unsigned("there is no key here".to_owned())),
        }
    }

    async fn bump(&mut self, request: &BumpRequest) -> Result<Signed, Unsigned> {
        match self {
            Some(keys) => keys.bump(request).await,
            None => Err(Unsigned("there is no key here".to_owned())),
        }
    }
}
