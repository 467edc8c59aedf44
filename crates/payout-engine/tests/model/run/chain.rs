//! What the contract keeps of a run, and what nodes show of it.

use std::collections::{BTreeMap, BTreeSet};

use payout_engine::run::{Candidate, Slot, Source};
use payout_engine::{Line, Payout, Record, RecordKind};
use payout_keys::{Fingerprint, Reference};

/// What is offered, and under which key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Offered {
    pub(super) key: Key,
    pub(super) lines: Vec<Line>,
}

/// A slot's key; or, where rows have keys of their own, a row's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    Slot(u32),
    Row(Reference),
}

/// Keys with a record: what was paid, or nothing for a void. Offers that are on their way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Chain {
    pub(super) records: BTreeMap<Key, Option<Vec<Line>>>,
    pub(super) late: BTreeSet<Offered>,
}

impl Chain {
    /// The contract: the first one under a key is taken, every other changes nothing.
    pub(super) fn land(&mut self, key: Key, lines: Option<Vec<Line>>) {
        self.records.entry(key).or_insert(lines);
        let records = &self.records;
        // The rest under that key can only be replays.
        self.late.retain(|other| !records.contains_key(&other.key));
    }

    /// Something goes on its way.
    pub(super) fn send(&mut self, offered: Offered) {
        if !self.records.contains_key(&offered.key) {
            self.late.insert(offered);
        }
    }

    /// How many slots from 0 on have a record.
    pub(super) fn length(&self) -> u32 {
        let mut slot = 0;
        while self.records.contains_key(&Key::Slot(slot)) {
            slot += 1;
        }
        slot
    }

    pub(super) fn voided(&self) -> bool {
        self.records.values().any(Option::is_none)
    }

    /// Every line that was ever paid.
    pub(super) fn paid(&self) -> impl Iterator<Item = &Line> {
        self.records.values().flatten().flatten()
    }

    /// The slots as a node shows them that is behind, or knows all.
    pub(super) fn read(&self, behind: u32, arguments: bool) -> payout_engine::run::Chain {
        let mut chain = payout_engine::run::Chain {
            as_of: 100,
            ..payout_engine::run::Chain::default()
        };
        for index in 0..self.length().saturating_sub(behind) {
            let Some(landed) = self.records.get(&Key::Slot(index)) else {
                break;
            };
            let record = match landed {
                None => record(index, RecordKind::Voided, Fingerprint([0; 32]), 0),
                Some(lines) => {
                    if arguments {
                        chain.candidates.push(Candidate {
                            slot: index,
                            source: Source::Transaction,
                            lines: lines.as_slice().into(),
                        });
                    }
                    let payout = Payout::new(lines.clone()).expect("a payout");
                    let total = payout.total().units();
                    record(index, RecordKind::Batch, payout.fingerprint(), total)
                }
            };
            chain.slots.push(Slot { index, record });
        }
        chain
    }
}

fn record(index: u32, kind: RecordKind, fingerprint: Fingerprint, total: i128) -> Record {
    Record {
        kind,
        payout_id: u64::from(index) + 1,
        fingerprint,
        total,
        ledger: index + 10,
    }
}
