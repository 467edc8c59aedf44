//! Nothing is found in the planner as it is; each change is found out.

use stateright::{Checker, HasDiscoveries, Model};

use super::model::{NAMES, ONCE, UNPAID_HOLDS};
use super::{Change, Run};

/// Explores everything, and says how much that was.
fn holds(mishaps: u8) {
    let run = Run::new(Change::Nothing, mishaps);
    let checker = run.checker().threads(2).spawn_bfs().join();
    let (states, depth) = (checker.unique_state_count(), checker.max_depth());
    println!("run, {mishaps} mishaps: {states} states, depth {depth}");
    checker.assert_properties();
}

/// The checker finds a counterexample of `property`.
fn found(change: Change, property: &'static str) {
    let run = Run::new(change, 2);
    let checker = run
        .checker()
        .threads(2)
        .finish_when(HasDiscoveries::AllOf([property].into()))
        .spawn_bfs()
        .join();
    let path = checker.assert_any_discovery(property).into_actions();
    println!("{change:?}, {property}: {path:?}");
}

#[test]
fn two_machines_one_run() {
    holds(3);
}

#[test]
fn a_fingerprint_without_references_pays_twice() {
    found(Change::NoReferences, ONCE);
}

#[test]
fn a_journal_matched_without_ids_pays_twice() {
    found(Change::JournalWithoutIds, ONCE);
}

#[test]
fn a_journal_believed_without_comparing_pays_twice() {
    found(Change::JournalBelieved, ONCE);
}

#[test]
fn the_next_slot_planned_while_one_is_open_pays_twice() {
    found(Change::NextSlotWhileOpen, ONCE);
}

#[test]
fn a_final_unpaid_from_ones_own_expiry_is_a_lie() {
    found(Change::OwnExpiryIsFinal, UNPAID_HOLDS);
}

#[test]
fn a_mode_decided_by_looking_pays_twice() {
    found(Change::ModeByLooking, ONCE);
}

#[test]
fn one_obligation_under_two_names_pays_twice_where_nobody_is_asked() {
    found(Change::TwinsPaid, NAMES);
}

#[test]
fn a_slot_planned_past_a_void_makes_a_final_unpaid_a_lie() {
    found(Change::PastTheVoid, UNPAID_HOLDS);
}
