//! Which rows a refused batch fails on.

use super::check::{Options, check};
use super::error::PreflightError;
use super::judge::{Ask, Verdict};
use super::obstacle::Obstacle;
use super::probe::{Probe, simulate};
use super::reason::Reason;
use crate::Line;
use crate::escrow::{Facts, Wanted, read};
use crate::protocol::Refusal;
use crate::rpc::Client;

/// Contract errors that a row can bring about: a recipient, an amount, the token's refusal. All
/// others are about the escrow or the batch as a whole.
const OF_ROWS: [u32; 5] = [403, 404, 405, 503, 600];

/// What a refused batch fails on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nothing any more: it passes now.
    None,
    /// These rows, by their place in the batch. The others pass without them.
    Rows(Vec<(usize, Reason)>),
    /// The escrow's own side, or the batch as a whole. No row is at fault.
    Escrow(Vec<Obstacle>),
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The facts as they were read for it.
    pub facts: Facts,
    /// What the batch fails on.
    pub fault: Fault,
}

/// Finds what a batch fails on now: the escrow's side first, then the rows by what the ledger says,
/// then by simulating parts of the batch.
///
/// # Errors
/// [`PreflightError`].
pub async fn diagnose(
    client: &Client,
    wanted: &Wanted<'_>,
    asks: &[Ask],
    options: &Options<'_>,
    probe: &Probe<'_>,
) -> Result<Diagnosis, PreflightError> {
    let facts = read(client, wanted).await?;
    let report = check(client, &facts, asks, options).await?;
    let mut at_fault: Vec<(usize, Reason)> = Vec::new();
    let mut payable: Vec<(usize, Line)> = Vec::new();
    for (row, (ask, verdict)) in asks.iter().zip(report.verdicts).enumerate() {
        match verdict {
            Verdict::Pay(_) => payable.push((row, ask.line.clone())),
            Verdict::Reject(reason) => at_fault.push((row, reason)),
        }
    }
    let found = |fault| Diagnosis {
        fault,
        facts: facts.clone(),
    };
    if !report.obstacles.is_empty() {
        return Ok(found(Fault::Escrow(report.obstacles)));
    }
    if !payable.is_empty() {
        let lines: Vec<Line> = payable.iter().map(|(_, line)| line.clone()).collect();
        match bisect(client, &facts, probe, &lines).await? {
            Fault::None => {}
            Fault::Escrow(obstacles) => return Ok(found(Fault::Escrow(obstacles))),
            Fault::Rows(rows) => at_fault.extend(
                rows.into_iter()
                    .filter_map(|(at, reason)| Some((payable.get(at)?.0, reason))),
            ),
        }
    }
    at_fault.sort_by_key(|(row, _)| *row);
    Ok(found(if at_fault.is_empty() {
        Fault::None
    } else {
        Fault::Rows(at_fault)
    }))
}

/// Halves a batch until single rows are refused. Rows that pass apart and are refused together are
/// nobody's fault, and where every one of several is refused alone, the token is taken to refuse the
/// escrow.
pub(super) async fn bisect(
    client: &Client,
    facts: &Facts,
    probe: &Probe<'_>,
    lines: &[Line],
) -> Result<Fault, PreflightError> {
    let mut rows = Vec::new();
    let mut parts = Vec::from([(0, lines.len())]);
    let (mut together, mut last) = (None, None);
    while let Some((start, end)) = parts.pop() {
        let batch = lines.get(start..end).unwrap_or_default();
        let Err(refused) = simulate(client, facts, probe, batch.to_vec()).await? else {
            continue;
        };
        let of_rows = match refused.contract_error {
            Some(number) => OF_ROWS.contains(&number),
            // The host's limits: a smaller part may keep within them.
            None => true,
        };
        if !of_rows {
            return Ok(Fault::Escrow(vec![refused_by_escrow(&refused)]));
        }
        if batch.len() == 1 {
            rows.push((start, refused_row(&refused)));
            last = Some(refused);
            continue;
        }
        together = Some(refused);
        let middle = start + batch.len() / 2;
        parts.extend([(middle, end), (start, middle)]);
    }
    if let Some(refused) = last.filter(|_| lines.len() > 1 && rows.len() == lines.len()) {
        return Ok(Fault::Escrow(vec![refused_by_escrow(&refused)]));
    }
    rows.sort_by_key(|(row, _)| *row);
    Ok(match together {
        _ if !rows.is_empty() => Fault::Rows(rows),
        Some(refused) => Fault::Escrow(vec![Obstacle::RefusedTogether {
            text: short(&refused.text),
        }]),
        None => Fault::None,
    })
}

fn refused_row(refused: &Refusal) -> Reason {
    Reason::Refused {
        contract_error: refused.contract_error,
        text: short(&refused.text),
    }
}

fn refused_by_escrow(refused: &Refusal) -> Obstacle {
    Obstacle::Refused {
        contract_error: refused.contract_error,
        text: short(&refused.text),
    }
}

/// The first line of a node's text; the rest is its log.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(300).collect()
}
