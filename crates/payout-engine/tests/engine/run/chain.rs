//! A fake chain: it takes the first offer of a slot, as the contract does.

use std::collections::BTreeMap;

use payout_engine::rows::Row;
use payout_engine::run::{Candidate, Chain, Offer, Place, RunInput, Slot, Source};
use payout_engine::{Amount, Payout, Record, RecordKind};
use payout_keys::{ContractId, Deployment, Fingerprint, NetworkId, ProgramId, Recipient, RowId};

pub(crate) fn place(run: &str) -> Place {
    Place {
        at: Deployment {
            network: NetworkId([1; 32]),
            contract: ContractId([2; 32]),
        },
        program: ProgramId::new("p").expect("legal"),
        run: run.parse().expect("legal"),
    }
}

/// A row by its id, the number of its wallet and its amount.
pub(crate) fn row(id: &str, wallet: u8, amount: i128) -> Row {
    Row {
        number: 2,
        id: RowId::new(id).expect("legal"),
        recipient: Recipient::Account([wallet; 32]),
        amount: Amount::new(amount).expect("positive"),
        payment_id: None,
    }
}

pub(crate) fn id(id: &str) -> RowId {
    RowId::new(id).expect("legal")
}

pub(crate) fn input(rows: &[Row]) -> RunInput {
    RunInput {
        place: place("run"),
        chain: Chain {
            as_of: 1,
            ..Chain::default()
        },
        rows: rows.to_vec(),
        left_out: std::collections::BTreeSet::new(),
        also: std::collections::BTreeSet::new(),
        after: Vec::new(),
        max_batch: 60,
    }
}

/// What landed in a slot: a payout, or a void.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Landed {
    Payout(Payout),
    Void,
}

/// All slots that have a record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct FakeChain {
    pub(crate) slots: Vec<Landed>,
}

impl FakeChain {
    /// The contract: the first one under a key is taken, every other changes nothing.
    pub(crate) fn submit(&mut self, slot: u32, landed: Landed) -> bool {
        let open = u32::try_from(self.slots.len()).expect("few");
        assert!(slot <= open, "nobody offers beyond the open slot");
        if slot == open {
            self.slots.push(landed);
        }
        slot == open
    }

    pub(crate) fn pay(&mut self, offer: &Offer) -> bool {
        self.submit(offer.slot, Landed::Payout(offer.payout.clone()))
    }

    /// What a node shows: records, and the landed arguments if it still has them.
    pub(crate) fn read(&self, arguments: bool) -> Chain {
        let mut chain = Chain {
            as_of: 100,
            ..Chain::default()
        };
        for (index, landed) in (0_u32..).zip(&self.slots) {
            let (kind, fingerprint, total) = match landed {
                Landed::Void => (RecordKind::Voided, Fingerprint([0; 32]), 0),
                Landed::Payout(payout) => {
                    if arguments {
                        chain.candidates.push(Candidate {
                            slot: index,
                            source: Source::Transaction,
                            lines: payout.lines().into(),
                        });
                    }
                    let total = payout.total().units();
                    (RecordKind::Batch, payout.fingerprint(), total)
                }
            };
            let record = Record {
                kind,
                payout_id: u64::from(index) + 1,
                fingerprint,
                total,
                ledger: index + 10,
            };
            chain.slots.push(Slot { index, record });
        }
        chain
    }

    /// How often each id was paid, by the references of `ids` in `run`.
    pub(crate) fn paid(&self, place: &Place, ids: &[&str]) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for name in ids {
            let reference = place.reference(&id(name));
            let count = self
                .slots
                .iter()
                .filter_map(|landed| match landed {
                    Landed::Payout(payout) => Some(payout.lines()),
                    Landed::Void => None,
                })
                .flatten()
                .filter(|line| line.reference == Some(reference))
                .count();
            if count > 0 {
                counts.insert((*name).to_owned(), count);
            }
        }
        counts
    }
}
