//! Transactions.

use localnet::xdr::{
    AlphaNum4, Asset, AssetCode4, ChangeTrustAsset, ChangeTrustOp, Duration, Memo, Operation,
    OperationBody, PaymentOp, Preconditions, PreconditionsV2, SequenceNumber, SetOptionsOp,
    SorobanTransactionData, TimeBounds, TimePoint, Transaction, TransactionEnvelope,
    TransactionExt, VecM,
};

use super::{Account, Client, Found};

/// A transaction of `source` with the sequence number after its present one.
pub(crate) fn transaction(
    client: &Client,
    source: &Account,
    operations: Vec<OperationBody>,
) -> Transaction {
    with_sequence(source, client.sequence(source) + 1, operations)
}

pub(crate) fn with_sequence(
    source: &Account,
    sequence: i64,
    operations: Vec<OperationBody>,
) -> Transaction {
    let fee = 100 * u32::try_from(operations.len()).expect("few operations");
    let operations: Vec<Operation> = operations
        .into_iter()
        .map(|body| Operation {
            source_account: None,
            body,
        })
        .collect();
    Transaction {
        source_account: source.muxed(),
        fee,
        seq_num: SequenceNumber(sequence),
        cond: Preconditions::None,
        memo: Memo::None,
        operations: operations.try_into().expect("at most 100 operations"),
        ext: TransactionExt::V0,
    }
}

/// Signs and submits classic operations of one account.
pub(crate) fn run(client: &Client, source: &Account, operations: Vec<OperationBody>) -> Found {
    let tx = transaction(client, source, operations);
    client.submit(&client.sign(&tx, &[source]))
}

/// A signed payment of an account to itself: the least that can be sent.
pub(crate) fn pay(client: &Client, source: &Account) -> TransactionEnvelope {
    let body = payment(source, &Asset::Native, 1);
    client.sign(&transaction(client, source, vec![body]), &[source])
}

/// A transaction with one contract operation and its resources.
pub(crate) fn contract_transaction(
    source: &Account,
    sequence: i64,
    body: OperationBody,
    data: SorobanTransactionData,
) -> Transaction {
    let mut tx = with_sequence(source, sequence, vec![body]);
    tx.fee = u32::try_from(data.resource_fee + 100).expect("a fee that fits");
    tx.ext = TransactionExt::V1(data);
    tx
}

/// An unsigned envelope, for simulations.
pub(crate) fn unsigned(tx: Transaction) -> TransactionEnvelope {
    TransactionEnvelope::Tx(localnet::xdr::TransactionV1Envelope {
        tx,
        signatures: VecM::default(),
    })
}

pub(crate) fn asset(code: &str, issuer: &Account) -> Asset {
    let mut bytes = [0; 4];
    bytes[..code.len()].copy_from_slice(code.as_bytes());
    Asset::CreditAlphanum4(AlphaNum4 {
        asset_code: AssetCode4(bytes),
        issuer: issuer.id(),
    })
}

pub(crate) fn payment(to: &Account, asset: &Asset, amount: i64) -> OperationBody {
    OperationBody::Payment(PaymentOp {
        destination: to.muxed(),
        asset: asset.clone(),
        amount,
    })
}

pub(crate) fn trust(asset: &Asset, limit: i64) -> OperationBody {
    let line = match asset {
        Asset::Native => ChangeTrustAsset::Native,
        Asset::CreditAlphanum4(asset) => ChangeTrustAsset::CreditAlphanum4(asset.clone()),
        Asset::CreditAlphanum12(asset) => ChangeTrustAsset::CreditAlphanum12(asset.clone()),
    };
    OperationBody::ChangeTrust(ChangeTrustOp { line, limit })
}

/// Options that change nothing.
pub(crate) fn options() -> SetOptionsOp {
    SetOptionsOp {
        inflation_dest: None,
        clear_flags: None,
        set_flags: None,
        master_weight: None,
        low_threshold: None,
        med_threshold: None,
        high_threshold: None,
        home_domain: None,
        signer: None,
    }
}

pub(crate) fn time_bounds(min: u64, max: u64) -> Preconditions {
    Preconditions::Time(TimeBounds {
        min_time: TimePoint(min),
        max_time: TimePoint(max),
    })
}

/// Preconditions of the second form that demand nothing.
pub(crate) fn preconditions() -> PreconditionsV2 {
    PreconditionsV2 {
        time_bounds: None,
        ledger_bounds: None,
        min_seq_num: None,
        min_seq_age: Duration(0),
        min_seq_ledger_gap: 0,
        extra_signers: VecM::default(),
    }
}
