//! What a node reads in the bytes that are sent to it.

use ed25519_dalek::{Signature, VerifyingKey};
use payout_engine::envelope::{fee_bump_hash, transaction_hash};
use payout_engine::protocol::{Bid, TxHash};
use payout_engine::{Amount, Line};
use payout_keys::{NetworkId, Recipient, Reference};
use sha2::{Digest as _, Sha256};
use stellar_xdr::{
    AccountId, ContractId, DecoratedSignature, FeeBumpTransactionInnerTx, Hash, HashIdPreimage,
    HashIdPreimageSorobanAuthorization, HostFunction, InvokeContractArgs, Limits, MuxedAccount,
    OperationBody, Preconditions, PublicKey, ReadXdr, ScAddress, ScVal, SorobanAddressCredentials,
    SorobanAuthorizationEntry, SorobanAuthorizedFunction, SorobanCredentials, Transaction,
    TransactionEnvelope, TransactionExt, Uint256, WriteXdr,
};

/// An envelope as it was signed.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) hash: TxHash,
    pub(super) inner: TxHash,
    pub(super) source: [u8; 32],
    pub(super) sequence: i64,
    pub(super) max_time: u64,
    pub(super) max_ledger: u32,
    pub(super) bid: Bid,
    pub(super) call: InvokeContractArgs,
    /// Whether the source's own signature authorises the call.
    pub(super) by_source: bool,
    pub(super) apart: Vec<Apart>,
}

/// An authorisation that was signed apart from its envelope: whoever has it can carry it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Apart {
    pub(super) call: InvokeContractArgs,
    pub(super) by: [u8; 32],
    pub(super) nonce: i64,
    pub(super) until: u32,
}

/// Reads an envelope and checks its signatures.
pub(super) fn read(network: NetworkId, xdr: &[u8]) -> Read {
    let envelope = TransactionEnvelope::from_xdr(xdr, Limits::none()).expect("an envelope");
    let (transaction, signatures, outer) = match &envelope {
        TransactionEnvelope::Tx(one) => (&one.tx, &one.signatures, None),
        TransactionEnvelope::TxFeeBump(bump) => {
            let FeeBumpTransactionInnerTx::Tx(one) = &bump.tx.inner_tx;
            let hash = fee_bump_hash(network, &bump.tx).expect("a hash");
            let payer = account(&bump.tx.fee_source);
            assert!(
                signed(hash, payer, &bump.signatures),
                "the fee bump is signed"
            );
            (&one.tx, &one.signatures, Some((hash, bump.tx.fee)))
        }
        TransactionEnvelope::TxV0(_) => unreachable!("nobody signs those"),
    };
    let inner = transaction_hash(network, transaction).expect("a hash");
    let source = account(&transaction.source_account);
    assert!(
        signed(inner, source, signatures),
        "the transaction is signed"
    );
    let TransactionExt::V1(data) = &transaction.ext else {
        unreachable!("a contract call declares its resources");
    };
    let bid = match outer {
        None => i64::from(transaction.fee) - data.resource_fee,
        Some((_, fee)) => (fee - data.resource_fee) / 2,
    };
    let (call, authorisations) = invoked(transaction);
    let (max_time, max_ledger) = bounds(transaction);
    Read {
        hash: outer.map_or(inner, |(hash, _)| hash),
        inner,
        source,
        sequence: transaction.seq_num.0,
        max_time,
        max_ledger,
        bid: Bid(u32::try_from(bid).expect("a bid")),
        call,
        by_source: authorisations
            .iter()
            .any(|entry| entry.credentials == SorobanCredentials::SourceAccount),
        apart: authorisations
            .iter()
            .filter_map(|entry| apart(network, entry))
            .collect(),
    }
}

fn account(of: &MuxedAccount) -> [u8; 32] {
    match of {
        MuxedAccount::Ed25519(Uint256(key)) => *key,
        MuxedAccount::MuxedEd25519(_) => unreachable!("nobody signs for those"),
    }
}

fn bounds(transaction: &Transaction) -> (u64, u32) {
    let Preconditions::V2(bounds) = &transaction.cond else {
        unreachable!("every envelope has bounds");
    };
    let time = bounds.time_bounds.as_ref().expect("time bounds");
    let ledger = bounds.ledger_bounds.as_ref().expect("ledger bounds");
    (time.max_time.0, ledger.max_ledger)
}

