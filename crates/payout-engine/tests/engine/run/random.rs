//! Long random histories with three machines.

use std::collections::BTreeSet;

use payout_engine::Payout;
use payout_engine::rows::Row;
use payout_engine::run::{Candidate, Decision, RunInput, Source, plan};
use proptest::collection::vec;
use proptest::prelude::*;

use super::chain::{FakeChain, Landed, id, input, place, row};

const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

#[derive(Debug, Clone)]
enum Act {
    /// A machine reads, plans and sends; what it sends may land at once, later or never.
    Offer {
        which: usize,
        behind: usize,
        at_once: bool,
        arguments: bool,
    },
    /// A late offer lands.
    Late(usize),
    Edit {
        which: usize,
        row: usize,
        wallet: u8,
        amount: u8,
    },
    Remove {
        which: usize,
        row: usize,
    },
    Add {
        which: usize,
        row: usize,
        wallet: u8,
        amount: u8,
    },
    LeaveOut {
        which: usize,
        row: usize,
    },
    Forget(usize),
    Size {
        which: usize,
        max_batch: usize,
    },
    Void,
}

fn act() -> impl Strategy<Value = Act> {
    let (which, name) = (0_usize..3, 0_usize..NAMES.len());
    let (wallet, amount) = (1_u8..5, 1_u8..4);
    let cells = (which.clone(), name.clone(), wallet, amount);
    prop_oneof![
        8 => (which.clone(), 0_usize..3, any::<bool>(), any::<bool>()).prop_map(
            |(which, behind, at_once, arguments)| Act::Offer { which, behind, at_once, arguments }
        ),
        3 => (0_usize..8).prop_map(Act::Late),
        1 => cells.clone().prop_map(|(which, row, wallet, amount)| Act::Edit { which, row, wallet, amount }),
        1 => (which.clone(), name.clone()).prop_map(|(which, row)| Act::Remove { which, row }),
        1 => cells.prop_map(|(which, row, wallet, amount)| Act::Add { which, row, wallet, amount }),
        1 => (which.clone(), name).prop_map(|(which, row)| Act::LeaveOut { which, row }),
        1 => which.clone().prop_map(Act::Forget),
        1 => (which, 1_usize..5).prop_map(|(which, max_batch)| Act::Size { which, max_batch }),
        1 => (0_u8..8).prop_map(|n| if n == 0 { Act::Void } else { Act::Late(0) }),
    ]
}

struct Machine {
    rows: Vec<Row>,
    left_out: BTreeSet<payout_keys::RowId>,
    journal: Vec<(u32, Payout)>,
    max_batch: usize,
}

fn play(acts: &[Act]) -> FakeChain {
    let start: Vec<Row> = (1_u8..)
        .zip(&NAMES[..8])
        .map(|(n, name)| row(name, n % 4 + 1, i128::from(n % 3 + 1)))
        .collect();
    let mut machines: Vec<Machine> = (0..3)
        .map(|_| Machine {
            rows: start.clone(),
            left_out: BTreeSet::new(),
            journal: Vec::new(),
            max_batch: 3,
        })
        .collect();
    let mut chain = FakeChain::default();
    let mut late: Vec<(u32, Payout)> = Vec::new();
    for act in acts {
        match act {
            Act::Offer {
                which,
                behind,
                at_once,
                arguments,
            } => {
                let machine = &mut machines[*which];
                let seen = chain.slots.len().saturating_sub(*behind);
                let seen = FakeChain {
                    slots: chain.slots[..seen].to_vec(),
                };
                let Some(sent) = offer(machine, &seen, *arguments) else {
                    continue;
                };
                machine.journal.push(sent.clone());
                if *at_once {
                    chain.submit(sent.0, Landed::Payout(sent.1));
                } else {
                    late.push(sent);
                }
            }
            Act::Late(index) => {
                if let Some((slot, payout)) = late.get(*index).cloned() {
                    chain.submit(slot, Landed::Payout(payout));
                }
            }
            Act::Edit {
                which,
                row: at,
                wallet,
                amount,
            } => {
                let rows = &mut machines[*which].rows;
                if let Some(old) = rows.iter_mut().find(|old| old.id == id(NAMES[*at])) {
                    *old = row(NAMES[*at], *wallet, i128::from(*amount));
                }
            }
            Act::Remove { which, row } => {
                machines[*which]
                    .rows
                    .retain(|old| old.id != id(NAMES[*row]));
            }
            Act::Add {
                which,
                row: at,
                wallet,
                amount,
            } => {
                let rows = &mut machines[*which].rows;
                if rows.iter().all(|old| old.id != id(NAMES[*at])) {
                    rows.push(row(NAMES[*at], *wallet, i128::from(*amount)));
                }
            }
            Act::LeaveOut { which, row } => {
                machines[*which].left_out.insert(id(NAMES[*row]));
            }
            Act::Forget(which) => machines[*which].journal.clear(),
            Act::Size { which, max_batch } => machines[*which].max_batch = *max_batch,
            Act::Void => {
                let open = u32::try_from(chain.slots.len()).expect("few");
                let ended = matches!(chain.slots.last(), Some(Landed::Void));
                if !ended {
                    chain.submit(open, Landed::Void);
                }
            }
        }
    }
    chain
}

fn offer(machine: &Machine, seen: &FakeChain, arguments: bool) -> Option<(u32, Payout)> {
    let mut read = seen.read(arguments);
    let journal = machine.journal.iter().map(|(slot, payout)| Candidate {
        slot: *slot,
        source: Source::Journal,
        lines: payout.lines().into(),
    });
    read.candidates.extend(journal);
    let plan = plan(&RunInput {
        chain: read,
        left_out: machine.left_out.clone(),
        max_batch: machine.max_batch,
        also: machine.rows.iter().map(|row| row.id.clone()).collect(),
        ..input(&machine.rows)
    });
    match plan.ok()?.decision {
        Decision::Offer(offer) => Some((offer.slot, offer.payout)),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Whatever machines, files, journals and nodes do: no id twice, and nothing behind a void.
    #[test]
    fn no_id_is_paid_twice(acts in vec(act(), 0..60)) {
        let chain = play(&acts);
        let paid = chain.paid(&place("run"), &NAMES);
        prop_assert!(paid.values().all(|count| *count == 1), "{:?}", paid);
        let void = chain.slots.iter().position(|landed| *landed == Landed::Void);
        prop_assert!(void.is_none_or(|at| at + 1 == chain.slots.len()));
    }
}
