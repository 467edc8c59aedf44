//! What a transaction shows of a refund: the token coming back, and its lock in the contract.

use payout_engine::envelope::envelope_hash;
use payout_engine::protocol::TxHash;
use payout_engine::rpc::{Client, Transaction, TransactionStatus};
use payout_keys::{ContractId, Deployment, Recipient};
use stellar_xdr::{
    ContractEvent, ContractEventBody, Int128Parts, Limits, ReadXdr, ScAddress, ScVal,
    TransactionEnvelope, TransactionMeta,
};

/// The largest metadata that is read, and how deep it may be.
const LIMITS: Limits = Limits {
    depth: 500,
    len: 8 * 1024 * 1024,
};

/// A movement of the token, or a lock of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) from: Recipient,
    /// The receiver of a transfer; the contract for a lock.
    pub(crate) to: Recipient,
    pub(crate) amount: i128,
}

/// What a transaction that succeeded did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The hash that the ledger has it under. A node finds a fee bump by its inner hash as well; were
    /// that another name for the same transfer, it could be shown twice.
    pub(crate) hash: TxHash,
    pub(crate) ledger: u32,
    pub(crate) transfers: Vec<Moved>,
    pub(crate) locks: Vec<Moved>,
}

/// Why a transaction shows nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvidenceError {
    #[error("no node could be asked: {0}")]
    Unanswered(String),
    #[error("no node knows a transaction {0} that succeeded")]
    NotFound(String),
    #[error("what transaction {0} did cannot be read")]
    Unreadable(String),
}

/// Reads from the first node that knows it what a transaction did with `token` and the escrow.
///
/// The evidence is the token's own events, so it does not matter how the recipient sent it back: by a
/// call of the token, or by a classic payment, for which a node that follows CAP-67 shows the same
/// `transfer`. A payment to the asset's issuer is a `burn` there, and shows nobody who could lock it.
pub(crate) async fn shown(
    nodes: &[Client],
    hash: TxHash,
    token: ContractId,
    deployment: Deployment,
) -> Result<Shown, EvidenceError> {
    let escrow = deployment.contract;
    let mut unanswered = None;
    for node in nodes {
        let found = match node.transaction(hash).await {
            Ok(found) => found,
            Err(error) => {
                unanswered = Some(error.to_string());
                continue;
            }
        };
        if found.status != TransactionStatus::Success {
            continue;
        }
        let unreadable = || EvidenceError::Unreadable(hash.to_string());
        let mut shown = Shown {
            hash: own_hash(&found, deployment).ok_or_else(unreadable)?,
            ledger: found.ledger,
            transfers: Vec::new(),
            locks: Vec::new(),
        };
        let events = found
            .result_meta_xdr
            .and_then(|xdr| TransactionMeta::from_xdr_base64(xdr, LIMITS).ok())
            .and_then(events)
            .ok_or_else(unreadable)?;
        for event in &events {
            let ContractEventBody::V0(body) = &event.body;
            let Some(by) = event.contract_id.as_ref().map(|id| ContractId(id.0.0)) else {
                continue;
            };
            let topics: Vec<&ScVal> = body.topics.iter().collect();
            if by == token {
                shown.transfers.extend(transfer(&topics, &body.data));
            } else if by == escrow {
                shown.locks.extend(lock(&topics, &body.data, escrow));
            }
        }
        return Ok(shown);
    }
    Err(match unanswered {
        Some(why) => EvidenceError::Unanswered(why),
        None => EvidenceError::NotFound(hash.to_string()),
    })
}

fn own_hash(found: &Transaction, deployment: Deployment) -> Option<TxHash> {
    let envelope = found.envelope_xdr.as_ref()?;
    let envelope = TransactionEnvelope::from_xdr_base64(envelope, LIMITS).ok()?;
    envelope_hash(deployment.network, &envelope).ok()
}

fn events(meta: TransactionMeta) -> Option<Vec<ContractEvent>> {
    match meta {
        TransactionMeta::V3(meta) => Some(
            meta.soroban_meta
                .map(|soroban| soroban.events.to_vec())
                .unwrap_or_default(),
        ),
        TransactionMeta::V4(meta) => Some(
            meta.operations
                .iter()
                .flat_map(|operation| operation.events.iter().cloned())
                .collect(),
        ),
        _ => None,
    }
}

fn transfer(topics: &[&ScVal], data: &ScVal) -> Option<Moved> {
    let [name, from, to, ..] = topics else {
        return None;
    };
    Some(Moved {
        from: named(name, "transfer").then(|| address(from))??,
        to: address(to)?,
        amount: integer(data).or_else(|| integer(field(data, "amount")?))?,
    })
}

fn lock(topics: &[&ScVal], data: &ScVal, escrow: ContractId) -> Option<Moved> {
    let [name, ..] = topics else { return None };
    Some(Moved {
        from: named(name, "FundLock").then(|| field(data, "actor").and_then(address))??,
        to: Recipient::Contract(escrow.0),
        amount: integer(field(data, "amount")?)?,
    })
}

pub(crate) fn named(value: &ScVal, name: &str) -> bool {
    matches!(value, ScVal::Symbol(symbol) if symbol.0.as_slice() == name.as_bytes())
}

pub(crate) fn field<'a>(value: &'a ScVal, name: &str) -> Option<&'a ScVal> {
    let ScVal::Map(Some(map)) = value else {
        return None;
    };
    map.iter()
        .find(|entry| named(&entry.key, name))
        .map(|entry| &entry.val)
}

pub(crate) fn integer(value: &ScVal) -> Option<i128> {
    match value {
        ScVal::I128(Int128Parts { hi, lo }) => Some((i128::from(*hi) << 64) | i128::from(*lo)),
        _ => None,
    }
}

fn address(value: &ScVal) -> Option<Recipient> {
    match value {
        ScVal::Address(ScAddress::Account(account)) => {
            let stellar_xdr::PublicKey::PublicKeyTypeEd25519(key) = &account.0;
            Some(Recipient::Account(key.0))
        }
        ScVal::Address(ScAddress::Contract(id)) => Some(Recipient::Contract(id.0.0)),
        _ => None,
    }
}
