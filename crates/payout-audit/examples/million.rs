//! How long and how much memory an audit of many events takes.
//!
//! `cargo run --profile dist -p payout-audit --example million` makes archives of 100,000 and of
//! 1,000,000 events and verifies each in a process of its own: chain, events, transactions and all
//! checks. Payouts are batches of 60 and of 20 with references, and single ones, with replays between.

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod support;

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use payout_audit::Verdict;
use payout_audit::archive::{Archive, Page};
use payout_audit::audit::{Auditor, Beside, Questions};
use support::Tx;
use support::story::{Story, account};

const FEW: u64 = 100_000;
const MANY: u64 = 1_000_000;
/// Ledgers a page.
const PAGE: u32 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["make", path, events] => make(Path::new(path), events.parse()?),
        ["verify", path] => verify(Path::new(path)),
        _ => compare(),
    }
}

fn compare() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut seconds = Vec::new();
    for events in [FEW, MANY] {
        let path = folder.path().join(events.to_string());
        let path = path.to_str().ok_or("a folder with a readable name")?;
        let program = std::env::current_exe()?;
        let made = Command::new(&program)
            .args(["make", path, &events.to_string()])
            .status()?;
        let run = Command::new(&program).args(["verify", path]).output()?;
        if !made.success() || !run.status.success() {
            return Err(String::from_utf8_lossy(&run.stderr).into_owned().into());
        }
        let text = String::from_utf8(run.stdout)?;
        print!("{text}");
        let first = text
            .split_whitespace()
            .next()
            .ok_or("a number of seconds")?;
        seconds.push(first.parse::<f64>()?);
    }
    if let [few, many] = seconds.as_slice() {
        println!(
            "{:.1} times the time for {} times the events",
            many / few,
            MANY / FEW
        );
    }
    Ok(())
}

fn make(path: &Path, wanted: u64) -> Result<(), Box<dyn Error>> {
    let mut story = Story::new();
    let mut archive = Archive::open(path, &story.subject)?;
    story.lock(1_000_000_000_000);
    let (mut events, mut round, mut from) = (2, 0_u64, 1);
    let lines = |count: u32, round: u64| {
        (0..count)
            .map(|number| {
                (
                    account(number),
                    i128::from(number) + i128::from(round % 1_000) + 1,
                )
            })
            .collect::<Vec<_>>()
    };
    while events < wanted {
        round += 1;
        story.pay(&format!("batch-60-{round}"), &lines(60, round), true);
        story.pay(&format!("batch-20-{round}"), &lines(20, round), true);
        for single in 0..5 {
            story.pay(&format!("single-{round}-{single}"), &lines(1, round), false);
        }
        story.replay(&format!("batch-60-{round}"), None);
        events += 61 + 21 + 10 + 1;
        if story.ledger >= from + PAGE || events >= wanted {
            let to = story.ledger - 1;
            archive.page(Page {
                from,
                to,
                latest: to,
                node: "node.example",
                ledger_hash: "",
                transactions: story.transactions.iter().map(Tx::raw).collect(),
            })?;
            from = to + 1;
            story.transactions.clear();
            story.records.clear();
        }
    }
    Ok(())
}

fn verify(path: &Path) -> Result<(), Box<dyn Error>> {
    let subject = Story::new().subject;
    let started = Instant::now();
    let questions = Questions {
        to: Some(u32::MAX - 1),
        ..Questions::default()
    };
    let mut auditor = Auditor::new(&subject, questions);
    let head = auditor.archive(path)?;
    let report = auditor.finish(Beside::default());
    let wall = started.elapsed().as_secs_f64();
    let seconds = processor_seconds()?;
    // That the range was asked for to its end is all that is open.
    let open: Vec<&str> = report.unproven();
    if report.verdict == Verdict::Refuted || open != ["COVERAGE"] {
        return Err(report.table().into());
    }
    let peak = std::fs::read_to_string("/proc/self/status")?
        .lines()
        .find_map(|line| {
            line.strip_prefix("VmHWM:")
                .map(str::trim)
                .map(str::to_owned)
        })
        .ok_or("a peak of memory")?;
    println!(
        "{seconds:.2} s of one processor ({wall:.2} s by the clock), peak memory {peak}, for {} events in {} \
         transactions, {} MB",
        report.scope.events,
        report.scope.transactions,
        head.bytes / 1_000_000
    );
    Ok(())
}

/// What this process used of a processor, in seconds: a busy machine does not count.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(") ").ok_or("fields behind the name")?;
    let ticks: Vec<f64> = fields
        .split(' ')
        .skip(11)
        .take(2)
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    // Linux counts a hundred ticks a second, whatever the machine.
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
