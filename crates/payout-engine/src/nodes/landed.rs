//! Which transaction paid: by the contract's events of one ledger, then by hash.

use payout_keys::{ContractId, IdempotencyKey};
use stellar_xdr::{ReadXdr, TransactionEnvelope};

use crate::envelope::payouts_under;
use crate::ports::Landed;
use crate::protocol::TxHash;
use crate::rpc::{Client, EventFilter, EventsFrom, LIMITS, RpcError};

/// Events of a page. A ledger holds some hundred transactions.
const PAGE: u32 = 1_000;

/// Every transaction of `ledger` in which `contract` emitted something and that asked it for a payout
/// under `key`.
pub(super) async fn find(
    client: &Client,
    contract: ContractId,
    key: &IdempotencyKey,
    ledger: u32,
) -> Result<Vec<Landed>, RpcError> {
    let filter = EventFilter {
        contract_ids: vec![contract.to_string()],
        topics: Vec::new(),
    };
    let mut hashes: Vec<TxHash> = Vec::new();
    let mut from = EventsFrom::Ledger(ledger);
    let end = ledger.checked_add(1);
    loop {
        let page = client.events(&from, end, &filter, PAGE).await?;
        let full = page.events.len() >= PAGE as usize;
        for event in page.events.iter().filter(|event| event.ledger == ledger) {
            if let Some(hash) = hash(&event.tx_hash)
                && !hashes.contains(&hash)
            {
                hashes.push(hash);
            }
        }
        if !full {
            break;
        }
        from = EventsFrom::Cursor(page.cursor);
    }
    let mut landed = Vec::new();
    for hash in hashes {
        let found = client.transaction(hash).await?;
        let Some(xdr) = found.envelope_xdr.filter(|_| found.ledger == ledger) else {
            continue;
        };
        let envelope = TransactionEnvelope::from_xdr_base64(&xdr, LIMITS).map_err(|error| {
            RpcError::Unreadable {
                method: "getTransaction",
                why: error.to_string(),
            }
        })?;
        let payouts = payouts_under(contract, key, &envelope);
        landed.extend(payouts.into_iter().map(|payout| Landed { hash, payout }));
    }
    Ok(landed)
}

fn hash(text: &str) -> Option<TxHash> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(TxHash(bytes))
}
