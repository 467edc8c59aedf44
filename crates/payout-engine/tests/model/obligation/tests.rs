//! Nothing is found in the protocol as it is; each change is found out.

use std::collections::BTreeSet;

use stateright::{Checker, HasDiscoveries, Model};

use super::model::{ONCE, UNPAID_HOLDS};
use super::{Change, Protocol, Scene};

/// A journal from a backup is safe for as many ledgers as nodes are said to be behind.
fn lag(scene: Scene) -> u32 {
    if scene == Scene::Restored { 2 } else { 1 }
}

/// Explores everything, and says how much that was.
fn holds(scene: Scene, faults: u8, last_ledger: u32) {
    let model = Protocol {
        scene,
        change: Change::Nothing,
        faults,
        lag: lag(scene),
        last_ledger,
    };
    let checker = model.checker().threads(2).spawn_bfs().join();
    let (states, depth) = (checker.unique_state_count(), checker.max_depth());
    println!("{scene:?}: {states} states, depth {depth}");
    checker.assert_properties();
}

/// The checker finds a counterexample of each of `properties`.
fn found(scene: Scene, change: Change, properties: &[&'static str]) {
    let wanted: BTreeSet<&'static str> = properties.iter().copied().collect();
    let model = Protocol {
        scene,
        change,
        // One to show what goes wrong; for a backup a kill as well.
        faults: 1 + u8::from(scene == Scene::Restored),
        lag: lag(scene),
        last_ledger: 6,
    };
    let checker = model
        .checker()
        .threads(2)
        .finish_when(HasDiscoveries::AllOf(wanted))
        .spawn_bfs()
        .join();
    for property in properties {
        let path = checker.assert_any_discovery(property).into_actions();
        println!("{change:?}, {property}: {path:?}");
    }
}

#[test]
fn one_lease_two_workers_and_a_client_who_may_cancel() {
    holds(Scene::Lease, 2, 6);
}

#[test]
fn two_machines_and_a_client_who_may_move_the_order() {
    holds(Scene::Machines, 1, 3);
}

#[test]
fn a_fresh_key_on_retry_pays_twice() {
    found(Scene::Lease, Change::FreshKeyOnRetry, &[ONCE]);
}

#[test]
fn a_504_taken_as_failed_is_a_lie_and_issued_again_pays_twice() {
    found(
        Scene::Lease,
        Change::NoAnswerIsFailure,
        &[UNPAID_HOLDS, ONCE],
    );
}

#[test]
fn an_order_moved_without_voiding_its_old_key_is_paid_twice() {
    found(Scene::Machines, Change::MoveWithoutVoid, &[ONCE]);
}

#[test]
fn a_verdict_at_max_time_while_an_authorisation_lives_is_a_lie() {
    found(Scene::Lease, Change::VerdictAtMaxTime, &[UNPAID_HOLDS]);
}

#[test]
fn an_envelope_that_was_not_stored_is_forgotten_and_lands() {
    found(Scene::Lease, Change::SendBeforeStore, &[UNPAID_HOLDS]);
}

#[test]
fn one_machines_expiry_says_nothing_of_the_others() {
    found(
        Scene::Machines,
        Change::OwnExpiryIsEverybodys,
        &[UNPAID_HOLDS],
    );
}

#[test]
fn a_window_counted_from_a_lagging_first_look_is_a_lie() {
    found(Scene::Restored, Change::NoNodeIsBehind, &[UNPAID_HOLDS]);
}

#[test]
fn one_lease_and_journals_from_backups() {
    holds(Scene::Restored, 2, 6);
}
