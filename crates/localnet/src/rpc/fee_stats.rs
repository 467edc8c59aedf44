//! `getFeeStats`.

use serde_json::{Map, Value, json};

use super::{RpcError, wire};
use crate::node::Node;

/// Ledgers looked at for classic transactions.
const CLASSIC_LEDGERS: u32 = 10;
/// Ledgers looked at for contract transactions.
const CONTRACT_LEDGERS: u32 = 50;

#[allow(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(super) fn get_fee_stats(node: &mut Node, _: &Value) -> Result<Value, RpcError> {
    let view = node.view();
    Ok(json!({
        "sorobanInclusionFee": window(node, view.latest, CONTRACT_LEDGERS, true),
        "inclusionFee": window(node, view.latest, CLASSIC_LEDGERS, false),
        "latestLedger": view.latest,
    }))
}

fn window(node: &Node, latest: u32, ledgers: u32, contract: bool) -> Value {
    let first = latest.saturating_add(1).saturating_sub(ledgers);
    let oldest = node.ledger.chain.oldest();
    let mut fees: Vec<i64> = node
        .ledger
        .history
        .range(first, latest)
        .flat_map(|(_, record)| &record.transactions)
        .filter(|tx| tx.contract == contract)
        .map(|tx| tx.inclusion_fee)
        .collect();
    fees.sort_unstable();
    let mut stats = Map::new();
    let mut put = |name: &str, fee: i64| stats.insert(name.to_owned(), wire::text(fee));
    put("max", fees.last().copied().unwrap_or(0));
    put("min", fees.first().copied().unwrap_or(0));
    put("mode", mode(&fees));
    for percent in [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99] {
        put(&format!("p{percent}"), percentile(&fees, percent));
    }
    let seen = latest.saturating_add(1).saturating_sub(first.max(oldest));
    stats.insert("transactionCount".to_owned(), wire::text(fees.len()));
    stats.insert("ledgerCount".to_owned(), json!(seen));
    Value::Object(stats)
}

/// The nearest-rank percentile of sorted fees.
fn percentile(sorted: &[i64], percent: usize) -> i64 {
    let rank = (percent * sorted.len()).div_ceil(100);
    rank.checked_sub(1)
        .and_then(|index| sorted.get(index))
        .copied()
        .unwrap_or(0)
}

/// The most frequent of sorted fees, the lowest of several.
fn mode(sorted: &[i64]) -> i64 {
    sorted
        .chunk_by(|a, b| a == b)
        .rev()
        .max_by_key(|run| run.len())
        .and_then(|run| run.first())
        .copied()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let fees = [100, 100, 200, 300, 1_000];
        assert_eq!(percentile(&fees, 10), 100);
        assert_eq!(percentile(&fees, 50), 200);
        assert_eq!(percentile(&fees, 80), 300);
        assert_eq!(percentile(&fees, 99), 1_000);
        assert_eq!(percentile(&[], 50), 0);
        assert_eq!(mode(&fees), 100);
        assert_eq!(mode(&[]), 0);
    }
}
