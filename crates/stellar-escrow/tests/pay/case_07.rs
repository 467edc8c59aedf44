//! Case 07: the machine's time is wrong. The network's clock is set against the machine's, which is
//! the same to the program as the other way round.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use localnet::{Clock, Config, Fault, FaultPlan, Trigger};

use crate::scene::csv;
use crate::world::{World, at_once};

const PAYEES: [&str; 2] = ["cases.R1", "cases.R2"];
const OFF: u64 = 600;

fn here() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
}

#[test]
fn ten_minutes_either_way_change_nothing_but_a_warning() {
    let world = World::paying_on(Config {
        clock: Clock::Manual { now: here() - OFF },
        ..at_once()
    });
    world.open(&PAYEES);
    let mut late = FaultPlan::default().with(Fault::LateInclusion, Trigger::Every { calls: 1 });
    late.magnitudes.late_ledgers = 8;
    for (round, direction) in ["ahead of", "behind"].into_iter().enumerate() {
        if direction == "behind" {
            let network = world.localnet.now().unwrap();
            world.localnet.advance(here() + OFF - network).unwrap();
        }
        let ids = [format!("{round}.1"), format!("{round}.2")];
        let rows: Vec<_> = PAYEES
            .iter()
            .zip(&ids)
            .map(|(name, id)| (*name, id.as_str(), "5"))
            .collect();
        world.file("clock.csv", csv(&rows));
        world.faults(late.clone());
        // The newest ledger is as new as the clock.
        world.localnet.close_ledgers(1).unwrap();
        let (network, machine) = (world.localnet.now().unwrap(), here());
        let run = format!("clock-{round}");
        let ran = world.while_ledgers_close(Duration::from_millis(150), || {
            world.pay("clock.csv", &run, &["--max-batch", "1"])
        });
        world.localnet.clear_faults().unwrap();
        assert_eq!(ran.code, Some(0), "{}", ran.talk);

        let warning = ran.talk.lines().find(|line| line.starts_with("warning:"));
        let warning = warning.unwrap_or_else(|| panic!("no warning: {}", ran.talk));
        let says = format!("s {direction} the network's last ledger");
        assert!(warning.contains(&says), "{warning}");
        let skew: u64 = warning
            .split(' ')
            .find_map(|word| word.parse().ok())
            .unwrap();
        // Ledgers went on closing before it looked.
        let expected = machine.abs_diff(network);
        assert!(skew.abs_diff(expected) < 120, "{skew}, {expected}");

        let folder = format!("payout-{run}");
        let signed = world.envelopes(&folder);
        assert_eq!(signed.len(), 2, "one envelope a row");
        for envelope in &signed {
            // From the network's clock, not the machine's.
            let at = envelope.bounds.max_time - 300;
            let now = world.localnet.now().unwrap();
            // A ledger may be some seconds older than the clock; the machine is ten minutes off.
            assert!(
                at + 60 >= network && at <= now,
                "{network} <= {at} <= {now}"
            );
        }
        assert_eq!(world.count(), 2 * (round as u64 + 1));
        world.proven(&PAYEES, if round == 0 { "10" } else { "20" });
    }
}
