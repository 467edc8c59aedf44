//! From a call and a simulation to bytes that can be sent.

use payout_keys::{NetworkId, Recipient};
use stellar_xdr::{
    DecoratedSignature, Duration, FeeBumpTransaction, FeeBumpTransactionEnvelope,
    FeeBumpTransactionExt, FeeBumpTransactionInnerTx, HostFunction, InvokeContractArgs,
    InvokeHostFunctionOp, LedgerBounds, Limits, Memo, MuxedAccount, Operation, OperationBody,
    Preconditions, PreconditionsV2, ReadXdr, SequenceNumber, Signature, SignatureHint,
    SorobanAuthorizationEntry, SorobanTransactionData, TimeBounds, TimePoint, Transaction,
    TransactionEnvelope, TransactionExt, TransactionV1Envelope, Uint256, VecM, WriteXdr,
};

use super::auth::sign_authorisations;
use super::error::EnvelopeError;
use super::hash::{fee_bump_hash, transaction_hash};
use super::secret::SecretKey;
use crate::protocol::{Bid, Bounds, BumpRequest, SignRequest, Signed, TxHash};
use crate::rpc::LIMITS;

/// Whose keys are at hand.
#[derive(Debug, Clone, Copy)]
pub struct Signers<'a> {
    /// The transaction's source, whose sequence number is taken: the lane.
    pub source: &'a SecretKey,
    /// The payout key or delegate, where it is another one.
    pub caller: Option<&'a SecretKey>,
}

/// An unsigned envelope to simulate. A source that does not exist will do for a view.
///
/// # Errors
/// [`EnvelopeError`].
pub fn draft(
    source: Recipient,
    sequence: i64,
    call: InvokeContractArgs,
) -> Result<String, EnvelopeError> {
    let transaction = Transaction {
        source_account: account(source)?,
        fee: Bid::MIN.0,
        seq_num: SequenceNumber(sequence),
        cond: Preconditions::None,
        memo: Memo::None,
        operations: operations(call, Vec::new())?,
        ext: TransactionExt::V0,
    };
    envelope(transaction, Vec::new())?
        .to_xdr_base64(Limits::none())
        .map_err(EnvelopeError::xdr("the transaction"))
}

/// Signs what the protocol asked for, with the source's sequence number `last + 1`.
///
/// # Errors
/// [`EnvelopeError`].
pub fn sign(
    network: NetworkId,
    call: InvokeContractArgs,
    request: &SignRequest,
    last: i64,
    signers: Signers<'_>,
) -> Result<Signed, EnvelopeError> {
    let sequence = last.checked_add(1).ok_or(EnvelopeError::SequenceEnd)?;
    let bounds = request.bounds;
    let until = bounds
        .authorised_until
        .unwrap_or(bounds.max_ledger)
        .min(bounds.max_ledger);
    let entries = request
        .prepared
        .auth
        .iter()
        .map(|xdr| SorobanAuthorizationEntry::from_xdr(xdr, LIMITS))
        .collect::<Result<Vec<_>, _>>()
        .map_err(EnvelopeError::xdr("an authorisation"))?;
    let keys: Vec<&SecretKey> = signers.caller.into_iter().collect();
    let (auth, apart) = sign_authorisations(network, &call, entries, &keys, until)?;
    let transaction = unsigned(signers.source.address(), sequence, call, auth, request)?;
    let hash = transaction_hash(network, &transaction)?;
    let signatures = vec![decorated(signers.source, hash)?];
    let xdr = envelope(transaction, signatures)?
        .to_xdr(Limits::none())
        .map_err(EnvelopeError::xdr("the envelope"))?;
    Ok(Signed {
        hash,
        inner: hash,
        xdr,
        source: signers.source.address().to_string(),
        sequence,
        bid: request.bid,
        resource_fee: request.resource_fee,
        bounds: Bounds {
            authorised_until: apart.then_some(until),
            ..bounds
        },
    })
}

/// The transaction that the protocol asked for, with authorisations and without signatures.
pub(crate) fn unsigned(
    source: Recipient,
    sequence: i64,
    call: InvokeContractArgs,
    auth: Vec<SorobanAuthorizationEntry>,
    request: &SignRequest,
) -> Result<Transaction, EnvelopeError> {
    let mut transaction = Transaction {
        source_account: account(source)?,
        fee: 0,
        seq_num: SequenceNumber(sequence),
        cond: preconditions(request.bounds),
        memo: Memo::None,
        operations: operations(call, auth)?,
        ext: TransactionExt::V0,
    };
    let data = SorobanTransactionData::from_xdr(&request.prepared.transaction_data, LIMITS)
        .map_err(EnvelopeError::xdr("the footprint"))?;
    charge(&mut transaction, data, request.resource_fee, request.bid)?;
    Ok(transaction)
}

