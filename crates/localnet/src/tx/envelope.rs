//! One view of the three kinds of envelope.

use sha2::{Digest, Sha256};
use soroban_env_host::xdr::{
    AccountId, DecoratedSignature, FeeBumpTransactionInnerTx, Memo, MuxedAccount, OperationBody,
    Preconditions, SorobanTransactionData, SorobanTransactionDataExt, Transaction,
    TransactionEnvelope, TransactionExt, TransactionV0, TransactionV1Envelope,
};

use crate::limits::BASE_FEE;
use crate::network::xdr;

/// A submitted transaction with its hashes.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// As it was sent; the oldest form as the network converts it.
    pub(crate) envelope: TransactionEnvelope,
    /// The transaction itself.
    pub(crate) tx: Transaction,
    pub(crate) signatures: Vec<DecoratedSignature>,
    /// The hash that `signatures` sign.
    pub(crate) inner_hash: [u8; 32],
    pub(crate) fee_bump: Option<FeeBump>,
    /// SHA-256 of the whole envelope, signatures included: what the queue remembers.
    pub(crate) envelope_hash: [u8; 32],
    /// The same of the transaction inside a fee bump; else equal to it.
    pub(crate) inner_envelope_hash: [u8; 32],
    /// Bytes of the inner envelope: what size fees and limits count.
    pub(crate) size: u32,
}

/// The outer layer of a fee bump.
#[derive(Clone, Debug)]
pub(crate) struct FeeBump {
    pub(crate) source: AccountId,
    pub(crate) fee: i64,
    pub(crate) signatures: Vec<DecoratedSignature>,
    pub(crate) hash: [u8; 32],
}

impl Frame {
    /// Reads an envelope for the network `network_id`.
    pub(crate) fn new(
        envelope: TransactionEnvelope,
        network_id: [u8; 32],
    ) -> Result<Self, stellar_xdr::Error> {
        // The network turns the oldest form into the present one when it comes in.
        let envelope = match envelope {
            TransactionEnvelope::TxV0(v0) => TransactionEnvelope::Tx(TransactionV1Envelope {
                tx: from_v0(&v0.tx),
                signatures: v0.signatures,
            }),
            present => present,
        };
        let hash = envelope.hash(network_id)?;
        let (inner, fee_bump) = match &envelope {
            TransactionEnvelope::TxFeeBump(bump) => {
                let FeeBumpTransactionInnerTx::Tx(inner) = &bump.tx.inner_tx;
                let outer = FeeBump {
                    source: muxed_account_id(&bump.tx.fee_source),
                    fee: bump.tx.fee,
                    signatures: bump.signatures.to_vec(),
                    hash,
                };
                (inner.clone(), Some(outer))
            }
            TransactionEnvelope::Tx(v1) => (v1.clone(), None),
            TransactionEnvelope::TxV0(_) => return Err(stellar_xdr::Error::Invalid),
        };
        let inner_hash = inner.tx.hash(network_id)?;
        let (tx, signatures) = (inner.tx.clone(), inner.signatures.to_vec());
        let inner_bytes = xdr(&TransactionEnvelope::Tx(inner));
        Ok(Self {
            envelope_hash: Sha256::digest(xdr(&envelope)).into(),
            inner_envelope_hash: Sha256::digest(&inner_bytes).into(),
            size: u32::try_from(inner_bytes.len()).unwrap_or(u32::MAX),
            envelope,
            tx,
            signatures,
            inner_hash,
            fee_bump,
        })
    }

    /// The hash by which the transaction is known: the outer one of a fee bump.
    pub(crate) fn hash(&self) -> [u8; 32] {
        self.fee_bump
            .as_ref()
            .map_or(self.inner_hash, |bump| bump.hash)
    }

    pub(crate) fn source(&self) -> AccountId {
        muxed_account_id(&self.tx.source_account)
    }

    pub(crate) fn fee_source(&self) -> AccountId {
        self.fee_bump
            .as_ref()
            .map_or_else(|| self.source(), |bump| bump.source.clone())
    }

