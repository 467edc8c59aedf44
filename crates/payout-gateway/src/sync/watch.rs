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

/// What this process has seen of its nodes.
#[derive(Debug, Default)]
struct Sight {
    paces: HashMap<u16, Pace>,
    /// The skew that was warned of, in seconds; 0 if none was.
    warned: i64,
}

/// Watches until it is dropped.
pub(super) async fn run(desk: &Desk) {
    let mut sight = Sight::default();
    let mut good: HashMap<&str, Instant> = HashMap::new();
    let mut turn = 0_usize;
    loop {
        for program in &desk.app.programs {
            let nodes = &desk.app.nodes;
            let Some(node) = nodes.get(turn % nodes.len().max(1)) else {
                continue;
            };
            let id = program.id.as_str();
            let waiting = match look(desk, program, node, &mut sight).await {
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
    sight: &mut Sight,
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
        Err(error @ StoreError::Pin { .. }) => {
            // Another process may have been the first, with another contract.
            if let Some(pinned) = desk
                .store
                .pins(&pins.program)
                .await
                .map_err(|error| unread(&error))?
            {
                program.set_pins(&pinned);
            }
            return Err(Trouble::Wrong(error.to_string()));
        }
        Err(error) => return Err(unread(&error)),
        Ok(()) => program.set_pins(&pins),
    }
    let lag = events::follow(&desk.store, program, node)
        .await
        .map_err(|error| unread(&error))?;
    program.set_event_lag(lag);
    if !desk.settings.ledgers_on_demand {
        let paces = &mut sight.paces;
        let fresh = moving(paces, node.node().0, facts.at.ledger).map_err(Trouble::Wrong)?;
        if let Some(closed) = facts.at.close_time.filter(|_| fresh) {
            let skew = skew(closed);
            desk.app.metrics.clock_skew.set(skew);
            sight.warned = warn_of(skew, sight.warned);
        }
    }
    Ok(())
}

/// By how many seconds this machine's clock is ahead of a ledger that has just closed. That decides
/// nothing: bounds come from the node's close time.
fn skew(closed: u64) -> i64 {
    let closed = i64::try_from(closed).unwrap_or(i64::MAX);
    (crate::clock::now() / 1_000).saturating_sub(closed)
}

/// Warns of a wrong clock once, and again where it goes wrong otherwise. Gives what is warned of now.
fn warn_of(skew: i64, warned: i64) -> i64 {
    if skew.abs() <= SKEW {
        return 0;
    }
    if skew.abs_diff(warned) <= SKEW.unsigned_abs() {
        return warned;
    }
    let seconds = skew.unsigned_abs();
    let direction = if skew > 0 { "ahead of" } else { "behind" };
    tracing::warn!(
        skew,
        "this machine's clock is {seconds} s {direction} the network's last ledger. Nothing is decided \
         by it; look why all the same"
    );
    skew
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
    fn a_wrong_clock_is_warned_of_once() {
        assert_eq!(warn_of(SKEW, 0), 0);
        assert_eq!(warn_of(600, 0), 600);
        assert_eq!(warn_of(601, 600), 600, "nothing new");
        assert_eq!(warn_of(-600, 600), -600);
        assert_eq!(warn_of(3, -600), 0);
    }

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
