//! Plays seeded schedules of the engine on the real contract, on all cores.
//!
//! ```text
//! cargo run -p payout-engine --example simulate -- --schedules 1000 --first 0
//! ```
//!
//! With `--orders`, orders with keys of their own instead of runs. Prints each seed that fails and why, and at the end what was met. `SIM_SEED=… cargo test -p
//! payout-engine --test simulator seed` plays one of them again.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

#[path = "../tests/simulator/sim/mod.rs"]
mod sim;

use sim::{Flaw, Kind, Tally, play};

/// A number behind a flag of the command line.
fn number(name: &str, otherwise: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    let value = arguments.nth(1);
    value.map_or(otherwise, |text| text.parse().expect("a whole number"))
}

fn main() -> ExitCode {
    let (first, schedules) = (number("--first", 0), number("--schedules", 10_000));
    let orders = std::env::args().any(|argument| argument == "--orders");
    let kind = if orders { Kind::Orders } else { Kind::Run };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = number("--threads", u64::try_from(cores).unwrap_or(1));
    let bar = ProgressBar::new(schedules).with_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec} {eta} {msg}")
            .expect("a template"),
    );
    let next = AtomicU64::new(first);
    let all = Mutex::new((Tally::default(), 0_u64));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + schedules {
                        break;
                    }
                    let played = play(kind, seed, Flaw::Nothing);
                    let mut all = all.lock().expect("nobody panicked");
                    match played {
                        Ok(tally) => all.0 += tally,
                        Err(why) => {
                            all.1 += 1;
                            println!("SIM_SEED={seed} {kind:?}: {why}");
                        }
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish();
    let (tally, failed) = all.into_inner().expect("nobody panicked");
    let seconds = bar.elapsed().as_secs_f64();
    println!("{schedules} schedules of {kind:?} from {first} in {seconds:.0} s, {failed} failed");
    println!("{tally}; never met: {:?}", tally.unmet(kind));
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
