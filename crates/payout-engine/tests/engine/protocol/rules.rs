//! The ten rules, one after the other.

use payout_engine::protocol::{
    Answer, Bid, Bounds, Effect, Entry, Event, Jitter, Knowledge, Obligation, Phase, Policy,
    Purpose, RefusedKind, SendStatus, Signed, Signers, Stop, TxHash,
};
use payout_engine::{Moment, NodeId, RecordKind, View};

use super::script::{OURS, Script, key, moment, policy, record};

fn stop(script: &Script) -> Stop {
    match script.state.answer() {
        Answer::Stopped {
            stop, key: named, ..
        } => {
            assert_eq!(named, key(), "the answer names the key to go on with");
            stop
        }
        other => panic!("not stopped: {other:?}"),
    }
}

/// Rule 1: the look-up is the first thing, whatever else is to be done.
#[test]
fn the_key_is_looked_up_before_anything_else() {
    let mut script = Script::new(Signers::Others);
    script.resume();
    assert_eq!(
        script.effects,
        [Effect::ReadRecord {
            min_ledger: 0,
            not_from: None
        }]
    );
    script.present(record(RecordKind::Batch, OURS, 9), 10);
    assert_eq!(script.phase(), Phase::Paid);
    assert!(script.sends().is_empty() && !script.signs());
}

/// Rule 2: key and arguments before signing; the envelope and its hashes before sending.
#[test]
fn nothing_is_signed_or_sent_before_it_is_stored() {
    let mut script = Script::new(Signers::OnlyThisJournal);
    script.resume().absent(10).simulated(10, 100);
    assert!(matches!(script.stores(), Some(Entry::Intent { .. })));
    assert!(!script.signs());
    script.stored();
    assert!(script.signs());
    script.sign();
    assert!(matches!(script.stores(), Some(Entry::Envelope { .. })));
    assert!(script.sends().is_empty());
    script.stored();
    assert_eq!(script.sends().len(), 1);
}

/// Rule 2: a full disk is an error before anything is sent, and what was not stored is gone.
#[test]
fn a_journal_that_cannot_write_stops_before_sending() {
    for at_envelope in [false, true] {
        let mut script = Script::new(Signers::OnlyThisJournal);
        script.resume().absent(10).simulated(10, 100);
        if at_envelope {
            script.stored().sign();
        }
        script.on(Event::StoreFailed("disk full".into()));
        assert_eq!(stop(&script), Stop::Store("disk full".into()));
        assert!(script.effects.is_empty() && script.state.envelopes().is_empty());
        script.resume().absent(11);
        assert_eq!(script.phase(), Phase::Simulating, "it begins anew");
    }
}

/// Rule 4: a lost answer is a state of its own, with what is awaited.
#[test]
fn an_unknown_outcome_says_what_is_awaited() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(10).on(Event::SendFailed("504".into()));
    assert_eq!(script.phase(), Phase::OutcomeUnknown);
    let Answer::OutcomeUnknown { awaited } = script.state.answer() else {
        panic!("unknown")
    };
    assert_eq!(awaited.past, Some(script.bounds()));
    assert_eq!(awaited.hashes, [TxHash([1; 32])]);
    assert_eq!(awaited.reason, "504");
}

/// Rule 6: bounds from the node's clock, at least 180 s; no authorisation outlives them.
#[test]
fn bounds_come_from_the_nodes_clock() {
    let mut script = Script::with(Policy {
        window: 1,
        ..policy()
    });
    script.resume().absent(10).simulated(10, 100).stored();
    let [Effect::Sign(request)] = script.effects.as_slice() else {
        panic!("to sign")
    };
    assert_eq!(
        request.bounds,
        Bounds {
            max_time: moment(10).close_time.expect("told") + 180,
            max_ledger: 50,
            authorised_until: Some(50),
        }
    );
}

