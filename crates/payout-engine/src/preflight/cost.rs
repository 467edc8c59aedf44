//! What paying costs, by kind of recipient, from simulations.

use std::collections::{BTreeMap, BTreeSet};

use super::error::PreflightError;
use super::judge::{Ask, Kind, Verdict};
use super::probe::{Probe, simulate};
use crate::Line;
use crate::escrow::Facts;
use crate::rpc::Client;

/// What one kind of recipient costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindCost {
    /// The kind.
    pub kind: Kind,
    /// Payable rows of this kind.
    pub rows: usize,
    /// The resource fee of a payout to one of them alone, in stroops.
    pub alone: i64,
    /// What each further one in a batch adds, in stroops; `None` where there is one alone.
    pub each: Option<i64>,
    /// Archived entries that the simulated batch would restore.
    pub restores: u32,
}

/// What paying costs, by kind. Kinds whose simulation was refused are missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Costs {
    /// One for each kind there is.
    pub kinds: Vec<KindCost>,
}

impl Costs {
    /// What a batch costs before anybody is in it, in stroops: its record above all. 0 if no kind
    /// has two rows to tell it from.
    #[must_use]
    pub fn base(&self) -> i64 {
        self.kinds
            .iter()
            .filter_map(|kind| Some(kind.alone.saturating_sub(kind.each?)))
            .min()
            .unwrap_or(0)
    }

    /// An estimate for all payable rows in `batches` batches, in stroops; `None` if too large.
    #[must_use]
    pub fn estimate(&self, batches: u32) -> Option<i64> {
        let base = self.base();
        let mut sum = base.checked_mul(i64::from(batches))?;
        for kind in &self.kinds {
            let each = kind.each.unwrap_or(kind.alone.saturating_sub(base));
            sum = sum.checked_add(each.checked_mul(i64::try_from(kind.rows).ok()?)?)?;
        }
        Some(sum)
    }
}

/// Measures each kind among the payable rows: one simulation of a payout to one of them, and one of
/// a batch of as many as the contract takes.
///
/// # Errors
/// [`PreflightError`].
pub async fn costs(
    client: &Client,
    facts: &Facts,
    probe: &Probe<'_>,
    asks: &[Ask],
    verdicts: &[Verdict],
) -> Result<Costs, PreflightError> {
    let mut kinds: BTreeMap<Kind, Vec<&Line>> = BTreeMap::new();
    for (ask, verdict) in asks.iter().zip(verdicts) {
        if let Verdict::Pay(kind) = verdict {
            kinds.entry(*kind).or_default().push(&ask.line);
        }
    }
    let most = usize::try_from(facts.max_batch).unwrap_or(usize::MAX);
    let mut costs = Costs::default();
    for (kind, lines) in kinds {
        let mut seen = BTreeSet::new();
        let sample: Vec<Line> = lines
            .iter()
            .filter(|line| seen.insert(line.recipient))
            .take(most)
            .map(|line| (*line).clone())
            .collect();
        let first: Vec<Line> = sample.iter().take(1).cloned().collect();
        let Ok(alone) = simulate(client, facts, probe, first).await? else {
            continue;
        };
        let (mut each, mut restores) = (None, alone.restores);
        let further = i64::try_from(sample.len()).unwrap_or(i64::MAX) - 1;
        if further > 0
            && let Ok(all) = simulate(client, facts, probe, sample).await?
        {
            // Rounded up: an estimate is not to be short.
            let added = all.fee.saturating_sub(alone.fee).max(0);
            each = Some(added.saturating_add(further - 1) / further);
            restores = all.restores;
        }
        costs.kinds.push(KindCost {
            kind,
            rows: lines.len(),
            alone: alone.fee,
            each,
            restores,
        });
    }
    Ok(costs)
}
