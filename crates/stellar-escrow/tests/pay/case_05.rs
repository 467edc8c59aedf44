//! Case 05: answers that prove nothing.

use std::time::Duration;

use localnet::{Fault, FaultPlan, Trigger};
use nix::sys::signal::Signal;

use crate::scene::csv;
use crate::world::World;

const PAYEES: [&str; 3] = ["cases.R1", "cases.R2", "cases.R3"];

/// Slow enough for an envelope to live while nodes lag.
const LEDGER: Duration = Duration::from_millis(200);

#[test]
fn three_batches_three_envelopes_and_no_word_of_failure() {
    let world = World::paying();
    world.open(&PAYEES);
    let rows: Vec<_> = PAYEES.iter().map(|name| (*name, *name, "5")).collect();
    world.file("three.csv", csv(&rows));
    // The escrow has been there for longer than any node lags.
    world.localnet.close_ledgers(10).unwrap();
    let once = Trigger::Next { calls: 1 };
    // The first batch is accepted and answered with a 504, and is not in any ledger for six. Every
    // second read is six ledgers old.
    let mut plan = FaultPlan::default()
        .with(Fault::GatewayTimeout, once)
        .with(Fault::LateInclusion, once)
        .with(Fault::LaggingRead, Trigger::Every { calls: 2 });
    plan.magnitudes.late_ledgers = 6;
    plan.magnitudes.lag_ledgers = 6;
    world.faults(plan);
    let mut paying = world.start_paying("three.csv", "three", &["--max-batch", "1"]);
    world.while_ledgers_close(LEDGER, || {
        paying.until_struck(&world, Fault::GatewayTimeout);
        std::thread::sleep(3 * LEDGER);
    });
    assert_eq!(world.struck(Fault::LateInclusion), 1);
    // It is held while the second batch's faults are set; the first is included meanwhile.
    paying.signal(Signal::SIGSTOP);
    world.localnet.close_ledgers(8).unwrap();
    world.faults(
        FaultPlan::default()
            .with(Fault::TryAgainLater, Trigger::Next { calls: 2 })
            .with(Fault::TryAgainLaterAccepted, once)
            .with(Fault::BadSeqAccepted, once),
    );
    paying.signal(Signal::SIGCONT);
    let ran = world.while_ledgers_close(LEDGER, || paying.end());

    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    assert_eq!(world.struck(Fault::TryAgainLater), 2);
    assert_eq!(world.struck(Fault::TryAgainLaterAccepted), 1);
    assert_eq!(world.struck(Fault::BadSeqAccepted), 1, "{}", ran.talk);
    assert!(ran.talk.contains("outcome_unknown"), "{}", ran.talk);
    assert!(!ran.talk.to_lowercase().contains("fail"), "{}", ran.talk);
    world.localnet.clear_faults().unwrap();
    assert_eq!(world.count(), 3);
    world.proven(&PAYEES, "15");

    // One envelope a batch, each signed after the ledger that has the verdict of the one before.
    let offers = world.offers("payout-three");
    let receipts = world.receipts("three.csv", "three", &[]);
    assert_eq!(offers.len(), 3);
    let mut verdict = 0;
    for (slot, offer) in offers.iter().enumerate() {
        assert_eq!(offer.envelopes.len(), 1, "slot {slot}");
        let signed_at = offer.envelopes[0].bounds.max_ledger - 90;
        assert!(signed_at >= verdict, "slot {slot}: {signed_at}, {verdict}");
        let paid = receipts["slots"][slot]["ledger"].as_u64().unwrap();
        verdict = u32::try_from(paid).unwrap();
    }
}
