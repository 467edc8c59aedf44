//! Rule 7: margin, ceiling, fee bump, restores.

use payout_engine::protocol::{
    Answer, Bid, Effect, Event, Phase, Policy, Prepared, RefusedKind, SendStatus, Simulation, Stop,
    TxHash,
};
use payout_engine::{NodeId, RecordKind};

use super::script::{OURS, Script, moment, policy, record};

fn with_ceiling(bid: u32) -> Script {
    Script::with(Policy {
        max_bid: Bid(bid),
        ..policy()
    })
}

fn stop(script: &Script) -> Stop {
    match script.state.answer() {
        Answer::Stopped { stop, .. } => stop,
        other => panic!("not stopped: {other:?}"),
    }
}

/// Accepted at 100, then others bid 50,000: the same inner transaction at ten times the bid or
/// more, stored first, both hashes kept.
#[test]
fn a_queued_envelope_is_bumped_when_others_bid_more() {
    let mut script = with_ceiling(1_000_000);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.later(11);
    assert!(!script.signs(), "it has hardly waited");
    script.later(12);
    script.answer(SendStatus::Duplicate, 12).timer();
    assert!(script.effects.contains(&Effect::ReadFees));
    script.on(Event::Fees(Bid(50_000))).absent(13);
    let [Effect::SignBump(request)] = script.effects.as_slice() else {
        panic!("to bump: {:?}", script.effects)
    };
    assert_eq!(request.bid, Bid(50_000));
    assert_eq!(request.around.hash, TxHash([1; 32]));
    script.sign();
    assert!(script.stores().is_some() && script.sends().is_empty());
    script.stored();
    assert_eq!(script.sends()[0].hash, TxHash([2; 32]));
    assert_eq!(script.sends()[0].inner, TxHash([1; 32]));
    script.answer(SendStatus::Pending, 13).timer();
    script.present(record(RecordKind::Batch, OURS, 14), 14);
    let Some(Effect::FindReceipt { hashes, .. }) = script.effects.last() else {
        panic!("a receipt is looked for")
    };
    assert_eq!(hashes, &[TxHash([1; 32]), TxHash([2; 32])]);
}

/// What is queued is only replaced by ten times its bid.
#[test]
fn a_bump_is_ten_times_the_queued_bid_at_least() {
    let mut script = with_ceiling(1_000_000);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.later(12).answer(SendStatus::Duplicate, 12);
    script.on(Event::Fees(Bid(101))).later(14);
    assert!(matches!(
        script.effects.as_slice(),
        [Effect::SignBump(request)] if request.bid == Bid(1_000)
    ));
}

/// Late is not dear: without a reason nothing is signed beside the envelope.
#[test]
fn patience_is_no_reason_for_a_bump() {
    let mut script = with_ceiling(1_000_000);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    for ledger in 11..=50 {
        if script.phase() == Phase::Sending {
            script.answer(SendStatus::Duplicate, ledger - 1);
        }
        script.on(Event::Fees(Bid(100))).later(ledger);
        assert!(!script.signs(), "at {ledger}");
    }
}

/// A queue drops after four ledgers and then answers: try again later. A bump has another hash.
#[test]
fn an_envelope_that_the_queue_dropped_is_bumped() {
    let mut script = with_ceiling(1_000_000);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.later(12).answer(SendStatus::Duplicate, 12);
    script.later(14).answer(SendStatus::TryAgainLater, 14);
    assert_eq!(script.phase(), Phase::OutcomeUnknown);
    script.later(15);
    assert!(matches!(
        script.effects.as_slice(),
        [Effect::SignBump(request)] if request.bid == Bid(1_000)
    ));
}

/// Try again later before the queue's life is over says nothing of the kind.
#[test]
fn try_again_later_alone_is_no_reason_for_a_bump() {
    let mut script = with_ceiling(1_000_000);
    script
        .until_sending(10)
        .answer(SendStatus::TryAgainLater, 10);
    for ledger in 11..20 {
        script.later(ledger);
        assert!(!script.signs());
        if script.phase() == Phase::Sending {
            script.answer(SendStatus::TryAgainLater, ledger);
        }
    }
}

/// The node names the fee: a bump around the same inner transaction, after a look.
#[test]
fn a_bid_that_is_too_low_is_raised_to_what_the_node_asks() {
    let mut script = with_ceiling(1_000_000);
    let kind = RefusedKind::Fee(Bid(777));
    script
        .until_sending(10)
        .refused("txINSUFFICIENT_FEE", kind, 10);
    assert!(!script.signs(), "a look comes first");
    script.later(11);
    assert!(matches!(
        script.effects.as_slice(),
        [Effect::SignBump(request)] if request.bid == Bid(777)
    ));
}

/// The ceiling stops with the fee that would be needed; raised, the same inner goes on.
#[test]
fn the_ceiling_stops_and_names_what_is_needed() {
    let mut script = with_ceiling(10_000);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.later(12).answer(SendStatus::Duplicate, 12);
    script.on(Event::Fees(Bid(50_000))).later(14);
    let (needed, ceiling) = (Bid(50_000), Bid(10_000));
    assert_eq!(stop(&script), Stop::BidCeiling { needed, ceiling });
    let Answer::Stopped { hashes, .. } = script.state.answer() else {
        panic!("stopped")
    };
    assert_eq!(hashes, [TxHash([1; 32])]);
    let max_bid = Some(Bid(10_000_000));
    script.on(Event::Resume { max_bid }).absent(15);
    let [Effect::SignBump(request)] = script.effects.as_slice() else {
        panic!("to bump: {:?}", script.effects)
    };
    assert_eq!(request.around.inner, TxHash([1; 32]));
}

fn simulation(fee: i64, restores: u32) -> Event {
    Event::Simulated(Simulation {
        at: moment(10),
        node: NodeId(0),
        min_resource_fee: fee,
        restores,
        market: Bid(100),
        prepared: Prepared::default(),
    })
}

#[test]
fn the_resource_fee_has_a_margin_and_a_ceiling() {
    let policy = Policy {
        margin: 20,
        max_resource_fee: 1_200,
        ..policy()
    };
    let mut script = Script::with(policy);
    script.resume().absent(10).on(simulation(1_000, 0)).stored();
    assert!(matches!(
        script.effects.as_slice(),
        [Effect::Sign(request)] if request.resource_fee == 1_200
    ));
    for (fee, needed) in [(1_001, 1_201), (i64::MAX, i64::MAX)] {
        let mut script = Script::with(policy);
        script.resume().absent(10).on(simulation(fee, 0));
        let ceiling = 1_200;
        assert_eq!(stop(&script), Stop::ResourceFeeCeiling { needed, ceiling });
    }
}

#[test]
fn the_first_bid_keeps_the_ceiling_and_the_least() {
    for (market, max_bid, bid) in [(5, 1_000, 100), (500, 1_000, 500), (5_000, 1_000, 1_000)] {
        let mut script = with_ceiling(max_bid);
        script.resume().absent(10).simulated(10, market).stored();
        assert!(matches!(
            script.effects.as_slice(),
            [Effect::Sign(request)] if request.bid == Bid(bid)
        ));
    }
}

/// Restores are shown, and paid only when somebody agrees.
#[test]
fn restores_are_shown_before_they_are_paid() {
    let mut script = Script::with(policy());
    script.resume().absent(10).on(simulation(1_000, 3));
    assert_eq!(script.phase(), Phase::AwaitingConsent);
    assert_eq!(
        script.effects,
        [Effect::ShowRestores {
            entries: 3,
            resource_fee: 1_200
        }]
    );
    script.on(Event::Consented).stored();
    assert!(script.signs());
}
