//! Simulating batches that are never sent.

use std::collections::BTreeMap;

use payout_keys::{IdempotencyKey, Recipient};
use stellar_xdr::{ReadXdr, SorobanTransactionData, SorobanTransactionDataExt};

use super::diagnose::{Fault, bisect};
use super::error::PreflightError;
use super::judge::Ask;
use super::obstacle::Obstacle;
use super::reason::Reason;
use crate::envelope::{draft, payout_call};
use crate::escrow::Facts;
use crate::protocol::Refusal;
use crate::rpc::{Client, LIMITS, RpcError, Simulated, refusal};
use crate::{Line, Payout};

/// How batches are simulated.
#[derive(Debug, Clone, Copy)]
pub struct Probe<'a> {
    /// The account that would send. It need not exist.
    pub source: Recipient,
    /// Who would authorise.
    pub caller: Recipient,
    /// A key that is not used: under a used one nothing is paid, and everything passes.
    pub key: &'a IdempotencyKey,
}

/// What a batch would cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Passed {
    /// The resource fee in stroops.
    pub(super) fee: i64,
    /// Archived entries that it would restore.
    pub(super) restores: u32,
}

/// Simulates one batch.
pub(super) async fn simulate(
    client: &Client,
    facts: &Facts,
    probe: &Probe<'_>,
    lines: Vec<Line>,
) -> Result<Result<Passed, Refusal>, PreflightError> {
    let payout = Payout::new(lines)?;
    let call = payout_call(facts.contract, probe.caller, probe.key, &payout)?;
    let envelope = draft(probe.source, 1, call)?;
    let success = match client.simulate(&envelope).await? {
        Simulated::Refused {
            error,
            latest_ledger,
        } => return Ok(Err(refusal(&error, latest_ledger))),
        Simulated::Success(success) => success,
    };
    let data = SorobanTransactionData::from_xdr_base64(&success.transaction_data, LIMITS).map_err(
        |error| RpcError::Unreadable {
            method: "simulateTransaction",
            why: error.to_string(),
        },
    )?;
    let restores = match data.ext {
        SorobanTransactionDataExt::V0 => 0,
        SorobanTransactionDataExt::V1(ext) => ext.archived_soroban_entries.len(),
    };
    Ok(Ok(Passed {
        fee: success.min_resource_fee,
        restores: u32::try_from(restores).unwrap_or(u32::MAX),
    }))
}

/// What simulations of all rows brought.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confirmed {
    /// Rows that are refused, by their place.
    pub refused: Vec<(usize, Reason)>,
    /// What is refused and is no row's fault.
    pub obstacles: Vec<Obstacle>,
}

/// Simulates every row of `asks`, in batches as large as the contract takes, and finds the rows that
/// are refused. For rows that [`check`](super::check) found payable: what it cannot know of a token,
/// its code tells here.
///
/// # Errors
/// [`PreflightError`].
pub async fn confirm(
    client: &Client,
    facts: &Facts,
    probe: &Probe<'_>,
    asks: &[Ask],
) -> Result<Confirmed, PreflightError> {
    let mut confirmed = Confirmed::default();
    for batch in batches(asks, facts.max_batch) {
        let lines = |rows: &[usize]| -> Vec<Line> {
            rows.iter()
                .filter_map(|row| asks.get(*row))
                .map(|ask| ask.line.clone())
                .collect()
        };
        if simulate(client, facts, probe, lines(&batch)).await?.is_ok() {
            continue;
        }
        match bisect(client, facts, probe, &lines(&batch)).await? {
            Fault::None => {}
            Fault::Rows(rows) => {
                let named = |(at, reason)| batch.get(at).map(|row| (*row, reason));
                confirmed.refused.extend(rows.into_iter().filter_map(named));
            }
            Fault::Escrow(obstacles) => {
                for obstacle in obstacles {
                    if !confirmed.obstacles.contains(&obstacle) {
                        confirmed.obstacles.push(obstacle);
                    }
                }
            }
        }
    }
    confirmed.refused.sort_by_key(|(row, _)| *row);
    Ok(confirmed)
}

/// Rows in batches of at most `most`, no recipient twice in one.
pub(super) fn batches(asks: &[Ask], most: u32) -> Vec<Vec<usize>> {
    let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
    let mut times: BTreeMap<Recipient, usize> = BTreeMap::new();
    let mut layers: Vec<Vec<usize>> = Vec::new();
    for (row, ask) in asks.iter().enumerate() {
        let time = times.entry(ask.line.recipient).or_default();
        match layers.get_mut(*time) {
            Some(layer) => layer.push(row),
            None => layers.push(vec![row]),
        }
        *time = time.saturating_add(1);
    }
    layers
        .iter()
        .flat_map(|layer| layer.chunks(most))
        .map(<[usize]>::to_vec)
        .collect()
}
