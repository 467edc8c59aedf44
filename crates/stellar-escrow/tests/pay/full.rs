//! Case 10c: the disk is full where the journal is written. With every page of room more, the run gets a
//! write further; wherever it stops, nothing was sent that is not stored.

use crate::disk::Disk;
use crate::scene::csv;
use crate::world::{World, read};

const PAGE: u64 = 4_096;
const STOPPED: Option<i32> = Some(8);
const UNKNOWN: Option<i32> = Some(5);

#[test]
fn a_full_disk_sends_nothing_and_is_no_error_of_the_run() {
    let world = World::paying();
    world.open(&["cases.R1"]);
    world.file("one.csv", csv(&[("cases.R1", "a", "1")]));
    let disk = Disk::new();
    let (mut unsent, mut paid) = (0_u64, 0);
    // With little room the journal is not even made.
    for (before, pages) in (0..24).step_by(4).chain(24..).enumerate() {
        let run = format!("full-{pages}");
        let folder = disk.path().join(&run);
        let folder = folder.to_str().unwrap();
        let more = ["--folder", folder];
        let ledger = world.localnet.latest_ledger().unwrap();
        disk.leave(pages * PAGE);
        let mut command = disk.command(world.pay_command("one.csv", &run, &more));
        let ran = read(&command.stdin(std::process::Stdio::null()).output().unwrap());
        disk.free();
        if world.envelopes(folder).is_empty() {
            unsent += 1;
            assert_eq!(ran.code, STOPPED, "{pages} pages: {}", ran.talk);
            assert_eq!(
                world.localnet.latest_ledger().unwrap(),
                ledger,
                "it was sent"
            );
        } else if ran.code != Some(0) {
            paid += 1;
            assert!(
                [STOPPED, UNKNOWN].contains(&ran.code),
                "{pages} pages: {}",
                ran.talk
            );
        }
        // There is room: the same command goes on.
        world.pays(0, "one.csv", &run, &more);
        assert_eq!(world.count(), before as u64 + 1);
        assert_eq!(world.envelopes(folder).len(), 1, "{pages} pages");
        std::fs::remove_dir_all(folder).unwrap();
        if ran.code == Some(0) {
            break;
        }
    }
    println!("{unsent} times not sent, {paid} times sent and not written down");
    assert!(unsent > 4 && paid > 0, "{unsent}, {paid}");
    assert_eq!(world.replays(), 0);
}
