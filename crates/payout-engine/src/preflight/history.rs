//! Which issuers of a code some accounts have begun to trust, as far as a node remembers.
//!
//! A node lists no trustlines: each has to be asked for by its asset. But every transaction has a
//! `fee` event with its payer as a topic, so an account's own transactions can be found, and in them
//! the trustlines it made. What is found only tells which trustlines to ask for, and what is not
//! found costs a better word alone. So a node that does not answer here is no error.

use std::collections::{BTreeMap, BTreeSet};

use payout_keys::Recipient;
use stellar_xdr::{
    AccountId, ChangeTrustAsset, FeeBumpTransactionInnerTx, Operation, OperationBody, PublicKey,
    ReadXdr, ScVal, TransactionEnvelope, Uint256, WriteXdr,
};

use crate::envelope::sc_address;
use crate::ledger::keys::symbol;
use crate::protocol::TxHash;
use crate::rpc::{Client, EventFilter, EventsFrom, LIMITS, RpcError};

/// Accounts whose transactions are looked for.
const MOST_ACCOUNTS: usize = 20;

/// Newest transactions of an account that are looked into.
const MOST_TRANSACTIONS: usize = 20;

/// Topics that one filter takes.
const TOPICS: usize = 5;

/// Calls for the events of one filter: each scans up to 10,000 ledgers, and a node remembers some
/// 120,960.
const MOST_PAGES: usize = 16;

/// Events of one page.
const PAGE: u32 = 1_000;

/// The issuers of `code` that transactions of `accounts` named in a change of trust.
pub(super) async fn issuers(
    client: &Client,
    code: &str,
    accounts: &[[u8; 32]],
) -> BTreeSet<[u8; 32]> {
    let mut found = BTreeSet::new();
    let accounts = accounts.get(..MOST_ACCOUNTS).unwrap_or(accounts);
    for some in accounts.chunks(TOPICS) {
        for hash in transactions(client, some).await.unwrap_or_default() {
            let Ok(transaction) = client.transaction(hash).await else {
                continue;
            };
            let envelope = transaction.envelope_xdr.as_ref();
            let envelope =
                envelope.and_then(|text| TransactionEnvelope::from_xdr_base64(text, LIMITS).ok());
            if let Some(envelope) = envelope {
                found.extend(
                    operations(&envelope)
                        .iter()
                        .filter_map(|op| trusted(op, code)),
                );
            }
        }
    }
    found
}

/// The newest transactions that each of `accounts` paid for.
async fn transactions(client: &Client, accounts: &[[u8; 32]]) -> Result<Vec<TxHash>, RpcError> {
    let health = client.health().await?;
    let topics = accounts.iter().map(|key| {
        let payer = ScVal::Address(sc_address(Recipient::Account(*key)));
        [symbol("fee"), payer]
            .iter()
            .map(|value| value.to_xdr_base64(LIMITS).unwrap_or_default())
            .collect()
    });
    let filter = EventFilter {
        contract_ids: Vec::new(),
        topics: topics.collect(),
    };
    let mut from = EventsFrom::Ledger(health.oldest_ledger);
    let mut by_payer: BTreeMap<String, Vec<TxHash>> = BTreeMap::new();
    for _ in 0..MOST_PAGES {
        let page = client.events(&from, None, &filter, PAGE).await?;
        for event in &page.events {
            let payer = event.topic.get(1).cloned().unwrap_or_default();
            let hashes = by_payer.entry(payer).or_default();
            match hash(&event.tx_hash) {
                Some(hash) if !hashes.contains(&hash) => hashes.push(hash),
                _ => {}
            }
        }
        let full = u32::try_from(page.events.len()).is_ok_and(|count| count >= PAGE);
        if !full && ledger_of(&page.cursor).is_none_or(|ledger| ledger >= page.latest_ledger) {
            break;
        }
        from = EventsFrom::Cursor(page.cursor);
    }
    Ok(by_payer
        .into_values()
        .flat_map(|hashes| hashes.into_iter().rev().take(MOST_TRANSACTIONS))
        .collect())
}

fn hash(text: &str) -> Option<TxHash> {
    let bytes = hex::decode(text).ok()?;
    Some(TxHash(bytes.try_into().ok()?))
}

/// The ledger in the upper half of a cursor's first number.
fn ledger_of(cursor: &str) -> Option<u32> {
    let (first, _) = cursor.split_once('-')?;
    let number: u64 = first.parse().ok()?;
    u32::try_from(number >> 32).ok()
}

fn operations(envelope: &TransactionEnvelope) -> &[Operation] {
    match envelope {
        TransactionEnvelope::TxV0(envelope) => envelope.tx.operations.as_slice(),
        TransactionEnvelope::Tx(envelope) => envelope.tx.operations.as_slice(),
        TransactionEnvelope::TxFeeBump(envelope) => match &envelope.tx.inner_tx {
            FeeBumpTransactionInnerTx::Tx(inner) => inner.tx.operations.as_slice(),
        },
    }
}

/// The issuer of `code` that an operation begins to trust.
fn trusted(operation: &Operation, code: &str) -> Option<[u8; 32]> {
    let OperationBody::ChangeTrust(change) = &operation.body else {
        return None;
    };
    let (bytes, issuer) = match &change.line {
        ChangeTrustAsset::CreditAlphanum4(asset) => (&asset.asset_code.0[..], &asset.issuer),
        ChangeTrustAsset::CreditAlphanum12(asset) => (&asset.asset_code.0[..], &asset.issuer),
        _ => return None,
    };
    let AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(issuer))) = issuer;
    let same = std::str::from_utf8(bytes).is_ok_and(|text| text.trim_end_matches('\0') == code);
    same.then_some(*issuer)
}
