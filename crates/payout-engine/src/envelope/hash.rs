//! Hashes, known before anything is sent.

use payout_keys::NetworkId;
use sha2::{Digest, Sha256};
use stellar_xdr::{
    FeeBumpTransaction, Hash, Limits, Transaction, TransactionSignaturePayload,
    TransactionSignaturePayloadTaggedTransaction, WriteXdr,
};

use super::error::EnvelopeError;
use crate::protocol::TxHash;

/// The hash of a transaction on a network.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn transaction_hash(
    network: NetworkId,
    transaction: &Transaction,
) -> Result<TxHash, EnvelopeError> {
    let tagged = TransactionSignaturePayloadTaggedTransaction::Tx(transaction.clone());
    hash(network, tagged)
}

/// The hash of a fee bump on a network.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn fee_bump_hash(
    network: NetworkId,
    transaction: &FeeBumpTransaction,
) -> Result<TxHash, EnvelopeError> {
    let tagged = TransactionSignaturePayloadTaggedTransaction::TxFeeBump(transaction.clone());
    hash(network, tagged)
}

fn hash(
    network: NetworkId,
    tagged_transaction: TransactionSignaturePayloadTaggedTransaction,
) -> Result<TxHash, EnvelopeError> {
    let payload = TransactionSignaturePayload {
        network_id: Hash(network.0),
        tagged_transaction,
    };
    let bytes = payload
        .to_xdr(Limits::none())
        .map_err(EnvelopeError::xdr("the transaction"))?;
    Ok(TxHash(Sha256::digest(bytes).into()))
}
