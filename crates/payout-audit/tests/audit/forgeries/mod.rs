//! The kinds of forgery. Where an archive is forged its chain is made anew, so that it holds.

mod archives;
mod marks;
mod money;
mod nodes;
mod obligations;
mod transactions;

use payout_audit::books::key_digest;
use payout_engine::Record;

use crate::case::Case;

/// One kind.
pub(crate) struct Forgery {
    pub(crate) name: &'static str,
    /// The check that finds it, then the others that do.
    pub(crate) found_by: &'static [&'static str],
    pub(crate) forge: fn(&mut Case),
}

/// Where transactions of the story are.
const LOCK: usize = 1;
const K1: usize = 2;
const K2: usize = 3;
const REPLAY: usize = 5;
const CONFLICT: usize = 6;
const VOID: usize = 7;
const K5: usize = 8;
const WITHDRAWAL: usize = 9;

macro_rules! forgery {
    ($name:literal, [$($by:literal),+], $forge:expr) => {
        Forgery { name: $name, found_by: &[$($by),+], forge: $forge }
    };
}
use forgery;

/// All kinds.
pub(crate) fn all() -> Vec<Forgery> {
    let mut all = money::all();
    all.extend(marks::all());
    all.extend(transactions::all());
    all.extend(archives::all());
    all.extend(nodes::all());
    all.extend(obligations::all());
    all
}

fn place(ledger: u32) -> String {
    format!("{:019}", u64::from(ledger) << 32 | 1 << 12)
}

fn record<'a>(case: &'a mut Case, key: &str) -> &'a mut Record {
    case.chain()
        .records
        .get_mut(&key_digest(key))
        .expect("a record")
}

fn owed(case: &mut Case, from: &str, to: &str) {
    let text = case.owed.as_mut().expect("obligations");
    let changed = text.replacen(from, to, 1);
    assert_ne!(*text, changed);
    *text = changed;
}
