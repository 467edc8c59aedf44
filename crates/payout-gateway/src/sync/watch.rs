//! Reads each program's contract again and again: whether payouts may be carried out, what its events
//! say, and whether the database is older than the chain.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use payout_engine::escrow::{self, Facts, Wanted};
use payout_engine::rpc::Client;

use super::events;
use super::job::Desk;
use crate::chain::{ChainFacts, Program};
use crate::store::StoreError;
use crate::store::programs::Pins;

/// How long a ledger may stand still before the node counts as stalled.
const STALL: Duration = Duration::from_mins(1);

/// How long a program that was read stays ready while nodes do not answer. Orders are safe without:
/// the engine believes no lagging answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A clock that is wrong by more than so many seconds is worth a warning.
const SKEW: i64 = 30;

/// Why nothing may be sent.
enum Trouble {
    /// The node brought no answer that can be used. The next look may.
    Unread(String),
    /// The answer says that payouts must wait.
    Wrong(String),
}

fn unread(error: &dyn std::fmt::Display) -> Trouble {
    Trouble::Unread(error.to_string())
}

/// What a node's ledgers did since this process began to look.
#[derive(Debug, Clone, Copy)]
struct Pace {
    first: u32,
    last: u32,
    moved: Instant,
}

/// Watches until it is dropped.
pub(super) async fn run(desk: &Desk) {
    let mut paces = HashMap::new();
    let mut good: HashMap<&str, Instant> = HashMap::new();
    let mut turn = 0_usize;
    loop {
        for program in &desk.app.programs {
            let nodes = &desk.app.nodes;
            let Some(node) = nodes.get(turn % nodes.len().max(1)) else {
                continue;
            };
            let id = program.id.as_str();
            let waiting = match look(desk, program, node, &mut paces).await {
                Ok(()) => {
                    good.insert(id, Instant::now());
                    None
                }
                Err(trouble) => {
                    desk.app.metrics.node_failures.inc();
                    // The next node may know better.
                    turn = turn.wrapping_add(1);
                    let lately = good.get(id).is_some_and(|at| at.elapsed() < PATIENCE);
                    match trouble {
                        Trouble::Unread(_) if lately && program.ready() => None,
                        Trouble::Unread(why) | Trouble::Wrong(why) => Some(why),
                    }
                }
            };
            if let Some(why) = &waiting
                && program.ready()
            {
                tracing::warn!(program = id, why, "payouts wait");
            }
            program.set_waiting(waiting);
        }
        desk.app.wake.notify_one();
        tokio::time::sleep(desk.settings.poll).await;
    }
}

/// One look. An error says why nothing may be sent.
async fn look(
    desk: &Desk,
    program: &Program,
    node: &Client,
    paces: &mut HashMap<u16, Pace>,
) -> Result<(), Trouble> {
    let health = node.health().await.map_err(|error| unread(&error))?;
    if health.status != "healthy" {
        let why = format!("the node calls itself {}", health.status);
        return Err(Trouble::Unread(why));
    }
    let wanted = Wanted {
        passphrase: &desk.settings.passphrase,
        contract: program.deployment.contract,
        delegate: Some(program.caller),
    };
    let facts = escrow::read(node, &wanted)
        .await
        .map_err(|error| unread(&error))?;
    program.set_facts(ChainFacts::from(&facts));
    fits(program, &facts).map_err(Trouble::Wrong)?;
    let pins = pins(program, &facts);
    let oldest = health.oldest_ledger.saturating_sub(1);
    match desk.store.pin(&pins, oldest).await {
        Err(error @ StoreError::Pin { .. }) => return Err(Trouble::Wrong(error.to_string())),
        Err(error) => return Err(unread(&error)),
        Ok(()) => program.set_pins(&pins),
    }
    let lag = events::follow(&desk.store, program, node)
        .await
        .map_err(|error| unread(&error))?;
    program.set_event_lag(lag);
    if !desk.settings.ledgers_on_demand {
        let fresh = moving(paces, node.node().0, facts.at.ledger).map_err(Trouble::Wrong)?;
        if let Some(closed) = facts.at.close_time.filter(|_| fresh) {
            skewed(desk, closed);
        }
    }
    Ok(())
}

/// A ledger that has just closed shows by how much this machine's clock is wrong. That decides
/// nothing: bounds come from the node's close time.
fn skewed(desk: &Desk, closed: u64) {
    let closed = i64::try_from(closed).unwrap_or(i64::MAX);
    let skew = (crate::clock::now() / 1_000).saturating_sub(closed);
    desk.app.metrics.clock_skew.set(skew);
    if skew.abs() > SKEW {
        tracing::warn!(
            seconds = skew,
            "this machine's clock is ahead of the ledger's"
        );
    }
}

/// Whether this is the program and the payout key that are configured.
fn fits(program: &Program, facts: &Facts) -> Result<(), String> {
    if facts.program.program_id != program.id.as_str() {
        return Err(format!(
            "the contract holds program {}, and {} is configured",
            facts.program.program_id, program.id
        ));
    }
    if facts.program.payout_key != program.caller && facts.delegate.is_none() {
        return Err(format!(
            "{} is neither the contract's payout key nor a delegate",
            program.caller
        ));
    }
    Ok(())
}

fn pins(program: &Program, facts: &Facts) -> Pins {
    Pins {
        program: program.id.as_str().to_owned(),
        network: program.deployment.network.to_string(),
        contract: facts.contract.to_string(),
        token: facts.token.contract.to_string(),
        decimals: facts.token.decimals,
        code_hash: facts.code.to_string(),
        max_batch: facts.max_batch,
    }
}

/// A node whose ledgers do not move says nothing about now: after a restore, that is the moment to
/// wait. Counted on this process' own stopwatch, whatever the machine's clock shows.
///
/// Gives whether the ledger is a new one.
fn moving(paces: &mut HashMap<u16, Pace>, node: u16, ledger: u32) -> Result<bool, String> {
    let now = Instant::now();
    let mut fresh = false;
    let pace = paces.entry(node).or_insert(Pace {
        first: ledger,
        last: ledger,
        moved: now,
    });
    if ledger > pace.last {
        pace.last = ledger;
        pace.moved = now;
        fresh = true;
    }
    if pace.last == pace.first {
        return Err(format!(
            "the node stands at ledger {ledger} since this process began to look"
        ));
    }
    if now.duration_since(pace.moved) > STALL {
        return Err(format!("the node stands still at ledger {ledger}"));
    }
    Ok(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_to_move_before_it_is_believed() {
        let mut paces = HashMap::new();
        assert!(moving(&mut paces, 0, 10).is_err());
        assert!(moving(&mut paces, 0, 10).is_err());
        assert!(moving(&mut paces, 1, 11).is_err());
        assert_eq!(moving(&mut paces, 0, 11), Ok(true));
        assert_eq!(moving(&mut paces, 0, 11), Ok(false));
    }
}
