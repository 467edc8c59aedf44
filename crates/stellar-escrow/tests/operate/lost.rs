//! Answers are lost, the command is killed, the network stands still: nothing is done twice.

use std::process::Stdio;
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

fn killed_in_the_middle(world: &World) {
    let arguments = [
        "lock", "100", "--source", "sponsor", "--yes", "--id", "escrow",
    ];
    let mut child = world
        .command(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let folder = world.folder.path().join("state/stellar-escrow");
    let stored = || {
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        files
            .into_iter()
            .any(|file| file.path().extension().is_some_and(|end| end == "json"))
    };
    while !stored() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it stored anything"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
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
    let spawn = || {
        let arguments = [
            "lock", "100", "--source", "sponsor", "--yes", "--id", "escrow",
        ];
        let mut command = world.command(&arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let (first, second) = (spawn(), spawn());
    std::thread::sleep(Duration::from_secs(2));
    world.localnet.clear_faults().unwrap();
    let mut codes = Vec::new();
    for child in [first, second] {
        let ran = read(&child.wait_with_output().unwrap());
        codes.push(ran.code);
    }
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(1)]);
    assert_eq!(world.fact("total_locked"), json!("100"));
}
