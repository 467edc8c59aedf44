//! Case 07: the machine's time is wrong. The network's clock is set against the machine's, which is the
//! same to the gateway as the other way round.

use std::fs::File;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use localnet::{Clock, Config};
use serde_json::Value;

use crate::chain::Chain;
use crate::world::{Process, World};

const OFF: u64 = 600;
const SETTINGS: &str = "[worker]\npoll_millis = 50\n[policy]\npoll_millis = 100\n";

fn here() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("after 1970").as_secs()
}

/// What the log says of the clock, line by line.
fn warnings(log: &std::path::Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).expect("a log");
    let message = |line: &str| {
        let line: Value = serde_json::from_str(line).ok()?;
        let message = line["fields"]["message"].as_str()?;
        message.contains("clock").then(|| message.to_owned())
    };
    text.lines().filter_map(message).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_clock_is_warned_of_with_its_skew() {
    let chain = Chain::on(
        Config {
            clock: Clock::Manual { now: here() - OFF },
            ..Config::default()
        },
        1,
    )
    .await;
    chain.keep_closing();
    let world = World::on(chain, SETTINGS).await;
    let log = tempfile::NamedTempFile::new().expect("a log");
    let serve = || {
        let mut command = world.command();
        let file = File::options().append(true).open(log.path());
        command
            .env("GATEWAY_LOG", "warn")
            .stderr(file.expect("a log"));
        Process::of(command)
    };
    let process = serve();
    world.until_paid(&process, "ahead").await;
    until_warned(log.path(), "s ahead of the network's last ledger").await;
    let network = world.chain.localnet().now().expect("a time");
    let later = here() + OFF - network;
    world.chain.localnet().advance(later).expect("later");
    until_warned(log.path(), "s behind the network's last ledger").await;
    world.until_paid(&process, "behind").await;
    world.settled(2);
}

/// Waits for a warning that measures ten minutes, more or less.
async fn until_warned(log: &std::path::Path, says: &str) {
    for _ in 0..600 {
        let found = warnings(log).into_iter().find(|line| line.contains(says));
        if let Some(line) = found {
            let seconds = line.split(' ').find_map(|word| word.parse::<u64>().ok());
            let seconds = seconds.unwrap_or_else(|| panic!("no number: {line}"));
            assert!(seconds.abs_diff(OFF) < 240, "{line}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no warning: {:?}", warnings(log));
}