/// Rule 6: what a signer brings back is checked; it is neither stored nor sent.
#[test]
fn an_envelope_without_the_asked_bounds_is_dropped() {
    let spoil: [fn(&mut Signed); 8] = [
        |signed| signed.bounds.max_time = 0,
        |signed| signed.bounds.max_time += 1,
        |signed| signed.bounds.max_ledger = 0,
        |signed| signed.bounds.max_ledger += 1,
        |signed| signed.bounds.authorised_until = Some(signed.bounds.max_ledger + 1),
        |signed| signed.bid = Bid(101),
        |signed| signed.inner = TxHash([99; 32]),
        |signed| signed.xdr.clear(),
    ];
    for spoil in spoil {
        let mut script = Script::new(Signers::OnlyThisJournal);
        script.resume().absent(10).simulated(10, 100).stored();
        let [Effect::Sign(request)] = script.effects.as_slice() else {
            panic!("to sign")
        };
        let mut signed = super::script::signed(1, request);
        spoil(&mut signed);
        script.on(Event::Signed(signed));
        assert!(matches!(stop(&script), Stop::BadEnvelope(_)));
        assert!(script.effects.is_empty() && script.state.envelopes().is_empty());
    }
}

/// Rule 8: a lane is taken until its envelope cannot land any more, and no longer.
#[test]
fn a_lane_is_free_when_its_envelope_is_dead() {
    let mut script = Script::with(Policy {
        max_attempts: 1,
        ..policy()
    });
    assert!(!script.state.occupies("lane"));
    script.until_sending(10).answer(SendStatus::Pending, 10);
    assert!(script.state.occupies("lane") && !script.state.occupies("other"));
    script.later(50);
    assert!(script.state.occupies("lane"), "the bounds are not over");
    script.answer(SendStatus::Duplicate, 50).later(60);
    assert!(!script.state.occupies("lane"), "covered");

    let mut paid = Script::new(Signers::Others);
    paid.until_sending(10)
        .present(record(RecordKind::Batch, OURS, 11), 11);
    assert!(!paid.state.occupies("lane"), "decided");
}

/// Rule 8: an inclusion by hash frees the lane only with a look at or after its ledger.
#[test]
fn a_lane_is_not_free_by_hearsay() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.later(11).timer().included(1, false, 12);
    assert!(script.state.occupies("lane"));
    script.absent(12);
    assert_eq!(script.phase(), Phase::Simulating);
    assert!(!script.state.occupies("lane"));
}

/// Rule 9: after a start the key is read before anything is sent.
#[test]
fn after_a_start_the_key_is_read_first() {
    let mut before = Script::new(Signers::Others);
    before.until_sending(10);
    let envelope = before.state.envelopes()[0].signed.clone();
    let fresh = Obligation::new(key(), Purpose::Pay(OURS), Signers::Others, policy());
    let restored = fresh.restored(vec![envelope.clone()], 10);

    let mut script = Script::of(restored.clone());
    script.resume();
    assert!(script.sends().is_empty());
    script.absent(9);
    assert!(script.sends().is_empty(), "a node behind the journal");
    script.later(12);
    assert_eq!(script.sends(), [&envelope], "the same bytes, nothing new");

    let mut script = Script::of(restored.clone());
    script
        .resume()
        .present(record(RecordKind::Batch, OURS, 11), 12);
    assert_eq!(script.phase(), Phase::Paid);

    let mut script = Script::of(restored);
    script.resume().absent(60);
    assert_eq!(script.phase(), Phase::Simulating, "the stored one is dead");
}

/// Rule 10: retries are bounded, spread by jitter, and end in a typed answer.
#[test]
fn retries_are_bounded_and_spread() {
    let mut script = Script::new(Signers::Others);
    script.resume();
    for _ in 0..policy().max_tries {
        script.on(Event::ReadFailed("down".into()));
        assert!(matches!(script.effects.as_slice(), [Effect::Wait { .. }]));
        script.timer();
    }
    script.on(Event::ReadFailed("down".into()));
    assert!(matches!(stop(&script), Stop::NoProgress { tries: 13, last } if last == "down"));

    let waits = |tries| {
        let least = policy().wait(tries, Jitter(0));
        (least, policy().wait(tries, Jitter(u16::MAX)))
    };
    assert_eq!(waits(0), (500, 1_000));
    assert_eq!(waits(2), (2_000, 4_000));
    assert_eq!(waits(u16::MAX), (7_500, 15_000));
}

