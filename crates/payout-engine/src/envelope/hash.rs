//! Hashes, known before anything is sent.

use payout_keys::NetworkId;
use sha2::{Digest, Sha256};
use stellar_xdr::{
    FeeBumpTransaction, Hash, Limits, MuxedAccount, Preconditions, Transaction,
    TransactionEnvelope, TransactionExt, TransactionSignaturePayload,
    TransactionSignaturePayloadTaggedTransaction, TransactionV0, WriteXdr,
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

/// The hash that a ledger has an envelope under, whatever its form.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn envelope_hash(
    network: NetworkId,
    envelope: &TransactionEnvelope,
) -> Result<TxHash, EnvelopeError> {
    match envelope {
        TransactionEnvelope::Tx(envelope) => transaction_hash(network, &envelope.tx),
        TransactionEnvelope::TxFeeBump(bump) => fee_bump_hash(network, &bump.tx),
        TransactionEnvelope::TxV0(envelope) => transaction_hash(network, &modern(&envelope.tx)),
    }
}

/// A transaction of the first version, which is hashed as one of the second.
fn modern(old: &TransactionV0) -> Transaction {
    Transaction {
        source_account: MuxedAccount::Ed25519(old.source_account_ed25519.clone()),
        fee: old.fee,
        seq_num: old.seq_num.clone(),
        cond: old
            .time_bounds
            .clone()
            .map_or(Preconditions::None, Preconditions::Time),
        memo: old.memo.clone(),
        operations: old.operations.clone(),
        ext: TransactionExt::V0,
    }
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
