//! Signing, once.

use payout_keys::{NetworkId, Recipient};
use stellar_xdr::{
    DecoratedSignature, Duration, FeeBumpTransaction, FeeBumpTransactionEnvelope,
    FeeBumpTransactionExt, FeeBumpTransactionInnerTx, LedgerBounds, Memo, MuxedAccount, Operation,
    OperationBody, Preconditions, PreconditionsV2, SequenceNumber, TimeBounds, TimePoint,
    Transaction, TransactionEnvelope, TransactionExt, TransactionV1Envelope, Uint256, VecM,
};

use super::error::TransactionError;
use super::prepare::{LEDGERS, Prepared};
use super::sealed::Sealed;
use crate::envelope::{
    EnvelopeError, SecretKey, decorated, fee_bump_hash, sign_entries, transaction_hash,
};
use crate::protocol::{Policy, TxHash};
use crate::record::Moment;
use crate::rpc::Client;

/// How long an envelope can be applied, in seconds.
const WINDOW: u64 = 300;
const _: () = assert!(WINDOW >= Policy::MIN_WINDOW);

/// Whose keys are at hand.
#[derive(Debug, Clone, Copy)]
pub struct Keys<'a> {
    /// The source account's.
    pub source: &'a SecretKey,
    /// Those of others who authorise something, or whose account an operation is of.
    pub others: &'a [SecretKey],
}

impl Prepared {
    /// Signs, with bounds from the node's clock of now.
    ///
    /// # Errors
    /// [`TransactionError`]; nobody has what was signed then.
    pub async fn sign(
        self,
        client: &Client,
        network: NetworkId,
        keys: Keys<'_>,
    ) -> Result<Sealed, TransactionError> {
        let clock = client.clock().await?;
        let envelope = self.envelope(network, keys, clock)?;
        Sealed::of(network, &envelope)
    }

    fn envelope(
        self,
        network: NetworkId,
        keys: Keys<'_>,
        clock: Moment,
    ) -> Result<TransactionEnvelope, TransactionError> {
        let time = clock.close_time.ok_or(TransactionError::NoClock)?;
        let max_ledger = clock.ledger.saturating_add(LEDGERS);
        let bumped = self.needs_bump()?;
        let (inner_fee, bump_fee, bid) = (self.inner_fee()?, self.bump_fee()?, self.bid());
        let operations = self.authorised(network, keys, max_ledger)?;
        // Inside a fee bump the fee counts for nothing.
        let fee = if bumped { i64::from(bid.0) } else { inner_fee };
        let tx = Transaction {
            source_account: account(keys.source),
            fee: u32::try_from(fee).map_err(|_| EnvelopeError::FeeTooLarge { fee })?,
            seq_num: SequenceNumber(self.sequence),
            cond: bounded(time.saturating_add(WINDOW), max_ledger),
            memo: Memo::None,
            operations,
            ext: match self.soroban {
                Some(soroban) => TransactionExt::V1(soroban.data),
                None => TransactionExt::V0,
            },
        };
        let hash = transaction_hash(network, &tx)?;
        let mut signatures = vec![decorated(keys.source, hash)?];
        for other in keys.others.iter().filter(|other| has_part(&tx, other)) {
            signatures.push(decorated(other, hash)?);
        }
        let inner = TransactionV1Envelope {
            tx,
            signatures: list(signatures)?,
        };
        if bumped {
            return bump(network, keys.source, inner, bump_fee);
        }
        Ok(TransactionEnvelope::Tx(inner))
    }

    /// The operations with their authorisations signed.
    fn authorised(
        &self,
        network: NetworkId,
        keys: Keys<'_>,
        until: u32,
    ) -> Result<VecM<Operation, 100>, TransactionError> {
        if keys.source.public() != self.source {
            let address = Recipient::Account(self.source).to_string();
            return Err(EnvelopeError::SignatureMissing { address }.into());
        }
        let operations = self.act.operations()?;
        let (Some((function, below)), Some(soroban)) = (self.act.authorised()?, &self.soroban)
        else {
            return Ok(operations);
        };
        let others: Vec<&SecretKey> = keys.others.iter().collect();
        let entries = soroban.auth.clone();
        let (auth, _) = sign_entries(network, &function, below, entries, &others, until)?;
        let mut operations = operations.to_vec();
        for operation in &mut operations {
            if let OperationBody::InvokeHostFunction(invoke) = &mut operation.body {
                invoke.auth = auth
                    .clone()
                    .try_into()
                    .map_err(EnvelopeError::xdr("the authorisations"))?;
            }
        }
        Ok(operations
            .try_into()
            .map_err(EnvelopeError::xdr("the operations"))?)
    }
}

/// Whether an operation is of this key's account. A signature too many makes a transaction invalid.
fn has_part(tx: &Transaction, key: &SecretKey) -> bool {
    let account = account(key);
    tx.source_account != account
        && tx
            .operations
            .iter()
            .any(|operation| operation.source_account.as_ref() == Some(&account))
}

fn bump(
    network: NetworkId,
    payer: &SecretKey,
    inner: TransactionV1Envelope,
    fee: i64,
) -> Result<TransactionEnvelope, TransactionError> {
    let tx = FeeBumpTransaction {
        fee_source: account(payer),
        fee,
        inner_tx: FeeBumpTransactionInnerTx::Tx(inner),
        ext: FeeBumpTransactionExt::V0,
    };
    let hash: TxHash = fee_bump_hash(network, &tx)?;
    let signatures = list(vec![decorated(payer, hash)?])?;
    Ok(TransactionEnvelope::TxFeeBump(FeeBumpTransactionEnvelope {
        tx,
        signatures,
    }))
}

fn bounded(max_time: u64, max_ledger: u32) -> Preconditions {
    Preconditions::V2(PreconditionsV2 {
        time_bounds: Some(TimeBounds {
            min_time: TimePoint(0),
            max_time: TimePoint(max_time),
        }),
        ledger_bounds: Some(LedgerBounds {
            min_ledger: 0,
            max_ledger,
        }),
        min_seq_num: None,
        min_seq_age: Duration(0),
        min_seq_ledger_gap: 0,
        extra_signers: VecM::default(),
    })
}

fn account(key: &SecretKey) -> MuxedAccount {
    MuxedAccount::Ed25519(Uint256(key.public()))
}

fn list(
    signatures: Vec<DecoratedSignature>,
) -> Result<VecM<DecoratedSignature, 20>, EnvelopeError> {
    signatures
        .try_into()
        .map_err(EnvelopeError::xdr("the signatures"))
}