/// Rule 10: a lane that cannot be read is read again, but not for ever, though the ledger moves on.
#[test]
fn a_lane_that_cannot_be_read_is_tried_again() {
    let mut script = Script::new(Signers::OnlyThisJournal);
    script.resume().absent(10).simulated(10, 100).stored();
    for ledger in (11..).take(usize::from(policy().max_tries)) {
        script.on(Event::LaneUnread("503".into()));
        assert_eq!(script.phase(), Phase::Checking);
        script.later(ledger).simulated(ledger, 100);
        assert_eq!(script.phase(), Phase::Signing);
    }
    script.on(Event::LaneUnread("503".into()));
    assert_eq!(stop(&script), Stop::Sign("503".into()));
}

/// Rule 10: a ledger that stands still is no progress, and a moving one is. What was lost on the way
/// would never become due by ledgers alone, so the same bytes are sent again.
#[test]
fn a_ledger_that_stands_still_ends_in_a_typed_answer() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.later(11);
    let mut sent_again = 0;
    for _ in 0..policy().max_tries {
        assert!(!script.phase().is_final() && script.phase() != Phase::Suspended);
        script.later(11);
        if script.phase() == Phase::Sending {
            sent_again += 1;
            script.answer(SendStatus::Duplicate, 11);
        }
    }
    assert_eq!(sent_again, policy().max_tries / 3 - 1);
    assert_eq!(script.state.envelopes().len(), 1, "the same bytes");
    script.later(11);
    assert!(matches!(stop(&script), Stop::NoProgress { .. }));
    let Answer::Stopped { knowledge, .. } = script.state.answer() else {
        panic!("stopped")
    };
    assert!(matches!(knowledge, Knowledge::Unknown(_)));
    assert!(
        script.resume().absent(13).phase() == Phase::Sending,
        "goes on"
    );
}

/// Rule 10: one envelope after another, but not for ever.
#[test]
fn envelopes_run_out_one_after_the_other() {
    let mut script = Script::with(Policy {
        max_attempts: 2,
        ..policy()
    });
    script.until_sending(10).on(Event::SendFailed("504".into()));
    script.later(60).simulated(60, 100).sign().stored();
    assert_eq!(script.phase(), Phase::Sending);
    script.on(Event::SendFailed("504".into()));
    script.later(130);
    assert_eq!(stop(&script), Stop::Attempts { attempts: 2 });
    let Answer::Stopped {
        knowledge, hashes, ..
    } = script.state.answer()
    else {
        panic!("stopped")
    };
    assert_eq!(knowledge, Knowledge::UnpaidAsOf { ledger: Some(130) });
    assert_eq!(hashes.len(), 2);
}

/// The same bytes again while they may land; never a second envelope.
#[test]
fn the_same_bytes_are_sent_again_and_nothing_else() {
    let mut script = Script::new(Signers::Others);
    script
        .until_sending(10)
        .on(Event::SendFailed("reset".into()));
    let first = script.state.envelopes()[0].signed.clone();
    let mut sent = 0;
    for ledger in 11..=50 {
        if script.phase() == Phase::Sending {
            script.on(Event::SendFailed("reset".into()));
        }
        script.later(ledger);
        assert!(!script.signs() && script.phase() != Phase::Simulating);
        if let [signed] = script.sends().as_slice() {
            assert_eq!(**signed, first);
            sent += 1;
        }
    }
    assert!(sent > 5, "{sent}");
}

/// A refusal that waiting does not change stops with its code, after a look.
#[test]
fn a_lasting_refusal_stops_after_a_look() {
    let mut script = Script::new(Signers::Others);
    script
        .until_sending(10)
        .refused("txBAD_AUTH", RefusedKind::Lasting, 10);
    assert_eq!(script.phase(), Phase::OutcomeUnknown);
    script.later(11);
    let code = "txBAD_AUTH".into();
    assert_eq!(stop(&script), Stop::SendRefused { code });
    script.resume().absent(12);
    assert_eq!(script.sends().len(), 1, "the same bytes, once put right");
}

/// A node that tells no time proves nothing about `maxTime`.
#[test]
fn a_ledger_without_a_time_covers_nothing() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(10).on(Event::SendFailed("504".into()));
    script.timer().on(Event::Record(View {
        node: NodeId(0),
        at: Moment {
            ledger: 5_000,
            close_time: None,
        },
        record: None,
    }));
    assert_eq!(script.phase(), Phase::Sending, "alive: sent again");
}
