//! What is said while a ledger stands still, and after a start that finds something undecided.

use std::time::Duration;

use localnet::{Fault, FaultPlan, Trigger};
use nix::sys::signal::Signal;

use crate::scene::csv;
use crate::world::World;

#[test]
fn a_wait_says_what_it_waits_for_and_a_start_what_it_found() {
    let world = World::paying();
    world.open(&["cases.R1"]);
    world.file("one.csv", csv(&[("cases.R1", "one", "5")]));
    let mut late = FaultPlan::default().with(Fault::LateInclusion, Trigger::Next { calls: 1 });
    late.magnitudes.late_ledgers = 40;
    world.faults(late);
    let mut paying = world.start_paying("one.csv", "one", &[]);
    paying.until_struck(&world, Fault::LateInclusion);
    // No ledger closes. Ten looks are 200 milliseconds.
    std::thread::sleep(Duration::from_secs(3));
    paying.signal(Signal::SIGINT);
    let ran = paying.end();
    for says in [
        "waiting for the outcome of slot 0",
        "is the newest seen, for ",
        "what ends it is a record, or a ledger after ",
        " UTC",
    ] {
        assert!(ran.talk.contains(says), "{says} is not in: {}", ran.talk);
    }
    let words = ran.talk.matches("waiting for the outcome").count();
    assert!(words > 1, "{}", ran.talk);

    let paying = world.start_paying("one.csv", "one", &[]);
    std::thread::sleep(Duration::from_secs(2));
    world.localnet.close_ledgers(45).unwrap();
    let ran = paying.end();
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    let found = "slot 0: a batch of 1 rows was signed before and is not decided";
    assert!(ran.talk.contains(found), "{}", ran.talk);
    world.proven(&["cases.R1"], "5");
}
