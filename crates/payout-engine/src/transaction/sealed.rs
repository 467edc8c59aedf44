//! The one signed envelope, as it is stored and sent.

use payout_keys::{NetworkId, Recipient};
use stellar_xdr::{
    FeeBumpTransactionInnerTx, Limits, MuxedAccount, OperationBody, Preconditions, ReadXdr,
    SorobanCredentials, Transaction, TransactionEnvelope, TransactionExt, WriteXdr,
};

use super::error::TransactionError;
use super::prepare::LEDGERS;
use crate::envelope::{EnvelopeError, fee_bump_hash, transaction_hash};
use crate::protocol::{Bid, Bounds, Signed};
use crate::rpc::LIMITS;

/// A signed envelope, read back from its own bytes: nothing else has to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub(super) signed: Signed,
    pub(super) source: [u8; 32],
    /// The node's ledger when it was signed.
    pub(super) signed_at: u32,
}

impl Sealed {
    pub(super) fn of(
        network: NetworkId,
        envelope: &TransactionEnvelope,
    ) -> Result<Self, TransactionError> {
        let (hash, fee, operations, inner) = match envelope {
            TransactionEnvelope::Tx(v1) => {
                let hash = transaction_hash(network, &v1.tx)?;
                (hash, i64::from(v1.tx.fee), v1.tx.operations.len(), &v1.tx)
            }
            TransactionEnvelope::TxFeeBump(bump) => {
                let FeeBumpTransactionInnerTx::Tx(inner) = &bump.tx.inner_tx;
                let hash = fee_bump_hash(network, &bump.tx)?;
                let operations = inner.tx.operations.len().saturating_add(1);
                (hash, bump.tx.fee, operations, &inner.tx)
            }
            TransactionEnvelope::TxV0(_) => {
                return Err(TransactionError::NotSealed("a transaction of version 0"));
            }
        };
        let resource_fee = match &inner.ext {
            TransactionExt::V1(data) => data.resource_fee,
            TransactionExt::V0 => 0,
        };
        let operations = i64::try_from(operations).unwrap_or(i64::MAX).max(1);
        let bid = fee.saturating_sub(resource_fee) / operations;
        let MuxedAccount::Ed25519(source) = &inner.source_account else {
            return Err(TransactionError::NotSealed("one with a muxed source"));
        };
        let bounds = bounds(inner)?;
        Ok(Self {
            signed: Signed {
                hash,
                inner: transaction_hash(network, inner)?,
                xdr: envelope
                    .to_xdr(Limits::none())
                    .map_err(EnvelopeError::xdr("the envelope"))?,
                source: Recipient::Account(source.0).to_string(),
                sequence: inner.seq_num.0,
                bid: Bid(u32::try_from(bid).unwrap_or(u32::MAX)),
                resource_fee,
                bounds,
            },
            source: source.0,
            signed_at: bounds.max_ledger.saturating_sub(LEDGERS),
        })
    }

    /// Reads what [`Sealed::to_base64`] gave.
    ///
    /// # Errors
    /// [`TransactionError::NotSealed`], [`TransactionError::Envelope`].
    pub fn from_base64(network: NetworkId, text: &str) -> Result<Self, TransactionError> {
        let envelope = TransactionEnvelope::from_xdr_base64(text.trim(), LIMITS)
            .map_err(EnvelopeError::xdr("the envelope"))?;
        Self::of(network, &envelope)
    }

    /// Its bytes in base64, as they are sent.
    ///
    /// # Errors
    /// [`TransactionError::Envelope`].
    pub fn to_base64(&self) -> Result<String, TransactionError> {
        let envelope = TransactionEnvelope::from_xdr(&self.signed.xdr, LIMITS)
            .map_err(EnvelopeError::xdr("the envelope"))?;
        Ok(envelope
            .to_xdr_base64(Limits::none())
            .map_err(EnvelopeError::xdr("the envelope"))?)
    }

    /// The envelope as the protocol sees it: hashes, bounds, sequence number.
    #[must_use]
    pub fn signed(&self) -> &Signed {
        &self.signed
    }
}

/// The bounds that we set; an envelope without them is none of ours.
fn bounds(inner: &Transaction) -> Result<Bounds, TransactionError> {
    let Preconditions::V2(conditions) = &inner.cond else {
        return Err(TransactionError::NotSealed("one without bounds"));
    };
    let (Some(time), Some(ledgers)) = (&conditions.time_bounds, &conditions.ledger_bounds) else {
        return Err(TransactionError::NotSealed("one without bounds"));
    };
    let apart = inner.operations.iter().filter_map(|operation| {
        let OperationBody::InvokeHostFunction(invoke) = &operation.body else {
            return None;
        };
        let until = invoke
            .auth
            .iter()
            .filter_map(|entry| match &entry.credentials {
                SorobanCredentials::Address(by) => Some(by.signature_expiration_ledger),
                _ => None,
            });
        until.max()
    });
    Ok(Bounds {
        max_time: time.max_time.0,
        max_ledger: ledgers.max_ledger,
        authorised_until: apart.max(),
    })
}
