//! Seeded schedules of the engine on the real contract. `SIM_SEED=… cargo test -p payout-engine --test
//! simulator seed` plays one again; `examples/simulate.rs` plays as many as one likes.
#![forbid(unsafe_code)]

mod sim;

use sim::{Flaw, Kind, Tally, play};

/// Schedules that every run of the tests plays.
const SCHEDULES: u64 = 300;
/// Schedules within which each flaw has to be noticed.
const BUDGET: u64 = 20_000;

fn every_schedule_ends_right(kind: Kind) {
    let mut all = Tally::default();
    for seed in 0..SCHEDULES {
        match play(kind, seed, Flaw::Nothing) {
            Ok(tally) => all += tally,
            Err(why) => panic!("SIM_SEED={seed}: {why}"),
        }
    }
    println!("{SCHEDULES} schedules of {kind:?}: {all}");
    assert_eq!(all.unmet(kind), Vec::<&str>::new(), "{all}");
}

#[test]
fn every_schedule_of_runs_ends_right() {
    every_schedule_ends_right(Kind::Run);
}

#[test]
fn every_schedule_of_orders_ends_right() {
    every_schedule_ends_right(Kind::Orders);
}

/// The schedules of one seed, from the environment.
#[test]
fn seed() {
    let seed = std::env::var("SIM_SEED").map_or(0, |text| text.parse().expect("a number"));
    for kind in [Kind::Run, Kind::Orders] {
        match play(kind, seed, Flaw::Nothing) {
            Ok(tally) => println!("SIM_SEED={seed} {kind:?}: {tally}"),
            Err(why) => panic!("SIM_SEED={seed} {kind:?}: {why}"),
        }
    }
}

#[test]
fn a_seed_plays_the_same_schedule_again() {
    for seed in 0..20 {
        for kind in [Kind::Run, Kind::Orders] {
            let again = play(kind, seed, Flaw::Nothing);
            assert_eq!(play(kind, seed, Flaw::Nothing), again, "{kind:?} {seed}");
        }
    }
}

/// The first seed at which a flaw is noticed, and how.
fn noticed(kind: Kind, flaw: Flaw, how: &[&str]) {
    let first = (0..BUDGET).find_map(|seed| Some((seed, play(kind, seed, flaw).err()?)));
    let (seed, why) = first.unwrap_or_else(|| panic!("{flaw:?} is not noticed"));
    println!("{flaw:?}, seed {seed}: {why}");
    assert!(
        how.iter().any(|how| why.contains(how)),
        "seed {seed}: {why}"
    );
}

#[test]
fn fresh_keys_after_a_kill_are_noticed() {
    noticed(Kind::Run, Flaw::FreshKeysAfterKill, &["was paid in"]);
}

#[test]
fn a_final_unpaid_from_ones_own_expiry_is_noticed() {
    noticed(Kind::Run, Flaw::ExpiryIsFinal, &["reported unpaid"]);
}

#[test]
fn sent_taken_for_landed_is_noticed() {
    noticed(
        Kind::Run,
        Flaw::SentIsLanded,
        &["reported paid", "said to be paid"],
    );
}

#[test]
fn a_renamed_row_paid_without_asking_is_noticed() {
    noticed(Kind::Run, Flaw::TwinsPaid, &["was paid in"]);
}

#[test]
fn a_backup_taken_for_the_newest_journal_is_noticed() {
    noticed(Kind::Orders, Flaw::BackupUnnoticed, &["reported unpaid"]);
}
