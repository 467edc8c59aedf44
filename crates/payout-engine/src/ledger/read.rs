//! Reading entries, as many as asked for.

use std::collections::{BTreeMap, BTreeSet};

use stellar_xdr::{LedgerEntryData, LedgerKey, Limits, ReadXdr, WriteXdr};

use crate::rpc::{Client, LIMITS, LedgerEntry, MOST_ENTRIES, RpcError};

const METHOD: &str = "getLedgerEntries";

/// How long an entry lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Life {
    /// Until it is removed: accounts, trustlines, data entries.
    Unlimited,
    /// Up to and with this ledger.
    Until(u32),
    /// Its life is over. It is not gone: whoever touches it restores it at a cost.
    Archived,
}

/// An entry that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its value.
    pub data: LedgerEntryData,
    /// How long it lives.
    pub life: Life,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entries {
    found: BTreeMap<LedgerKey, Entry>,
    ledger: Option<u32>,
}

impl Entries {
    /// An entry; `None` if there is none.
    #[must_use]
    pub fn get(&self, key: &LedgerKey) -> Option<&Entry> {
        self.found.get(key)
    }

    /// The oldest ledger whose state was read; `None` if nothing was asked for.
    #[must_use]
    pub fn ledger(&self) -> Option<u32> {
        self.ledger
    }
}

/// Reads `keys`, each once, in pages of at most [`MOST_ENTRIES`]. Pages may be of different ledgers.
///
/// # Errors
/// [`RpcError`], also where an answer has an entry that was not asked for.
pub async fn read(
    client: &Client,
    keys: impl IntoIterator<Item = LedgerKey>,
) -> Result<Entries, RpcError> {
    let keys: Vec<LedgerKey> = keys
        .into_iter()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut entries = Entries::default();
    for page in keys.chunks(MOST_ENTRIES) {
        let encoded = page
            .iter()
            .map(|key| key.to_xdr_base64(Limits::none()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| unreadable(error.to_string()))?;
        let answer = client.ledger_entries(&encoded).await?;
        entries.ledger = Some(match entries.ledger {
            Some(ledger) => ledger.min(answer.latest_ledger),
            None => answer.latest_ledger,
        });
        for raw in &answer.entries {
            let (key, entry) = parse(raw)?;
            if page.binary_search(&key).is_err() {
                return Err(unreadable("an entry that was not asked for".to_owned()));
            }
            entries.found.insert(key, entry);
        }
    }
    Ok(entries)
}

fn parse(raw: &LedgerEntry) -> Result<(LedgerKey, Entry), RpcError> {
    let wrong = |error: stellar_xdr::Error| unreadable(error.to_string());
    let key = LedgerKey::from_xdr_base64(&raw.key, LIMITS).map_err(wrong)?;
    let data = LedgerEntryData::from_xdr_base64(&raw.xdr, LIMITS).map_err(wrong)?;
    let life = match (&key, raw.live_until_ledger_seq) {
        (LedgerKey::ContractData(_) | LedgerKey::ContractCode(_), Some(0)) => Life::Archived,
        (LedgerKey::ContractData(_) | LedgerKey::ContractCode(_), Some(ledger)) => {
            Life::Until(ledger)
        }
        (LedgerKey::ContractData(_) | LedgerKey::ContractCode(_), None) => {
            return Err(unreadable(
                "an entry of a contract without a lifetime".to_owned(),
            ));
        }
        _ => Life::Unlimited,
    };
    Ok((key, Entry { data, life }))
}

fn unreadable(why: String) -> RpcError {
    RpcError::Unreadable {
        method: METHOD,
        why,
    }
}
