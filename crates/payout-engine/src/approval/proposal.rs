//! The offer itself.

use payout_keys::{ContractId, IdempotencyKey, NetworkId, Recipient, RowId};
use stellar_xdr::{
    DecoratedSignature, InvokeContractArgs, InvokeHostFunctionOp, Limits, OperationBody,
    Preconditions, ReadXdr, ScVal, SorobanAddressCredentials, SorobanAuthorizationEntry,
    SorobanCredentials, SorobanTransactionData, Transaction, TransactionExt, WriteXdr,
};

use super::error::ApprovalError;
use crate::Payout;
use crate::envelope::{EnvelopeError, charge, envelope, payout_call, transaction_hash, unsigned};
use crate::escrow::CodeHash;
use crate::journal::Intent;
use crate::protocol::{Bid, Bounds, SignRequest, Signed, TxHash};
use crate::rpc::LIMITS;
use crate::run::Place;

/// What is offered, where, and in whose name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The network's passphrase.
    pub passphrase: String,
    /// The hash of the contract's code.
    pub code: CodeHash,
    /// The token.
    pub token: ContractId,
    /// Network, contract, program and run.
    pub place: Place,
    /// The slot.
    pub slot: u32,
    /// The payout key, or a delegate.
    pub caller: Recipient,
    /// The rows' ids, in the order of the lines.
    pub ids: Vec<RowId>,
    /// The lines.
    pub payout: Payout,
}

impl Terms {
    /// The key.
    #[must_use]
    pub fn key(&self) -> IdempotencyKey {
        self.place.key(self.slot)
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> NetworkId {
        self.place.at.network
    }

    /// What a journal has of it.
    #[must_use]
    pub fn intent(&self) -> Intent {
        Intent {
            key: self.key(),
            payout: Some(self.payout.clone()),
            slot: Some((self.place.run.clone(), self.slot)),
        }
    }

    pub(super) fn call(&self) -> Result<InvokeContractArgs, EnvelopeError> {
        let contract = self.place.at.contract;
        payout_call(contract, self.caller, &self.key(), &self.payout)
    }
}

/// An offer with the envelope that carries it, and the signatures that it has so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub(super) terms: Terms,
    /// The authorisation is complete, and the envelope will not change any more.
    pub(super) authorised: bool,
    pub(super) transaction: Transaction,
    pub(super) signatures: Vec<DecoratedSignature>,
}

impl Proposal {
    /// The offer that `request` asks for, from the account `source` with the sequence number after
    /// `last`. Nothing of it is signed.
    ///
    /// # Errors
    /// [`ApprovalError`], also where the simulation asks for more than the payout.
    pub fn build(
        terms: Terms,
        source: Recipient,
        last: i64,
        request: &SignRequest,
    ) -> Result<Self, ApprovalError> {
        let sequence = last.checked_add(1).ok_or(EnvelopeError::SequenceEnd)?;
        let entry = |xdr: &Vec<u8>| {
            let mut entry = SorobanAuthorizationEntry::from_xdr(xdr, LIMITS)?;
            if let SorobanCredentials::Address(credentials) = &mut entry.credentials {
                credentials.signature_expiration_ledger = request.bounds.max_ledger;
            }
            Ok(entry)
        };
        let entries = request.prepared.auth.iter().map(entry);
        let entries = entries
            .collect::<Result<Vec<_>, stellar_xdr::Error>>()
            .map_err(EnvelopeError::xdr("an authorisation"))?;
        let transaction = unsigned(source, sequence, terms.call()?, entries, request)?;
        Self::checked(terms, false, transaction, Vec::new())
    }

    /// What is offered.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The account that sends it and pays the fee.
    ///
    /// # Errors
    /// [`ApprovalError::Shape`].
    pub fn source(&self) -> Result<Recipient, ApprovalError> {
        match &self.transaction.source_account {
            stellar_xdr::MuxedAccount::Ed25519(key) => Ok(Recipient::Account(key.0)),
            stellar_xdr::MuxedAccount::MuxedEd25519(_) => {
                Err(ApprovalError::Shape("its source is a muxed account"))
            }
        }
    }

    /// Whether the payout key authorises it apart from the envelope.
    #[must_use]
    pub fn apart(&self) -> bool {
        self.credentials().is_some()
    }

    /// Whether the envelope is as it will be sent: what it needs are its own signatures.
    #[must_use]
    pub fn authorised(&self) -> bool {
        self.authorised || !self.apart()
    }