    /// The sequence number it uses up.
    pub(crate) fn sequence(&self) -> i64 {
        self.tx.seq_num.0
    }

    /// Everything it offers to pay, in stroops.
    pub(crate) fn full_fee(&self) -> i64 {
        self.fee_bump
            .as_ref()
            .map_or_else(|| i64::from(self.tx.fee), |bump| bump.fee)
    }

    /// Resources and their fee, of a contract transaction.
    pub(crate) fn soroban_data(&self) -> Option<&SorobanTransactionData> {
        match &self.tx.ext {
            TransactionExt::V1(data) => Some(data),
            TransactionExt::V0 => None,
        }
    }

    /// The declared resource fee, in stroops; 0 for a classic transaction.
    pub(crate) fn resource_fee(&self) -> i64 {
        self.soroban_data().map_or(0, |data| data.resource_fee)
    }

    /// What it bids for a place in a ledger, in stroops: everything but the resource fee. May be
    /// negative when the fee is below the resource fee.
    pub(crate) fn inclusion_bid(&self) -> i64 {
        self.full_fee().saturating_sub(self.resource_fee())
    }

    /// The operations its bid is measured by; a fee bump counts as one more.
    pub(crate) fn fee_operations(&self) -> i64 {
        let own = i64::try_from(self.tx.operations.len()).unwrap_or(i64::MAX);
        own.saturating_add(i64::from(self.fee_bump.is_some()))
    }

    /// The smallest inclusion fee at which the network looks at it, in stroops.
    pub(crate) fn min_inclusion_fee(&self) -> i64 {
        self.inclusion_fee_at(i64::from(BASE_FEE))
    }

    /// Its inclusion fee when one operation costs `base_fee` stroops.
    pub(crate) fn inclusion_fee_at(&self, base_fee: i64) -> i64 {
        base_fee.saturating_mul(self.fee_operations())
    }

    /// What is taken before it is applied, when one operation costs `base_fee` stroops.
    pub(crate) fn fee_to_charge(&self, base_fee: i64) -> i64 {
        self.inclusion_bid()
            .min(self.inclusion_fee_at(base_fee))
            .saturating_add(self.resource_fee())
    }

    /// Whether its operations run in the contract host.
    pub(crate) fn is_soroban(&self) -> bool {
        self.tx.operations.iter().any(|op| is_soroban(&op.body))
    }

    /// Indices into the read-write footprint of entries to restore from the archive.
    pub(crate) fn archived_indices(&self) -> &[u32] {
        match self.soroban_data().map(|data| &data.ext) {
            Some(SorobanTransactionDataExt::V1(ext)) => ext.archived_soroban_entries.as_slice(),
            _ => &[],
        }
    }
}

/// Whether an operation is one of the three contract operations.
pub(crate) fn is_soroban(body: &OperationBody) -> bool {
    matches!(
        body,
        OperationBody::InvokeHostFunction(_)
            | OperationBody::ExtendFootprintTtl(_)
            | OperationBody::RestoreFootprint(_)
    )
}

/// The account behind a possibly multiplexed address.
pub(crate) fn muxed_account_id(account: &MuxedAccount) -> AccountId {
    account.clone().account_id()
}

fn from_v0(tx: &TransactionV0) -> Transaction {
    Transaction {
        source_account: MuxedAccount::Ed25519(tx.source_account_ed25519.clone()),
        fee: tx.fee,
        seq_num: tx.seq_num.clone(),
        cond: tx
            .time_bounds
            .clone()
            .map_or(Preconditions::None, Preconditions::Time),
        memo: tx.memo.clone(),
        operations: tx.operations.clone(),
        ext: TransactionExt::V0,
    }
}

/// Whether the transaction carries a memo.
pub(crate) fn has_memo(tx: &Transaction) -> bool {
    !matches!(tx.memo, Memo::None)
}

/// Whether an address is multiplexed.
pub(crate) fn is_muxed(account: &MuxedAccount) -> bool {
    matches!(account, MuxedAccount::MuxedEd25519(_))
}
