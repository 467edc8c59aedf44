//! Answers are lost, the command is killed, the network stands still: nothing is done twice.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use localnet::{Fault, FaultPlan, Trigger};
use serde_json::json;

use crate::world::{World, read};

const ALWAYS: Trigger = Trigger::Every { calls: 1 };

fn fault(world: &World, fault: Fault, trigger: Trigger) {
    world
        .localnet
        .set_faults(FaultPlan::default().with(fault, trigger))
        .unwrap();
}

#[test]
fn a_lost_answer_locks_once() {
    for lost in [Fault::DropAfter, Fault::BadSeqAccepted] {
        let world = World::with_escrow();
        fault(&world, lost, ALWAYS);
        let done = world.json("sponsor", &["lock", "100"]);
        assert_eq!(done["remaining_balance"], json!("100"), "{lost:?}");
        world.localnet.clear_faults().unwrap();
        assert_eq!(world.fact("total_locked"), json!("100"), "{lost:?}");
    }
}

#[test]
fn a_lost_request_is_sent_again_as_it_is() {
    let world = World::with_escrow();
    fault(&world, Fault::DropBefore, Trigger::Next { calls: 1 });
    world.json("sponsor", &["lock", "100"]);
    assert_eq!(world.fact("total_locked"), json!("100"));
}

/// Starts a lock, and returns once it has stored what it is about to send.
fn lock_under_way(world: &World) -> Child {
    let mut child = lock(world).stderr(Stdio::null()).spawn().unwrap();
    let folder = world.folder.path().join("state/stellar-escrow");
    let stored = || {
        let mut files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        files.any(|file| file.path().extension().is_some_and(|end| end == "json"))
    };
    while !stored() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it stored anything"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn lock(world: &World) -> Command {
    let mut command = world.command(&[
        "lock", "100", "--source", "sponsor", "--yes", "--id", "escrow",
    ]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn killed_in_the_middle(world: &World) {
    let mut child = lock_under_way(world);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn after_a_kill_the_next_command_finds_the_first_ones_verdict() {
    let world = World::with_escrow();
    fault(&world, Fault::DropBefore, ALWAYS);
    killed_in_the_middle(&world);
    world.localnet.clear_faults().unwrap();
    let talk = world.refused(1, "sponsor", &["lock", "100"]);
    assert!(
        talk.contains("interrupted") && talk.contains("applied in ledger"),
        "{talk}"
    );
    assert_eq!(world.fact("total_locked"), json!("100"));
    world.json("sponsor", &["lock", "100"]);
    assert_eq!(world.fact("total_locked"), json!("200"));
}

#[test]
fn what_never_arrived_is_proven_not_applied_once_its_time_is_over() {
    let world = World::with_escrow();
    fault(&world, Fault::DropBefore, ALWAYS);
    killed_in_the_middle(&world);
    world.localnet.advance(600).unwrap();
    // The first is dead, so the second may be signed; and that arrives.
    world.localnet.clear_faults().unwrap();
    let arguments = [
        "lock", "7", "--source", "sponsor", "--yes", "--id", "escrow",
    ];
    let ran = read(&world.command(&arguments).output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    assert!(ran.talk.contains("not applied, proven"), "{}", ran.talk);
    assert_eq!(world.fact("total_locked"), json!("7"));
}

#[test]
fn while_it_waits_a_second_command_signs_nothing() {
    let world = World::with_escrow();
    fault(&world, Fault::DropBefore, ALWAYS);
    let mut first = lock_under_way(&world);
    let mut second = lock(&world).spawn().unwrap();
    let mut said = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("still under way"), "{line}");
    world.localnet.clear_faults().unwrap();
    assert_eq!(second.wait().unwrap().code(), Some(1));
    assert_eq!(first.wait().unwrap().code(), Some(0));
    assert_eq!(world.fact("total_locked"), json!("100"));
}
