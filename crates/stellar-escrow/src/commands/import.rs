//! `stellar-escrow import`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use payout_engine::escrow::Facts;
use payout_engine::transaction::OperatorCall;
use payout_keys::IdempotencyKey;

use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, Plan, block_on};
use crate::output::{self, Record};

/// The most keys of one call.
const BATCH: usize = 30;

/// Marks keys as paid that another system has paid already, before the program is published. Stopped
/// anywhere, the same command goes on. The admin's.
#[derive(Args)]
pub(crate) struct Cmd {
    /// The keys: a CSV file with a column `key` or `idempotency_key`
    file: PathBuf,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        let keys = read(&self.file)?;
        block_on(async {
            let desk = Desk::open(&self.act).await?;
            let facts = desk.facts(&self.contract).await?;
            let records = desk.client.records(facts.contract, &keys).await?.records;
            let missing: Vec<IdempotencyKey> = keys
                .iter()
                .zip(records)
                .filter(|(_, record)| record.is_none())
                .map(|(key, _)| key.clone())
                .collect();
            let known = keys.len() - missing.len();
            let mut fee_charged = 0;
            let batches = missing.chunks(BATCH).len();
            if batches > 0 {
                fee_charged = import(&desk, &facts, &missing, known).await?;
            }
            let record = Record::default()
                .with("keys", keys.len())
                .with("known_before", known)
                .with("imported", missing.len())
                .with("transactions", batches)
                .with("fee_charged", fee_charged.to_string());
            Ok(output::one(record, desk.format)?)
        })
    }
}

/// Imports what is missing, batch by batch; what it cost.
async fn import(
    desk: &Desk,
    facts: &Facts,
    missing: &[IdempotencyKey],
    known: usize,
) -> Result<i64, Error> {
    let act = |keys: &[IdempotencyKey]| {
        let keys = keys.to_vec();
        OperatorCall::Import { keys }.act(facts.contract)
    };
    let batches = missing.chunks(BATCH).len();
    let first = missing.chunks(BATCH).next().unwrap_or_default();
    let cost = desk.prepare(&act(first)?).await?.cost();
    let count = i64::try_from(batches).unwrap_or(i64::MAX);
    desk.confirm(&Plan {
        contract: Some(format!(
            "{} (program {})",
            facts.contract, facts.program.program_id
        )),
        will: vec![format!(
            "import {} keys in {batches} transactions ({known} are known already); none of them \
             can ever pay",
            missing.len()
        )],
        fee: cost.most.saturating_mul(count),
        restores: cost.restores,
    })?;
    let mut charged = 0_i64;
    for (batch, number) in missing.chunks(BATCH).zip(1..) {
        let what = format!("import {} keys", batch.len());
        let done = desk.apply(&what, &act(batch)?, Some(cost.most)).await?;
        charged = charged.saturating_add(done.fee_charged);
        eprintln!(
            "{number} of {batches}: {} keys in ledger {}",
            batch.len(),
            done.ledger
        );
    }
    Ok(charged)
}

/// The keys of a file, each once, in its order.
fn read(path: &Path) -> Result<Vec<IdempotencyKey>, Error> {
    let file = |why: String| Error::File {
        path: path.to_owned(),
        why,
    };
    let mut reader = csv::Reader::from_path(path).map_err(|error| file(error.to_string()))?;
    let header = reader.headers().map_err(|error| file(error.to_string()))?;
    let named = |cell: &str| matches!(cell, "key" | "idempotency_key");
    let column = header
        .iter()
        .position(|cell| named(cell.trim_start_matches('\u{feff}')))
        .ok_or_else(|| file("has no column key or idempotency_key in its first line".to_owned()))?;
    let mut seen = BTreeSet::new();
    let mut keys = Vec::new();
    for (record, number) in reader.records().zip(2_u64..) {
        let record = record.map_err(|error| file(error.to_string()))?;
        let cell = record.get(column).unwrap_or_default();
        let key =
            IdempotencyKey::new(cell).map_err(|error| file(format!("row {number}: {error}")))?;
        if seen.insert(key.clone()) {
            keys.push(key);
        }
    }
    Ok(keys)
}