fn invoked(transaction: &Transaction) -> (InvokeContractArgs, Vec<SorobanAuthorizationEntry>) {
    let [operation] = transaction.operations.as_slice() else {
        unreachable!("one operation");
    };
    let OperationBody::InvokeHostFunction(invoke) = &operation.body else {
        unreachable!("a contract call");
    };
    let HostFunction::InvokeContract(call) = &invoke.host_function else {
        unreachable!("a contract call");
    };
    (call.clone(), invoke.auth.to_vec())
}

fn signed(hash: TxHash, by: [u8; 32], signatures: &[DecoratedSignature]) -> bool {
    signatures
        .iter()
        .any(|one| verified(&hash.0, by, one.signature.0.as_slice()))
}

fn verified(bytes: &[u8], by: [u8; 32], signature: &[u8]) -> bool {
    let key = VerifyingKey::from_bytes(&by);
    let signature = Signature::from_slice(signature);
    match (key, signature) {
        (Ok(key), Ok(signature)) => key.verify_strict(bytes, &signature).is_ok(),
        _ => false,
    }
}

/// An authorisation whose signature is right.
fn apart(network: NetworkId, entry: &SorobanAuthorizationEntry) -> Option<Apart> {
    let SorobanAuthorizedFunction::ContractFn(call) = &entry.root_invocation.function else {
        return None;
    };
    let SorobanCredentials::Address(credentials) = &entry.credentials else {
        return None;
    };
    let ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(by)))) =
        credentials.address
    else {
        return None;
    };
    let until = credentials.signature_expiration_ledger;
    let preimage = HashIdPreimage::SorobanAuthorization(HashIdPreimageSorobanAuthorization {
        network_id: Hash(network.0),
        nonce: credentials.nonce,
        signature_expiration_ledger: until,
        invocation: entry.root_invocation.clone(),
    });
    let payload = Sha256::digest(preimage.to_xdr(Limits::none()).expect("XDR"));
    verified(&payload, by, signature(credentials)?).then(|| Apart {
        call: call.clone(),
        by,
        nonce: credentials.nonce,
        until,
    })
}

/// The signature's bytes in an account's credentials.
fn signature(credentials: &SorobanAddressCredentials) -> Option<&[u8]> {
    let ScVal::Vec(Some(signatures)) = &credentials.signature else {
        return None;
    };
    let ScVal::Map(Some(fields)) = signatures.first()? else {
        return None;
    };
    match &fields.get(1)?.val {
        ScVal::Bytes(bytes) => Some(bytes.as_slice()),
        _ => None,
    }
}

/// The key that a call of the contract is about.
pub(super) fn key_of(call: &InvokeContractArgs) -> String {
    let text = call.args.iter().find_map(|argument| match argument {
        ScVal::String(text) => text.to_utf8_string().ok(),
        _ => None,
    });
    text.unwrap_or_default()
}

/// Who gets what by a call, and under which references; nothing for a void.
pub(super) fn lines_of(call: &InvokeContractArgs) -> Vec<Line> {
    let [_, _, recipients, amounts, references] = call.args.as_slice() else {
        return Vec::new();
    };
    let amounts = list(amounts).iter().zip(list(references));
    let lines = list(recipients).iter().zip(amounts);
    lines
        .filter_map(|(recipient, (amount, reference))| {
            let (ScVal::I128(parts), ScVal::Bytes(reference)) = (amount, reference) else {
                return None;
            };
            let recipient = match recipient {
                ScVal::Address(ScAddress::Contract(ContractId(Hash(id)))) => {
                    Recipient::Contract(*id)
                }
                _ => return None,
            };
            let units = (i128::from(parts.hi) << 64) | i128::from(parts.lo);
            Some(Line {
                recipient,
                amount: Amount::new(units).ok()?,
                reference: Some(Reference(reference.as_slice().try_into().ok()?)),
            })
        })
        .collect()
}

fn list(value: &ScVal) -> &[ScVal] {
    match value {
        ScVal::Vec(Some(values)) => values.0.as_slice(),
        _ => &[],
    }
}
