//! Papers beside a file: of other runs, of an attempt that was stopped, of rows that are held.

use std::path::PathBuf;

use localnet::{Fault, FaultPlan, Trigger};
use nix::sys::signal::Signal;

use crate::entries::ONE;
use crate::scene::{Row, csv};
use crate::world::World;

const PAYEES: [&str; 3] = ["cases.R1", "cases.R2", "cases.R3"];
const ROWS: [Row<'_>; 3] = [
    ("cases.R1", "a", "1"),
    ("cases.R2", "b", "2"),
    ("cases.R3", "c", "3"),
];

fn scene() -> World {
    let world = World::paying();
    world.open(&PAYEES);
    world.file("prizes.csv", csv(&ROWS));
    world
}

impl World {
    fn paper(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// The next envelope is accepted and not included for a long time.
    fn hold_back(&self) {
        let mut late = FaultPlan::default().with(Fault::LateInclusion, Trigger::Next { calls: 1 });
        late.magnitudes.late_ledgers = 40;
        self.faults(late);
    }

    /// Pays until the first envelope is held back, and is killed there.
    fn killed(&self, file: &str, run: &str) {
        self.hold_back();
        let mut paying = self.start_paying(file, run, &[]);
        paying.until_struck(self, Fault::LateInclusion);
        paying.signal(Signal::SIGKILL);
        paying.end();
    }

    /// It stops, says all of `says`, and signs nothing.
    fn stops(&self, file: &str, run: &str, more: &[&str], says: &[&str]) {
        let before = self.sequence("payout");
        let talk = self.pays(6, file, run, more);
        for says in says {
            assert!(talk.contains(says), "{says} is not in: {talk}");
        }
        assert_eq!(self.sequence("payout"), before);
    }
}

#[test]
fn another_name_for_a_paid_file_stops_until_it_is_meant() {
    let world = scene();
    world.pays(0, "prizes.csv", "may", &[]);
    let says = [
        "nothing was signed",
        "run may has paid or offered 3 of these rows",
        "payout-may",
        "(a, b, c)",
        "--run may",
        "--after may",
        "--again may",
    ];
    for more in [&[][..], &["--dry-run"], &["--build-only"]] {
        world.stops("prizes.csv", "june", more, &says);
    }
    // Either paper says it.
    for (gone, kept) in [("receipts.json", "kept.json"), ("journal.db", "kept.db")] {
        let (gone, kept) = (format!("payout-may/{gone}"), format!("payout-may/{kept}"));
        std::fs::rename(world.paper(&gone), world.paper(&kept)).unwrap();
        world.stops("prizes.csv", "june", &[], &says[..3]);
        std::fs::rename(world.paper(&kept), world.paper(&gone)).unwrap();
    }
    // Beside what hinders it, too: "lock more" alone would be the wrong way on.
    let (who, id, _) = ROWS[0];
    world.file("more.csv", csv(&[(who, id, "900000")]));
    let talk = world.pays(7, "more.csv", "june", &[]);
    for word in ["run may has paid or offered 1 of these", "lock more"] {
        assert!(talk.contains(word), "{word} is not in: {talk}");
    }
    // Beside the run's own folder, too.
    std::fs::create_dir(world.paper("desk")).unwrap();
    world.file("desk/copy.csv", csv(&ROWS));
    world.stops("desk/copy.csv", "june", &["--folder", "june"], &says[..3]);
    // Another run's yes does not do, and a run that goes on cannot be followed.
    world.stops("prizes.csv", "june", &["--again", "april"], &says[..3]);
    world.stops(
        "prizes.csv",
        "june",
        &["--after", "may"],
        &["has not ended"],
    );
    world.proven(&PAYEES, "6");

    // Rows that it does not have are nobody's.
    world.file("more.csv", csv(&[("cases.R1", "d", "4")]));
    world.pays(0, "more.csv", "june", &[]);
    world.proven(&PAYEES, "10");
    world.pays(0, "prizes.csv", "july", &["--again", "may"]);
    world.proven(&PAYEES, "16");
    // Two runs, and each has to be named.
    world.stops("prizes.csv", "august", &["--again", "may"], &["run july"]);
}

#[test]
fn a_run_that_was_killed_before_any_receipt_is_seen() {
    let world = scene();
    world.killed("prizes.csv", "may");
    assert!(!world.paper("payout-may/receipts.json").exists());
    world.stops("prizes.csv", "june", &[], &["run may", "(a, b, c)"]);
    world.localnet.close_ledgers(45).unwrap();
    world.pays(0, "prizes.csv", "may", &[]);
    world.proven(&PAYEES, "6");
}

#[test]
fn what_a_stopped_run_was_about_to_pay_is_seen_until_it_has_gone_on() {
    let world = scene();
    world.hold_back();
    let mut paying = world.start_paying("prizes.csv", "may", &["--max-batch", "1"]);
    paying.until_struck(&world, Fault::LateInclusion);
    paying.signal(Signal::SIGKILL);
    paying.end();
    // One row was offered, and the others were to be.
    world.stops("prizes.csv", "june", &[], &["run may", "3 of these rows"]);
    let (journal, kept) = (
        world.paper("payout-may/journal.db"),
        world.paper("payout-may/kept.db"),
    );
    std::fs::rename(&journal, &kept).unwrap();
    for more in [&[][..], &["--build-only"]] {
        world.stops("prizes.csv", "june", more, &["run may", "(a, b, c)"]);
    }
    std::fs::rename(&kept, &journal).unwrap();
    // A run that stops before it signs leaves nothing that others would take for its own.
    assert!(!world.paper("payout-june/claim.json").exists());
    world.localnet.close_ledgers(45).unwrap();
    // It goes on without a row that it has not offered, which is anybody's from then on.
    world.file("fewer.csv", csv(&ROWS[..2]));
    world.pays(0, "fewer.csv", "may", &[]);
    assert!(!world.paper("payout-may/claim.json").exists());
    world.file("rest.csv", csv(&ROWS[2..]));
    world.pays(0, "rest.csv", "june", &[]);
    world.proven(&PAYEES, "6");
}

#[test]
#[cfg(unix)]
fn a_link_to_a_paid_file_is_that_file() {
    let world = scene();
    for folder in ["real", "link"] {
        std::fs::create_dir(world.paper(folder)).unwrap();
    }
    world.file("real/list.csv", csv(&ROWS));
    std::os::unix::fs::symlink("../real/list.csv", world.paper("link/list.csv")).unwrap();
    world.pays(0, "real/list.csv", "june", &[]);
    let says = ["run june has paid or offered 3 of these rows", "(a, b, c)"];
    world.stops("link/list.csv", "july", &[], &says);
    // Nor does a link to the run's folder hide what is beside it.
    std::fs::create_dir(world.paper("real/july")).unwrap();
    std::fs::create_dir(world.paper("desk")).unwrap();
    std::os::unix::fs::symlink("../real/july", world.paper("link/july")).unwrap();
    world.file("desk/copy.csv", csv(&ROWS));
    let linked = ["--folder", "link/july"];
    world.stops("desk/copy.csv", "july", &linked, &says);
    world.proven(&PAYEES, "6");
}

#[test]
fn what_was_written_before_is_not_left_as_if_it_held() {
    let world = World::paying();
    world.open(&PAYEES[..2]);
    world.put_account("cases.R3", 100 * ONE);
    world.file("prizes.csv", csv(&ROWS));
    world.pays(3, "prizes.csv", "may", &[]);
    let now = ["receipts.csv", "receipts.json", "left-out.csv"];
    let before = [
        "receipts.earlier.csv",
        "receipts.earlier.json",
        "left-out.earlier.csv",
    ];
    let there =
        |names: [&str; 3]| names.map(|name| world.paper(&format!("payout-may/{name}")).exists());
    assert_eq!((there(now), there(before)), ([true; 3], [false; 3]));

    // Killed: what was left out may be paid by now.
    world.open(&PAYEES[2..]);
    world.killed("prizes.csv", "may");
    assert_eq!((there(now), there(before)), ([false; 3], [true; 3]));
    world.localnet.close_ledgers(45).unwrap();
    world.pays(0, "prizes.csv", "may", &[]);
    assert_eq!(there(now), [true, true, false]);
    assert_eq!(there(before), [false; 3]);

    // Stopped, because it is not known which rows are meant.
    let renamed = [ROWS[0], ("cases.R2", "b-corrected", "2"), ROWS[2]];
    world.file("prizes.csv", csv(&renamed));
    world.pays(6, "prizes.csv", "may", &[]);
    assert_eq!(there(now), [false; 3]);
    assert_eq!(there(before), [true, true, false]);
    world.proven(&PAYEES, "6");
}

#[test]
fn held_rows_are_named_and_never_left_out() {
    let world = World::paying();
    world.open(&["cases.R1", "cases.R3"]);
    world.put_account("cases.R2", 100 * ONE);
    world.file("prizes.csv", csv(&ROWS));
    // The first batch is held back, and the fee of the next try is above the ceiling.
    let mut spike = FaultPlan::default().with(Fault::FeeSpike, Trigger::Next { calls: 1 });
    spike.magnitudes.spike_fee = 50_000;
    spike.magnitudes.spike_ledgers = 10_000;
    world.faults(spike);
    let low = ["--max-batch", "1", "--max-fee", "10000"];
    let pause = std::time::Duration::from_millis(150);
    let ran = world.while_ledgers_close(pause, || world.pay("prizes.csv", "may", &low));
    assert_eq!(ran.code, Some(5), "{}", ran.talk);
    assert!(ran.talk.contains("1 held, 2 open"), "{}", ran.talk);
    let left = std::fs::read_to_string(world.paper("payout-may/left-out.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(left.as_bytes());
    let ids: Vec<String> = reader
        .records()
        .map(|row| row.unwrap()[1].to_owned())
        .collect();
    assert_eq!(ids, ["b", "c"], "{left}");

    // Something stands in the way now: the held row is named beside it, and the code is not that of a
    // refusal.
    world.json("admin", &["pause", "--payout", "--inclusion-fee", "100000"]);
    let before = world.envelopes("payout-may").len();
    let talk = world.pays(5, "prizes.csv", "may", &low);
    for says in [
        "payouts are paused",
        "1 rows are held by an offer that was made before",
        "Do not pay them in another way",
    ] {
        assert!(talk.contains(says), "{says} is not in: {talk}");
    }
    assert_eq!(world.envelopes("payout-may").len(), before);
}