    /// Whether the payout key's authorisation has a signature, whatever it is worth.
    #[must_use]
    pub fn has_authorisation(&self) -> bool {
        self.credentials()
            .is_some_and(|(credentials, _)| credentials.signature != ScVal::Void)
    }

    /// Whether anybody has signed any of it.
    #[must_use]
    pub fn touched(&self) -> bool {
        self.has_authorisation() || !self.signatures.is_empty()
    }

    /// How long it can take effect.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let (mut max_time, mut max_ledger) = (0, 0);
        if let Preconditions::V2(cond) = &self.transaction.cond {
            max_time = cond.time_bounds.as_ref().map_or(0, |time| time.max_time.0);
            max_ledger = cond
                .ledger_bounds
                .as_ref()
                .map_or(0, |ledgers| ledgers.max_ledger);
        }
        let until = self.credentials();
        Bounds {
            max_time,
            max_ledger,
            authorised_until: until.map(|(until, _)| until.signature_expiration_ledger),
        }
    }

    /// The sequence number that it takes.
    #[must_use]
    pub fn sequence(&self) -> i64 {
        self.transaction.seq_num.0
    }

    /// The resource fee, in stroops.
    #[must_use]
    pub fn resource_fee(&self) -> i64 {
        match &self.transaction.ext {
            TransactionExt::V1(data) => data.resource_fee,
            TransactionExt::V0 => 0,
        }
    }

    /// What it bids for inclusion.
    #[must_use]
    pub fn bid(&self) -> Bid {
        let bid = i64::from(self.transaction.fee).saturating_sub(self.resource_fee());
        Bid(u32::try_from(bid).unwrap_or(0))
    }

    /// Its hash: final once it is authorised.
    ///
    /// # Errors
    /// [`ApprovalError::Envelope`].
    pub fn hash(&self) -> Result<TxHash, ApprovalError> {
        Ok(transaction_hash(self.terms.network(), &self.transaction)?)
    }

    /// The envelope as it is now, in base64.
    ///
    /// # Errors
    /// [`ApprovalError::Envelope`].
    pub fn envelope(&self) -> Result<String, ApprovalError> {
        let envelope = envelope(self.transaction.clone(), self.signatures.clone())?;
        Ok(envelope
            .to_xdr_base64(Limits::none())
            .map_err(EnvelopeError::xdr("the envelope"))?)
    }

    /// The envelope as the protocol sends it.
    ///
    /// # Errors
    /// [`ApprovalError::Envelope`].
    pub fn signed(&self) -> Result<Signed, ApprovalError> {
        let hash = self.hash()?;
        let xdr = envelope(self.transaction.clone(), self.signatures.clone())?
            .to_xdr(Limits::none())
            .map_err(EnvelopeError::xdr("the envelope"))?;
        Ok(Signed {
            hash,
            inner: hash,
            xdr,
            source: self.source()?.to_string(),
            sequence: self.sequence(),
            bid: self.bid(),
            resource_fee: self.resource_fee(),
            bounds: self.bounds(),
        })
    }

    /// Takes over the footprint (base64) of a simulation that ran with the authorisation, and what
    /// it costs. From then on the envelope stays as it is.
    ///
    /// # Errors
    /// [`ApprovalError`].
    pub fn finish(&mut self, footprint: &str, resource_fee: i64) -> Result<(), ApprovalError> {
        if !self.signatures.is_empty() {
            return Err(ApprovalError::EnvelopeFirst);
        }
        let data = SorobanTransactionData::from_xdr_base64(footprint, LIMITS)
            .map_err(EnvelopeError::xdr("the footprint"))?;
        let bid = self.bid();
        charge(&mut self.transaction, data, resource_fee, bid)?;
        self.authorised = true;
        Ok(())
    }

    /// The payout key's credentials, where they are apart, and their entry.
    pub(super) fn credentials(
        &self,
    ) -> Option<(&SorobanAddressCredentials, &SorobanAuthorizationEntry)> {
        let operation = self.transaction.operations.first()?;
        let OperationBody::InvokeHostFunction(InvokeHostFunctionOp { auth, .. }) = &operation.body
        else {
            return None;
        };
        let entry = auth.first()?;
        match &entry.credentials {
            SorobanCredentials::Address(credentials) => Some((credentials, entry)),
            _ => None,
        }
    }
}