/// Gives a transaction its footprint and what it pays.
pub(crate) fn charge(
    transaction: &mut Transaction,
    mut data: SorobanTransactionData,
    resource_fee: i64,
    bid: Bid,
) -> Result<(), EnvelopeError> {
    let fee = i64::from(bid.0).saturating_add(resource_fee);
    transaction.fee = u32::try_from(fee).map_err(|_| EnvelopeError::FeeTooLarge { fee })?;
    data.resource_fee = resource_fee;
    transaction.ext = TransactionExt::V1(data);
    Ok(())
}

/// Signs a fee bump around the same inner transaction, paid by `payer`.
///
/// # Errors
/// [`EnvelopeError`].
pub fn bump(
    network: NetworkId,
    request: &BumpRequest,
    payer: &SecretKey,
) -> Result<Signed, EnvelopeError> {
    let around = TransactionEnvelope::from_xdr(&request.around.xdr, LIMITS)
        .map_err(EnvelopeError::xdr("the envelope"))?;
    let inner_tx = match around {
        TransactionEnvelope::Tx(inner) => FeeBumpTransactionInnerTx::Tx(inner),
        TransactionEnvelope::TxFeeBump(bump) => bump.tx.inner_tx,
        TransactionEnvelope::TxV0(_) => return Err(EnvelopeError::NotBumpable),
    };
    // The fee bump counts as an operation beside the inner one.
    let fee = i64::from(request.bid.0)
        .saturating_mul(2)
        .saturating_add(request.around.resource_fee);
    let tx = FeeBumpTransaction {
        fee_source: account(payer.address())?,
        fee,
        inner_tx,
        ext: FeeBumpTransactionExt::V0,
    };
    let hash = fee_bump_hash(network, &tx)?;
    let signatures = signatures(vec![decorated(payer, hash)?])?;
    let xdr = TransactionEnvelope::TxFeeBump(FeeBumpTransactionEnvelope { tx, signatures })
        .to_xdr(Limits::none())
        .map_err(EnvelopeError::xdr("the fee bump"))?;
    Ok(Signed {
        hash,
        xdr,
        bid: request.bid,
        ..request.around.clone()
    })
}

pub(crate) fn preconditions(bounds: Bounds) -> Preconditions {
    Preconditions::V2(PreconditionsV2 {
        time_bounds: Some(TimeBounds {
            min_time: TimePoint(0),
            max_time: TimePoint(bounds.max_time),
        }),
        ledger_bounds: Some(LedgerBounds {
            min_ledger: 0,
            max_ledger: bounds.max_ledger,
        }),
        min_seq_num: None,
        min_seq_age: Duration(0),
        min_seq_ledger_gap: 0,
        extra_signers: VecM::default(),
    })
}

fn account(of: Recipient) -> Result<MuxedAccount, EnvelopeError> {
    match of {
        Recipient::Account(key) => Ok(MuxedAccount::Ed25519(Uint256(key))),
        Recipient::Contract(_) => Err(EnvelopeError::NotAnAccount(of.to_string())),
    }
}

fn operations(
    call: InvokeContractArgs,
    auth: Vec<SorobanAuthorizationEntry>,
) -> Result<VecM<Operation, 100>, EnvelopeError> {
    let operation = Operation {
        source_account: None,
        body: OperationBody::InvokeHostFunction(InvokeHostFunctionOp {
            host_function: HostFunction::InvokeContract(call),
            auth: auth
                .try_into()
                .map_err(EnvelopeError::xdr("the authorisations"))?,
        }),
    };
    vec![operation]
        .try_into()
        .map_err(EnvelopeError::xdr("the operation"))
}

pub(crate) fn envelope(
    tx: Transaction,
    by: Vec<DecoratedSignature>,
) -> Result<TransactionEnvelope, EnvelopeError> {
    Ok(TransactionEnvelope::Tx(TransactionV1Envelope {
        tx,
        signatures: signatures(by)?,
    }))
}

fn signatures(by: Vec<DecoratedSignature>) -> Result<VecM<DecoratedSignature, 20>, EnvelopeError> {
    by.try_into().map_err(EnvelopeError::xdr("the signatures"))
}

pub(crate) fn decorated(
    key: &SecretKey,
    hash: TxHash,
) -> Result<DecoratedSignature, EnvelopeError> {
    let bytes = key.sign(&hash.0).to_vec();
    Ok(DecoratedSignature {
        hint: SignatureHint(key.hint()),
        signature: Signature(
            bytes
                .try_into()
                .map_err(EnvelopeError::xdr("a signature"))?,
        ),
    })
}
