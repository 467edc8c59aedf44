//! What was paid: one entry a slot, one line a row. Other machines explain slots with it.

mod read;
mod row;
mod write;

use std::collections::BTreeMap;

use payout_engine::Payout;
use payout_engine::payer::RunReport;
use payout_engine::ports::Network as _;
use payout_engine::run::{PaidSlot, Plan};
use payout_keys::{Reference, RunName};

use super::folder::Folder;
use super::prepare::Prepared;
use super::session::Session;

use read::Named;
pub(crate) use read::{candidates, paid};

/// How often a slot's transaction is looked for where this machine did not send it.
const LOOKS: u8 = 3;

/// The receipts of a run, written row by row: a long file is never in memory as text.
pub(crate) struct Receipts<'a> {
    session: &'a Session,
    prepared: &'a Prepared,
    report: Option<&'a RunReport>,
    plan: &'a Plan,
    /// Which transaction paid each slot, where it was found.
    transactions: BTreeMap<u32, String>,
    /// Rows of files before that are not in this one.
    named: BTreeMap<Reference, Named>,
}

/// Gathers what the last plan knows, and looks up transactions that this machine did not send.
pub(crate) async fn gather<'a>(
    session: &'a Session,
    prepared: &'a Prepared,
    report: Option<&'a RunReport>,
    folder: &Folder,
) -> Receipts<'a> {
    let plan = report.and_then(|report| report.plan.as_ref());
    let plan = plan.unwrap_or(&prepared.plan);
    let mut transactions = known(session, &prepared.order.place.run);
    for paid in &plan.slots {
        let slot = paid.slot.index;
        if !transactions.contains_key(&slot)
            && let Some(hash) = landed(session, prepared, paid).await
        {
            transactions.insert(slot, hash);
        }
    }
    let mut named = BTreeMap::new();
    if !plan.vanished.is_empty() {
        for path in folder.all_receipts() {
            named.extend(read::named(&path, &prepared.order.place));
        }
    }
    Receipts {
        session,
        prepared,
        report,
        plan,
        transactions,
        named,
    }
}

/// Which transactions this machine's journal has as paid.
fn known(session: &Session, run: &RunName) -> BTreeMap<u32, String> {
    let Some(journal) = &session.driver.store else {
        return BTreeMap::new();
    };
    // What cannot be read is looked up again.
    let known = journal.transactions(run).unwrap_or_default();
    known
        .into_iter()
        .map(|(slot, hash)| (slot, hash.to_string()))
        .collect()
}

/// The transaction that paid a slot, whoever sent it; `None` where the node has forgotten.
async fn landed(session: &Session, prepared: &Prepared, paid: &PaidSlot) -> Option<String> {
    let payout = Payout::new(paid.lines.to_vec()).ok()?;
    let key = prepared.order.place.key(paid.slot.index);
    for _ in 0..LOOKS {
        if let Ok(landed) = session.reader.landed(&key, paid.slot.record.ledger).await
            && let Some(found) = landed.into_iter().find(|found| found.payout == payout)
        {
            return Some(found.hash.to_string());
        }
    }
    None
}
