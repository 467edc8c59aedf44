//! Case 06: never included at that bid, or a day of rent short.

use std::collections::BTreeSet;
use std::time::Duration;

use localnet::{Fault, FaultPlan, Trigger};

use crate::scene::{csv, next};
use crate::world::World;

const ASKED: u32 = 50_000;

/// One row, and a network that asks [`ASKED`] for an operation from the first sending on.
fn scene() -> World {
    let world = World::paying();
    world.open(&["cases.R1"]);
    world.file("one.csv", csv(&[("cases.R1", "one", "5")]));
    let mut spike = FaultPlan::default().with(Fault::FeeSpike, Trigger::Next { calls: 1 });
    spike.magnitudes.spike_fee = ASKED;
    spike.magnitudes.spike_ledgers = 10_000;
    world.faults(spike);
    world
}

/// Slow enough for the command to see each ledger, fast enough for a queue's life to be short.
const LEDGER: Duration = Duration::from_millis(150);

#[test]
fn a_bid_that_is_not_included_is_raised_around_the_same_transaction() {
    let world = scene();
    let cap = ["--max-fee", "10000000"];
    let ran = world.while_ledgers_close(LEDGER, || world.pay("one.csv", "one", &cap));
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    world.proven(&["cases.R1"], "5");
    assert_eq!(world.count(), 1);

    let signed = world.envelopes("payout-one");
    assert!(signed.len() > 1, "nothing was bumped");
    assert_eq!(world.inner_transactions("payout-one"), 1);
    let hashes: BTreeSet<[u8; 32]> = signed.iter().map(|envelope| envelope.hash.0).collect();
    assert_eq!(hashes.len(), signed.len());
    assert_eq!(signed[0].bid.0, 100);
    for pair in signed.windows(2) {
        assert!(pair[1].bid.0 >= pair[0].bid.0 * 10, "{pair:?}");
    }
    assert!(signed.last().unwrap().bid.0 >= ASKED);
    // The receipt links the bump that paid.
    let receipts = world.receipts("one.csv", "one", &[]);
    let paid = receipts["rows"][0]["transaction"].as_str().unwrap();
    assert_eq!(paid, signed.last().unwrap().hash.to_string());
}

#[test]
fn a_ceiling_stops_it_with_all_that_is_needed_to_go_on() {
    let world = scene();
    let low = ["--max-fee", "10000"];
    let ran = world.while_ledgers_close(LEDGER, || world.pay("one.csv", "one", &low));
    assert_eq!(ran.code, Some(5), "{}", ran.talk);
    let signed = world.envelopes("payout-one");
    let key = world.offers("payout-one")[0].intent.key.clone();
    assert!(ran.talk.contains(key.as_str()), "{}", ran.talk);
    for envelope in &signed {
        assert!(envelope.bid.0 <= 10_000);
        assert!(
            ran.talk.contains(&envelope.hash.to_string()),
            "{}",
            ran.talk
        );
    }
    assert!(
        ran.talk.contains("needs a bid of 100000 stroops"),
        "{}",
        ran.talk
    );
    assert!(ran.talk.contains("ceiling of 10000;"), "{}", ran.talk);
    let until = "it may be or become paid until a ledger after ";
    assert!(ran.talk.contains(until), "{}", ran.talk);
    assert!(ran.talk.contains(" UTC"), "{}", ran.talk);
    assert_eq!(world.count(), 0);

    let high = ["--max-fee", "10000000"];
    let ran = world.while_ledgers_close(LEDGER, || world.pay("one.csv", "one", &high));
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    assert!(world.envelopes("payout-one").len() > signed.len());
    assert_eq!(world.inner_transactions("payout-one"), 1);
    world.proven(&["cases.R1"], "5");
}

#[test]
fn a_refundable_fee_that_did_not_suffice_is_lost_and_the_row_is_paid() {
    let world = World::paying();
    world.open(&["cases.R1"]);
    world.file("one.csv", csv(&[("cases.R1", "one", "5")]));
    world.faults(next(Fault::InsufficientRefundableFee, 1));
    let talk = world.pays(0, "one.csv", "one", &[]);
    assert_eq!(world.struck(Fault::InsufficientRefundableFee), 1);
    world.proven(&["cases.R1"], "5");
    assert_eq!(world.count(), 1);
    let offers = world.offers("payout-one");
    assert_eq!(offers.len(), 1, "another key or another list");
    assert_eq!(world.inner_transactions("payout-one"), 2);
    // It paid nobody and cost something, and both are said.
    let lost = offers[0].envelopes[0].hash.to_string();
    assert!(
        talk.contains(&lost) && talk.contains("paid nobody, and its fee of"),
        "{talk}"
    );
}
