//! What checks see at the end.

use std::collections::{BTreeMap, HashMap};

use payout_engine::Record;
use payout_engine::escrow::Program;
use payout_keys::Fingerprint;

use crate::books::{Books, KeyDigest, World};
use crate::model::Subject;

/// Which ledgers were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The first ledger and the last.
    pub range: Option<(u32, u32)>,
    /// Ranges inside that nobody read: gaps that are stated, and holes that are not.
    pub missing: Vec<(u32, u32)>,
}

impl Coverage {
    /// Whether ledger `ledger` was read.
    #[must_use]
    pub fn has(&self, ledger: u32) -> bool {
        self.range
            .is_some_and(|(from, to)| (from..=to).contains(&ledger))
            && !self
                .missing
                .iter()
                .any(|(from, to)| (*from..=*to).contains(&ledger))
    }

    /// Whether it was read from the first ledger there is, without a gap.
    #[must_use]
    pub fn whole(&self) -> bool {
        self.missing.is_empty() && self.range.is_some_and(|(from, _)| from <= 1)
    }

    /// Takes in `from` to `to`, which were read or not.
    pub fn add(&mut self, from: u32, to: u32, read: bool) {
        match &mut self.range {
            None => self.range = Some((from, to)),
            Some((_, last)) => {
                if from > last.saturating_add(1) {
                    self.missing.push((*last + 1, from - 1));
                }
                *last = to.max(*last);
            }
        }
        if !read {
            self.missing.push((from, to));
        }
    }

    /// The ranges that were read, in words.
    #[must_use]
    pub fn text(&self) -> String {
        let Some((first, last)) = self.range else {
            return "no ledger".to_owned();
        };
        let mut parts = Vec::new();
        let mut from = first;
        for (gap_from, gap_to) in &self.missing {
            if *gap_from > from {
                parts.push(format!("{from}\u{2013}{}", gap_from - 1));
            }
            from = gap_to.saturating_add(1);
        }
        if from <= last {
            parts.push(format!("{from}\u{2013}{last}"));
        }
        if self.missing.is_empty() {
            format!("{} without a hole", parts.join(", "))
        } else {
            let missing: Vec<String> = self
                .missing
                .iter()
                .map(|(from, to)| format!("{from}\u{2013}{to}"))
                .collect();
            format!("{}; not {}", parts.join(", "), missing.join(", "))
        }
    }
}

/// What nodes say of the contract now.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The ledger.
    pub ledger: u32,
    /// The books.
    pub program: Program,
    /// The token balance; `None` where the token does not keep it as Stellar assets do.
    pub balance: Option<i128>,
    /// The code's hash; `None` where the contract is no Wasm.
    pub code: Option<[u8; 32]>,
    /// The records of all keys that were asked for; a key without one is left out.
    pub records: HashMap<KeyDigest, Record>,
    /// In what nodes contradict each other.
    pub contradictions: Vec<String>,
    /// How many nodes were asked.
    pub nodes: usize,
}

/// A list of keys that somebody says is all there are.
#[derive(Debug, Clone, Default)]
pub struct KeyList {
    /// The keys by their digest.
    pub keys: BTreeMap<KeyDigest, String>,
}

/// What checks see at the end.
#[derive(Debug)]
pub struct End<'a> {
    /// What is audited.
    pub subject: &'a Subject,
    /// What the events add up to. Empty where there are none.
    pub world: &'a World,
    /// The books as of the chain's ledger; `None` where the events do not reach it.
    pub books_then: Option<Books>,
    /// Which ledgers were read; `None` where no events were asked for.
    pub coverage: Option<&'a Coverage>,
    /// What nodes say.
    pub chain: Option<&'a Chain>,
    /// The list.
    pub list: Option<&'a KeyList>,
    /// Code that may run.
    pub codes: &'a [[u8; 32]],
    /// The last ledger that was asked for, if one was.
    pub asked_to: Option<u32>,
    /// Fingerprints that payouts have with the references of the obligations' ids.
    pub referenced: &'a HashMap<KeyDigest, Vec<Fingerprint>>,
}
