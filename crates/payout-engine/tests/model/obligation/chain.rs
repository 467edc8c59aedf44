//! The chain: ledgers, one record a key, two lanes with their queues, and what strangers hold.

use std::collections::BTreeSet;

use payout_engine::protocol::{Fate, RefusedKind, SendStatus, Signed, TxHash};
use payout_engine::{Moment, Record, RecordKind};
use payout_keys::Fingerprint;

use super::KEYS;

/// What the order is to pay.
pub(super) const OURS: Fingerprint = Fingerprint([7; 32]);
/// Seconds between two ledgers.
pub(super) const SECONDS: u64 = 180;

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Chain {
    pub(super) ledger: u32,
    records: [Option<Landed>; KEYS],
    pub(super) lanes: [Lane; 2],
    /// Authorisations that left a worker: the key's number and the last ledger.
    carried: BTreeSet<(usize, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Landed {
    paid: bool,
    ledger: u32,
    by_stranger: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Lane {
    sequence: i64,
    queue: Option<Signed>,
    /// How many envelopes were signed for it, which makes their hashes differ.
    signed: u8,
    included: Vec<(TxHash, u32, bool)>,
}

/// What a closing ledger does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Closing {
    /// The void of this key lands, before all else.
    pub(super) void: Option<usize>,
    /// The stranger carries an authorisation for this key.
    pub(super) stranger: Option<usize>,
    /// The lanes whose envelope is included.
    pub(super) lanes: [bool; 2],
}

/// The number of the key that an envelope pays under. The model's envelopes are two bytes.
pub(super) fn key_of(signed: &Signed) -> usize {
    signed.xdr.first().copied().map_or(0, usize::from)
}

pub(super) fn moment(ledger: u32) -> Moment {
    Moment {
        ledger,
        close_time: Some(u64::from(ledger) * SECONDS),
    }
}

fn includable(signed: &Signed, ledger: u32) -> bool {
    let time = u64::from(ledger) * SECONDS;
    time <= signed.bounds.max_time && ledger < signed.bounds.max_ledger
}

impl Chain {
    pub(super) fn new() -> Self {
        Self {
            ledger: 1,
            ..Self::default()
        }
    }

    /// The record of a key in the state of `ledger`.
    pub(super) fn record(&self, key: usize, ledger: u32) -> Option<Record> {
        let landed = self.records[key].filter(|landed| landed.ledger <= ledger)?;
        let (kind, fingerprint) = if landed.paid {
            (RecordKind::Batch, OURS)
        } else {
            (RecordKind::Voided, Fingerprint([0; 32]))
        };
        Some(Record {
            kind,
            payout_id: 1,
            fingerprint,
            total: 1,
            ledger: landed.ledger,
        })
    }

    /// How often the order was paid.
    pub(super) fn payments(&self) -> usize {
        self.records.iter().flatten().filter(|it| it.paid).count()
    }

    pub(super) fn paid_by_stranger(&self) -> bool {
        self.records
            .iter()
            .flatten()
            .any(|it| it.paid && it.by_stranger)
    }

    pub(super) fn voided(&self, key: usize) -> bool {
        self.records[key].is_some_and(|landed| !landed.paid)
    }

    /// The next sequence number of a lane, and a hash that no other of its envelopes has.
    pub(super) fn number(&mut self, lane: usize) -> (i64, TxHash) {
        let mut hash = TxHash([0; 32]);
        let of = &mut self.lanes[lane];
        of.signed += 1;
        hash.0[0] = of.signed;
        (of.sequence + 1, hash)
    }

    /// Whoever carried the request has seen the authorisation inside.
    pub(super) fn seen(&mut self, signed: &Signed) {
        if let Some(until) = signed.bounds.authorised_until {
            self.carried.insert((key_of(signed), until));
        }
    }

    /// What a node does with an envelope.
    pub(super) fn submit(&mut self, lane: usize, signed: &Signed) -> SendStatus {
        let next = self.ledger + 1;
        let refused = |code: &str| SendStatus::Refused {
            code: code.to_owned(),
            kind: RefusedKind::Passing,
        };
        let lane = &mut self.lanes[lane];
        if signed.sequence <= lane.sequence {
            return refused("txBAD_SEQ");
        }
        match &lane.queue {
            Some(queued) if queued.hash == signed.hash => SendStatus::Duplicate,
            Some(_) => SendStatus::TryAgainLater,
            None if !includable(signed, next) => refused("txTOO_LATE"),
            None => {
                lane.queue = Some(signed.clone());
                SendStatus::Pending
            }
        }
    }

    pub(super) fn fate(&self, lane: usize, hash: TxHash) -> Fate {
        let included = self.lanes[lane]
            .included
            .iter()
            .find(|(of, ..)| *of == hash);
        match included {
            Some((_, ledger, succeeded)) => Fate::Included {
                ledger: *ledger,
                succeeded: *succeeded,
                fee_charged: 100,
            },
            None => Fate::NotFound,
        }
    }

    /// Everything that the next ledger may do. `void` is a key whose void is on its way.
    pub(super) fn closings(&self, void: Option<usize>) -> Vec<Closing> {
        let next = self.ledger + 1;
        let free = |key: &usize| self.records[*key].is_none();
        let mut strangers: BTreeSet<Option<usize>> = BTreeSet::from([None]);
        let carried = self.carried.iter().filter(|(_, until)| next <= *until);
        strangers.extend(carried.map(|(key, _)| *key).filter(free).map(Some));
        let voids = BTreeSet::from([None, void.filter(free)]);
        let mut closings = Vec::new();
        for void in voids {
            for stranger in &strangers {
                for mask in 0..4_u8 {
                    let lanes = [mask & 1 != 0, mask & 2 != 0];
                    let waits = |lane: usize| self.lanes[lane].queue.is_some();
                    if (0..2).all(|lane| !lanes[lane] || waits(lane)) {
                        closings.push(Closing {
                            void,
                            stranger: *stranger,
                            lanes,
                        });
                    }
                }
            }
        }
        closings
    }

    /// The next ledger closes.
    pub(super) fn close(&mut self, closing: &Closing) {
        self.ledger += 1;
        let ledger = self.ledger;
        if let Some(key) = closing.void {
            self.land(key, false, false);
        }
        if let Some(key) = closing.stranger {
            self.land(key, true, true);
        }
        for lane in 0..2 {
            let Some(signed) = self.lanes[lane].queue.take() else {
                continue;
            };
            if closing.lanes[lane] {
                let key = key_of(&signed);
                let succeeded = !self.voided(key);
                self.land(key, true, false);
                self.lanes[lane].sequence = signed.sequence;
                let included = (signed.inner, ledger, succeeded);
                self.lanes[lane].included.push(included);
            } else if includable(&signed, ledger + 1) {
                self.lanes[lane].queue = Some(signed);
            }
        }
        // What has run out changes nothing any more.
        let records = self.records;
        self.carried
            .retain(|(key, until)| *until > ledger && records[*key].is_none());
    }

    /// The contract: the first one under a key is taken.
    fn land(&mut self, key: usize, paid: bool, by_stranger: bool) {
        let ledger = self.ledger;
        self.records[key].get_or_insert(Landed {
            paid,
            ledger,
            by_stranger,
        });
    }

    /// Everything that waits is included.
    pub(super) fn everything(&self) -> Closing {
        Closing {
            void: None,
            stranger: None,
            lanes: [0, 1].map(|lane| self.lanes[lane].queue.is_some()),
        }
    }
}
