//! Reading what the ledger says of all recipients, and judging by it.

use std::collections::{BTreeMap, BTreeSet};

use payout_keys::Recipient;
use stellar_xdr::{LedgerEntryData, LedgerHeader, LedgerKey, ReadXdr};

use super::error::PreflightError;
use super::history;
use super::judge::{Ask, Verdict, judge};
use super::obstacle::{Obstacle, Source, obstacles};
use super::standing::{AccountRoom, Standing, keys_of, trusts};
use crate::escrow::{CreditAsset, Facts};
use crate::ledger::{self, keys};
use crate::rpc::{Client, LIMITS, RpcError};

/// Recipients that are read at once: three entries each, and a node takes 200 keys.
const RECIPIENTS: usize = 66;
/// What one entry of an account costs in reserve, in stroops, where a node does not tell.
const BASE_RESERVE: i64 = 5_000_000;

/// What is asked beside the rows.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// Who would authorise: the payout key or a delegate.
    pub caller: Recipient,
    /// The account that would send, and what it needs for fees in stroops.
    pub source: Option<(Recipient, i64)>,
    /// Issuers whose assets of the same code payees may trust by mistake. A node lists no
    /// trustlines: only those that are named here can be recognised, and those that a payee began
    /// to trust while the node remembers.
    pub other_issuers: &'a [[u8; 32]],
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The oldest ledger whose state was read.
    pub ledger: u32,
    /// One verdict a row, in their order.
    pub verdicts: Vec<Verdict>,
    /// What stands in the way of paying all payable rows at once, on the escrow's side.
    pub obstacles: Vec<Obstacle>,
    /// The sum of all payable rows, in units.
    pub payable: i128,
}

/// Judges each row and the escrow's own side. `facts` are read right before.
///
/// # Errors
/// [`PreflightError`].
pub async fn check(
    client: &Client,
    facts: &Facts,
    asks: &[Ask],
    options: &Options<'_>,
) -> Result<Report, PreflightError> {
    let recipients: BTreeSet<Recipient> = asks.iter().map(|ask| ask.line.recipient).collect();
    let base_reserve = base_reserve(client).await?;
    let (standings, mut ledger) =
        standings(client, facts, &recipients, base_reserve, options).await?;
    let verdicts = judge(facts, base_reserve, &standings, asks);
    let payable = asks
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| matches!(verdict, Verdict::Pay(_)))
        .fold(0_i128, |sum, (ask, _)| {
            sum.saturating_add(ask.line.amount.units())
        });
    let source = match options.source {
        None => None,
        Some((address, needed)) => {
            let (spendable, at) = spendable(client, address, base_reserve).await?;
            ledger = ledger.min(at);
            Some(Source {
                address,
                spendable,
                needed,
            })
        }
    };
    Ok(Report {
        ledger: ledger.min(facts.at.ledger),
        obstacles: obstacles(facts, options.caller, source.as_ref(), payable),
        verdicts,
        payable,
    })
}

/// The network's base reserve, from the latest header if the node shows it.
async fn base_reserve(client: &Client) -> Result<i64, RpcError> {
    let latest = client.latest_ledger().await?;
    let header = latest.header_xdr.filter(|text| !text.is_empty());
    let Some(header) = header else {
        return Ok(BASE_RESERVE);
    };
    let header =
        LedgerHeader::from_xdr_base64(&header, LIMITS).map_err(|error| RpcError::Unreadable {
            method: "getLatestLedger",
            why: error.to_string(),
        })?;
    Ok(i64::from(header.base_reserve))
}

async fn standings(
    client: &Client,
    facts: &Facts,
    recipients: &BTreeSet<Recipient>,
    base_reserve: i64,
    options: &Options<'_>,
) -> Result<(BTreeMap<Recipient, Standing>, u32), PreflightError> {
    let token = &facts.token;
    let mut standings = BTreeMap::new();
    let mut ledger = None;
    let recipients: Vec<Recipient> = recipients.iter().copied().collect();
    // Entries are let go as soon as they are judged: a long file has tens of thousands.
    for page in recipients.chunks(RECIPIENTS) {
        let keys: Vec<LedgerKey> = page
            .iter()
            .flat_map(|recipient| keys_of(token, *recipient))
            .collect();
        let entries = ledger::read(client, keys).await?;
        for recipient in page {
            let standing = Standing::of(token, *recipient, &entries, base_reserve)?;
            standings.insert(*recipient, standing);
        }
        ledger = entries.ledger().into_iter().chain(ledger).min();
    }
    let ledger = ledger.unwrap_or(facts.at.ledger);
    if let Some(asset) = token.asset() {
        find_others(client, asset, options.other_issuers, &mut standings).await?;
    }
    Ok((standings, ledger))
}

/// Looks at accounts without the asset's trustline for one of the same code and another issuer.
async fn find_others(
    client: &Client,
    asset: &CreditAsset,
    issuers: &[[u8; 32]],
    standings: &mut BTreeMap<Recipient, Standing>,
) -> Result<(), RpcError> {
    let lacking: Vec<[u8; 32]> = standings
        .iter()
        .filter_map(|(recipient, standing)| match (recipient, standing) {
            (
                Recipient::Account(key),
                Standing::Account {
                    room: Some(_),
                    trust: None,
                    ..
                },
            ) if *key != asset.issuer => Some(*key),
            _ => None,
        })
        .collect();
    let mut issuers: BTreeSet<[u8; 32]> = issuers.iter().copied().collect();
    issuers.extend(history::issuers(client, &asset.code, &lacking).await);
    issuers.remove(&asset.issuer);
    let others: Vec<CreditAsset> = issuers
        .into_iter()
        .map(|issuer| CreditAsset {
            code: asset.code.clone(),
            issuer,
        })
        .collect();
    let keys = lacking.iter().flat_map(|key| {
        others
            .iter()
            .map(|other| keys::trustline(*key, other.to_xdr()))
    });
    let entries = ledger::read(client, keys).await?;
    for key in lacking {
        if let Some(Standing::Account { others: found, .. }) =
            standings.get_mut(&Recipient::Account(key))
        {
            let trusted = others
                .iter()
                .filter(|other| trusts(&entries, key, other).is_some());
            found.extend(trusted.cloned());
        }
    }
    Ok(())
}

/// What an account can spend, and the ledger as of which.
async fn spendable(
    client: &Client,
    address: Recipient,
    base_reserve: i64,
) -> Result<(Option<i64>, u32), RpcError> {
    let Recipient::Account(key) = address else {
        // A contract sends nothing.
        return Ok((None, u32::MAX));
    };
    let key = keys::account(key);
    let entries = ledger::read(client, [key.clone()]).await?;
    let spendable = entries.get(&key).and_then(|entry| match &entry.data {
        LedgerEntryData::Account(account) => {
            Some(AccountRoom::of(account, base_reserve).spendable())
        }
        _ => None,
    });
    Ok((spendable, entries.ledger().unwrap_or(u32::MAX)))
}
