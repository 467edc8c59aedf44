//! Two machines on one chain, every interleaving to a depth: editions of the file, lost journals,
//! late offers, old reads, a node that forgot the arguments, a void.

use std::collections::HashSet;

use payout_engine::Payout;
use payout_engine::rows::Row;
use payout_engine::run::{Candidate, Decision, RunInput, Source, plan};

use super::chain::{FakeChain, Landed, input, place, row};

/// How many acts are tried in every order.
const DEPTH: usize = 8;

/// Editions of one file. `b` and `y` are one obligation under two names; `a` and `d` are two
/// obligations with one wallet and amount.
fn editions() -> Vec<Vec<Row>> {
    let (a, b, d) = (row("a", 1, 10), row("b", 2, 20), row("d", 1, 10));
    vec![
        vec![a.clone(), b.clone(), d.clone()],
        vec![d.clone(), row("y", 2, 20), a],
        vec![row("a", 1, 11), b, d],
    ]
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Machine {
    edition: usize,
    journal: Vec<(u32, Payout)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    chain: FakeChain,
    machines: [Machine; 2],
    /// Offers that were sent and may land at any time.
    late: Vec<(u32, Payout)>,
    arguments: bool,
    edits: u8,
    losses: u8,
}

impl World {
    /// One machine reads the chain, all of it or without its newest slot, plans, writes its journal
    /// and sends.
    fn offer(&self, which: usize, behind: usize) -> Option<Self> {
        let mut world = self.clone();
        let machine = world.machines.get_mut(which)?;
        let seen = FakeChain {
            slots: self.chain.slots[..self.chain.slots.len().checked_sub(behind)?].to_vec(),
        };
        let rows = editions().swap_remove(machine.edition);
        let mut read = seen.read(self.arguments);
        read.candidates
            .extend(machine.journal.iter().map(|(slot, payout)| Candidate {
                slot: *slot,
                source: Source::Journal,
                lines: payout.lines().into(),
            }));
        let input = RunInput {
            chain: read,
            // The second machine was told of smaller batches.
            max_batch: 2 - which,
            ..input(&rows)
        };
        let Decision::Offer(offer) = plan(&input).ok()?.decision else {
            return None;
        };
        let sent = (offer.slot, offer.payout);
        if !machine.journal.contains(&sent) {
            machine.journal.push(sent.clone());
        }
        let open = world.chain.slots.len() == usize::try_from(sent.0).ok()?;
        if open && !world.late.contains(&sent) {
            world.late.push(sent);
        }
        Some(world)
    }

    fn successors(&self) -> Vec<Self> {
        let mut next = Vec::new();
        for which in 0..2 {
            for behind in 0..2 {
                next.extend(self.offer(which, behind));
            }
            if self.edits > 0 {
                for edition in 0..editions().len() {
                    let mut world = self.clone();
                    world.machines[which].edition = edition;
                    world.edits -= 1;
                    next.push(world);
                }
            }
            if self.losses > 0 {
                let mut world = self.clone();
                world.machines[which].journal.clear();
                world.losses -= 1;
                next.push(world);
            }
        }
        for (slot, payout) in &self.late {
            let mut world = self.clone();
            if world.chain.submit(*slot, Landed::Payout(payout.clone())) {
                // What was offered under the slot can only be a replay from now on.
                world.late.retain(|(other, _)| other > slot);
                next.push(world);
            }
        }
        if self.arguments {
            next.push(Self {
                arguments: false,
                ..self.clone()
            });
        }
        next
    }

    /// No id twice; one obligation under two names once.
    fn right(&self) -> bool {
        let paid = self.chain.paid(&place("run"), &["a", "b", "d", "y"]);
        let both = paid.contains_key("b") && paid.contains_key("y");
        paid.values().all(|count| *count == 1) && !both
    }
}

#[test]
fn two_machines_in_every_order_pay_no_id_twice() {
    let machine = |edition| Machine {
        edition,
        journal: Vec::new(),
    };
    let first = World {
        chain: FakeChain::default(),
        machines: [machine(0), machine(1)],
        late: Vec::new(),
        arguments: true,
        edits: 1,
        losses: 1,
    };
    let mut seen: HashSet<World> = HashSet::new();
    let mut front = vec![first];
    let mut most = 0;
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for world in front {
            assert!(world.right(), "{world:#?}");
            most = most.max(world.chain.slots.len());
            for successor in world.successors() {
                if seen.insert(successor.clone()) {
                    next.push(successor);
                }
            }
        }
        front = next;
    }
    assert!(front.iter().all(World::right));
    assert!(most >= 3, "it got somewhere: {most} slots");
    assert!(seen.len() > 5_000, "{} states", seen.len());
}
