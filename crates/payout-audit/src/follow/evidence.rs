//! A transaction's own words, from the node that gave its events or another.

use payout_engine::protocol::TxHash;
use payout_engine::rpc::{Event, Transaction, TransactionStatus};
use stellar_xdr::{ContractEvent, ReadXdr, ScVal, TransactionMeta};

use super::nodes::{Node, pause};
use super::{FollowError, Nodes};
use crate::archive::RawEvidence;
use crate::model::{EventId, LIMITS, encoded};

/// Looks at a node that should know a transaction and does not.
const TRIES: u32 = 5;

/// What was found.
pub(super) struct Found {
    envelope: String,
    result: String,
    returned: String,
    foreign: Vec<(u32, String)>,
}

impl Found {
    pub(super) fn raw(&self) -> RawEvidence<'_> {
        RawEvidence {
            envelope: &self.envelope,
            result: &self.result,
            returned: &self.returned,
            foreign: self
                .foreign
                .iter()
                .map(|(index, event)| (*index, event.as_str()))
                .collect(),
        }
    }
}

/// The evidence of the transaction of `events`; `None` where no node has it any more.
pub(super) async fn find(
    node: &Node,
    nodes: &Nodes,
    events: &[Event],
) -> Result<Option<Found>, FollowError> {
    let Some(first) = events.first() else {
        return Ok(None);
    };
    let mut hash = TxHash([0; 32]);
    hex::decode_to_slice(&first.tx_hash, &mut hash.0)
        .map_err(|_| node.lying(format!("transaction hash {:?}", first.tx_hash)))?;
    let others = nodes.all().iter().filter(|other| other.host != node.host);
    for asked in std::iter::once(node).chain(others) {
        let mut tries = 0;
        loop {
            let transaction = asked
                .ask(async |client| client.transaction(hash).await)
                .await?;
            let forgotten = first.ledger < transaction.oldest_ledger;
            if transaction.status == TransactionStatus::Success
                && let Some(found) = read(asked, transaction, events)?
            {
                return Ok(Some(found));
            }
            // A node that has not forgotten the ledger has the transaction too: it may lag for a moment.
            tries += 1;
            if forgotten || tries >= TRIES {
                break;
            }
            pause(tries).await;
        }
    }
    Ok(None)
}

fn read(
    node: &Node,
    transaction: Transaction,
    events: &[Event],
) -> Result<Option<Found>, FollowError> {
    let (Some(envelope), Some(result), Some(meta)) = (
        transaction.envelope_xdr,
        transaction.result_xdr,
        transaction.result_meta_xdr,
    ) else {
        return Ok(None);
    };
    let unreadable =
        |error: stellar_xdr::Error| node.lying(format!("metadata that cannot be read: {error}"));
    let meta = TransactionMeta::from_xdr_base64(&meta, LIMITS).map_err(unreadable)?;
    let Some((returned, all)) = contents(meta) else {
        return Ok(None);
    };
    let ours: Vec<u32> = events
        .iter()
        .filter_map(|event| event.id.parse::<EventId>().ok())
        .map(|id| id.index)
        .collect();
    let encode = |error: crate::model::ModelError| node.lying(error.to_string());
    let foreign = (0_u32..)
        .zip(&all)
        .filter(|(index, _)| !ours.contains(index))
        .map(|(index, event)| Ok((index, encoded(event).map_err(encode)?)))
        .collect::<Result<_, FollowError>>()?;
    Ok(Some(Found {
        envelope,
        result,
        returned: encoded(&returned).map_err(encode)?,
        foreign,
    }))
}

/// What a contract call returned, and its events.
fn contents(meta: TransactionMeta) -> Option<(ScVal, Vec<ContractEvent>)> {
    match meta {
        TransactionMeta::V3(meta) => {
            let soroban = meta.soroban_meta?;
            Some((soroban.return_value, soroban.events.into()))
        }
        TransactionMeta::V4(meta) => {
            let returned = meta.soroban_meta?.return_value?;
            let events = meta
                .operations
                .iter()
                .flat_map(|operation| operation.events.iter().cloned())
                .collect();
            Some((returned, events))
        }
        _ => None,
    }
}
