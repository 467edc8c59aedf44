//! A machine that dies at every durable write and around every sending, with SIGKILL, in a process of
//! its own. Whoever starts it again has what was on the disk, and nothing else.

mod machine;

use std::time::Duration;

use machine::{Died, Job};
use payout_engine::protocol::Phase;

use crate::entries::ONE;
use crate::scene::csv;
use crate::world::World;

const PAYEES: [&str; 5] = ["cases.R1", "cases.R2", "cases.R3", "cases.R4", "cases.R5"];

/// A world, its contract and a file.
fn scene() -> (World, String, String) {
    let world = World::paying();
    world.open(&PAYEES);
    let ids = ["a", "b", "c", "d", "e"];
    let amounts = ["1", "2", "3", "4", "5"];
    let rows = PAYEES.iter().zip(ids).zip(amounts);
    let rows: Vec<_> = rows.map(|((who, id), tokens)| (*who, id, tokens)).collect();
    let contract = world.fact("contract").as_str().unwrap().to_owned();
    (world, contract, csv(&rows))
}

/// The first two rows of a file: one slot.
fn first_two(file: &str) -> String {
    file.split_inclusive('\n').take(3).collect()
}

/// What each payee has after `times` runs that paid the first `rows` rows.
fn paid(world: &World, rows: usize, times: u32) {
    for (row, name) in PAYEES.iter().enumerate() {
        let each = if row < rows { row + 1 } else { 0 };
        let expected = i64::try_from(each).unwrap() * i64::from(times) * ONE;
        assert_eq!(world.balance(name), expected, "{name} after {times} runs");
    }
}

#[test]
fn a_run_that_dies_anywhere_is_paid_once() {
    Job::run_if_given();
    let this = "crash::a_run_that_dies_anywhere_is_paid_once";
    let (world, contract, file) = scene();
    let mut moment = 0;
    loop {
        moment += 1;
        let run = format!("run-{moment}");
        let job = Job::new(&world, &contract, &run, &file);
        let died = job.dies(this, moment, "pay");
        if died {
            assert_eq!(job.pay(this), Died::Not, "moment {moment}");
        }
        paid(&world, 5, moment);
        let offers = world.offers(&run);
        assert_eq!(offers.len(), 3, "one list a slot");
        for offer in offers {
            assert_eq!(offer.envelopes.len(), 1, "moment {moment}: {offer:?}");
            let verdict = offer.verdict.map(|(phase, _)| phase);
            assert!(matches!(verdict, None | Some(Phase::Paid)), "{verdict:?}");
        }
        if !died {
            break;
        }
    }
    // Before and after each: list, envelope, ledger, sending, verdict and receipt of three slots.
    assert!(moment > 2 * 3 * 6, "{moment} moments");
    assert_eq!(world.count(), 3 * u64::from(moment));
    assert_eq!(world.replays(), 0);
}

#[test]
fn a_run_whose_end_dies_anywhere_is_ended_once() {
    Job::run_if_given();
    let this = "crash::a_run_whose_end_dies_anywhere_is_ended_once";
    let (world, contract, file) = scene();
    let mut moment = 0;
    loop {
        moment += 1;
        let run = format!("end-{moment}");
        let some = Job::new(&world, &contract, &run, &first_two(&file));
        assert_eq!(some.pay(this), Died::Not);
        let all = Job::new(&world, &contract, &run, &file);
        let died = all.dies(this, moment, "close");
        assert_eq!(all.close(this), Died::Not, "ended again");
        // Whatever is paid under its name now pays nobody.
        assert_eq!(all.pay(this), Died::Ended, "moment {moment}");
        paid(&world, 2, moment);
        assert_eq!(world.inner_transactions(&run), 2, "a payout and a void");
        if !died {
            break;
        }
    }
    assert!(moment > 2 * 5, "{moment} moments");
    assert_eq!(world.count(), u64::from(moment));
    assert_eq!(world.replays(), 0);
}

/// A payout that was killed, then the end of its run: paid or void, and known which.
#[test]
fn a_run_that_dies_and_is_ended_is_paid_once_or_never() {
    Job::run_if_given();
    let this = "crash::a_run_that_dies_and_is_ended_is_paid_once_or_never";
    let (world, contract, file) = scene();
    let (mut moment, mut payouts) = (0, 0);
    loop {
        moment += 1;
        let run = format!("void-{moment}");
        let job = Job::new(&world, &contract, &run, &first_two(&file));
        let died = job.dies(this, moment, "pay");
        // What was signed has to run out before anything else is signed for the account.
        let pause = Duration::from_millis(5);
        let ended = world.while_ledgers_close(pause, || job.close(this));
        assert_eq!(ended, Died::Not, "moment {moment}");
        let count = world.count();
        assert!(count == payouts || count == payouts + 1);
        payouts = count;
        assert_eq!(job.pay(this), Died::Ended, "moment {moment}");
        assert_eq!(world.count(), payouts, "paid after its end");
        paid(&world, 2, u32::try_from(payouts).unwrap());
        if !died {
            break;
        }
    }
    assert!(
        payouts > 1 && payouts < u64::from(moment),
        "{payouts} of {moment}"
    );
    assert_eq!(world.replays(), 0);
}
