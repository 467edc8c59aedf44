//! Two runs of one file that begin at the same time: each has looked for papers before the other had any.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};

use nix::pty::openpty;

use crate::entries::ONE;
use crate::scene::csv;
use crate::world::World;

const PAYEES: [&str; 3] = ["cases.R1", "cases.R2", "cases.R3"];
const QUESTION: &str = "[y/N] ";

fn scene() -> World {
    let world = World::paying();
    world.fund("lane");
    world.open(&PAYEES);
    world.file(
        "list.csv",
        csv(&[
            ("cases.R1", "a", "1"),
            ("cases.R2", "b", "2"),
            ("cases.R3", "c", "3"),
        ]),
    );
    world
}

/// A `pay` at whose terminal somebody sits. It has looked, and waits for a yes.
struct Asked {
    child: Child,
    terminal: File,
}

impl Asked {
    fn about(world: &World, run: &str, more: &[&str]) -> Self {
        let terminal = openpty(None, None).unwrap();
        let pay = ["pay", "list.csv", "--run", run, "--source", "payout"];
        let mut command = world.command(&pay);
        let child = command
            .args(["--poll", "20"])
            .args(more)
            .env("STELLAR_CONTRACT_ID", "escrow")
            .stdin(Stdio::from(terminal.slave))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut asked = Self {
            child: child.unwrap(),
            terminal: terminal.master.into(),
        };
        let mut talk = Vec::new();
        while !talk.ends_with(QUESTION.as_bytes()) {
            let mut byte = [0];
            let stderr = asked.child.stderr.as_mut().unwrap();
            let read = stderr.read(&mut byte).unwrap();
            assert_eq!(read, 1, "{}", String::from_utf8_lossy(&talk));
            talk.extend(byte);
        }
        asked
    }

    fn answer(&mut self, answer: &str) {
        writeln!(self.terminal, "{answer}").unwrap();
    }

    /// Its code, and what it said after the question.
    fn end(mut self) -> (Option<i32>, String) {
        let mut talk = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut talk).unwrap();
        (self.child.wait().unwrap().code(), talk)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_run_that_paid_after_the_first_look_is_seen_before_anything_is_signed() {
    let world = scene();
    let mut june = Asked::about(&world, "june", &[]);
    // Whoever is only asked claims nothing.
    world.pays(0, "list.csv", "july", &["--lane", "lane"]);
    let before = world.sequence("payout");
    june.answer("y");
    let (code, talk) = june.end();
    assert_eq!(code, Some(6), "{talk}");
    let says = "nothing was signed: run july has paid or offered 3 of these rows";
    assert!(talk.contains(says), "{talk}");
    assert!(talk.contains("--again july"), "{talk}");
    assert_eq!(world.sequence("payout"), before);
    world.proven(&PAYEES, "6");
    // It has no claim on anything, and goes on where that is meant.
    world.pays(6, "list.csv", "august", &["--again", "june"]);
    world.pays(0, "list.csv", "august", &["--again", "july"]);
    world.pays(
        0,
        "list.csv",
        "june",
        &["--again", "july", "--again", "august"],
    );
    world.proven(&PAYEES, "18");
}

#[test]
fn of_two_runs_that_begin_together_one_pays_at_most() {
    let world = scene();
    let mut both = [
        Asked::about(&world, "june", &[]),
        Asked::about(&world, "july", &["--lane", "lane"]),
    ];
    for asked in &mut both {
        asked.answer("y");
    }
    let ends = both.map(Asked::end);
    let codes = ends.each_ref().map(|(code, _)| *code);
    let stopped = ends.iter().filter(|(code, _)| *code == Some(6));
    for (_, talk) in stopped.clone() {
        assert!(talk.contains("nothing was signed: run ju"), "{talk}");
    }
    match codes {
        [Some(6), Some(6)] => {
            world.proven(&PAYEES, "0");
            // Neither has a claim any more.
            world.pays(0, "list.csv", "june", &[]);
        }
        [Some(0), Some(6)] | [Some(6), Some(0)] => {}
        codes => panic!("{codes:?}: {ends:?}"),
    }
    world.proven(&PAYEES, "6");
}

#[test]
fn one_run_from_two_folders_and_runs_of_other_ids_go_on_side_by_side() {
    let world = scene();
    world.fund("other");
    world.file("more.csv", csv(&[("cases.R1", "d", "4")]));
    let running = [
        world.start_paying("list.csv", "june", &[]),
        world.start_paying("list.csv", "june", &["--folder", "two", "--lane", "lane"]),
        world.start_paying("more.csv", "july", &["--lane", "other"]),
    ];
    for paying in running {
        let ran = paying.end();
        assert_eq!(ran.code, Some(0), "{}", ran.talk);
    }
    // The run's two machines may have answered one another's call, which pays nothing.
    let balances = PAYEES.map(|name| world.balance(name));
    assert_eq!(balances, [5 * ONE, 2 * ONE, 3 * ONE]);
}
