//! Rule 3: what is a verdict, and what proves nothing.

use payout_engine::protocol::{
    Answer, Bounds, Effect, Event, Fate, Knowledge, Obligation, Phase, Purpose, Refusal,
    RefusedKind, SendStatus, Signers, Stop, TxHash,
};
use payout_engine::{NodeId, RecordKind};

use super::script::{OURS, Script, THEIRS, end, key, moment, policy, record};

#[test]
fn the_record_decides_in_every_state() {
    for (kind, fingerprint, phase) in [
        (RecordKind::Batch, OURS, Phase::Paid),
        (RecordKind::Single, OURS, Phase::Paid),
        (RecordKind::Batch, THEIRS, Phase::Conflict),
        (RecordKind::Imported, OURS, Phase::Imported),
        (RecordKind::Voided, OURS, Phase::Voided),
    ] {
        let mut script = Script::new(Signers::Others);
        script
            .until_sending(10)
            .answer(SendStatus::Pending, 10)
            .timer();
        script.present(record(kind, fingerprint, 11), 11);
        assert_eq!(script.phase(), phase);
        assert!(script.stores().is_some());
    }
}

#[test]
fn a_record_counts_from_a_node_that_is_behind_and_absence_does_not() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(20).answer(SendStatus::Pending, 20);
    script.timer().absent(19);
    assert_eq!(script.state.horizon(), 20);
    assert_eq!(script.phase(), Phase::Pending);
    assert!(matches!(script.effects.as_slice(), [Effect::Wait { .. }]));
    script
        .timer()
        .present(record(RecordKind::Batch, OURS, 18), 18);
    assert_eq!(script.phase(), Phase::Paid);
}

/// The answer to a sending tells how far the network is; an older absence counts for nothing.
#[test]
fn an_absence_older_than_the_sending_counts_for_nothing() {
    let mut script = Script::new(Signers::OnlyThisJournal);
    script
        .until_sending(10)
        .answer(SendStatus::TryAgainLater, 90);
    for ledger in [52, 89] {
        script.timer().absent(ledger);
        assert_eq!(script.phase(), Phase::OutcomeUnknown, "at {ledger}");
    }
    script.timer().absent(90);
    assert_eq!(script.phase(), Phase::Simulating);
}

/// Everything that an answer to a sending or a hash can say, and nothing is proven by it.
#[test]
fn answers_prove_nothing() {
    type Say = fn(&mut Script);
    let answers: [Say; 9] = [
        |script| end(script.on(Event::SendFailed("504".into()))),
        |script| end(script.answer(SendStatus::TryAgainLater, 11)),
        |script| end(script.answer(SendStatus::Duplicate, 11)),
        |script| end(script.answer(SendStatus::Pending, 11)),
        |script| end(script.answer(SendStatus::Other("NEW".into()), 11)),
        |script| end(script.refused("txBAD_SEQ", RefusedKind::Passing, 11)),
        |script| end(script.refused("txTOO_LATE", RefusedKind::Passing, 11)),
        |script| {
            let (hash, fate) = (TxHash([1; 32]), Fate::NotFound);
            script.on(Event::SendFailed("x".into()));
            script.timer().on(Event::Transaction { hash, fate });
        },
        |script| {
            script.answer(SendStatus::Pending, 11);
            script.timer().included(1, true, 12);
        },
    ];
    for say in answers {
        let mut script = Script::new(Signers::OnlyThisJournal);
        script.until_sending(10);
        say(&mut script);
        assert!(matches!(
            script.phase(),
            Phase::Pending | Phase::OutcomeUnknown
        ));
        if script.phase() == Phase::OutcomeUnknown {
            let Answer::OutcomeUnknown { awaited } = script.state.answer() else {
                panic!("unknown")
            };
            assert!(awaited.past.is_some() && !awaited.reason.is_empty());
        }
        script
            .timer()
            .present(record(RecordKind::Batch, OURS, 11), 12);
        assert_eq!(script.phase(), Phase::Paid, "and it was paid");
    }
}

/// FAILED sends no money, yet the look decides: absent at or after its ledger, then the same key.
#[test]
fn a_transaction_that_did_not_succeed_is_followed_by_a_look() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.timer().included(1, false, 14);
    assert_eq!(script.phase(), Phase::Pending);
    script.absent(13);
    assert_eq!(
        script.phase(),
        Phase::Pending,
        "before its ledger: counts for nothing"
    );
    script.later(14);
    assert_eq!(
        script.phase(),
        Phase::Simulating,
        "its sequence number is used"
    );
    assert_eq!(script.state.fees_lost(), 321);
    script.simulated(14, 100).sign().stored();
    assert_eq!(script.state.envelopes().len(), 2);
    // Somebody else carried our authorisation.
    script.answer(SendStatus::Pending, 15).timer();
    script.present(record(RecordKind::Batch, OURS, 15), 15);
    assert_eq!(script.phase(), Phase::Paid);
}

/// Not paid needs a covering ledger, and a second node.
#[test]
fn not_paid_needs_a_covering_ledger_and_two_nodes() {
    let mut script = Script::new(Signers::OnlyThisJournal);
    script.until_sending(10).on(Event::SendFailed("504".into()));
    script.on(Event::GiveUp);
    for ledger in 11..=50 {
        script.later(ledger);
        assert_eq!(script.phase(), Phase::OutcomeUnknown, "at {ledger}");
        assert!(script.sends().is_empty(), "given up: nothing is sent");
    }
    script.later(51);
    assert_eq!(script.phase(), Phase::Confirming);
    assert_eq!(
        script.effects.last(),
        Some(&Effect::ReadRecord {
            min_ledger: 51,
            not_from: Some(NodeId(0))
        })
    );
    script.absent_from(0, 60);
    assert_eq!(script.phase(), Phase::Confirming, "the same node again");
    script.timer().absent_from(1, 59);
    assert_eq!(script.phase(), Phase::Confirming, "a node behind");
    script.timer().absent_from(1, 60);
    assert_eq!(script.phase(), Phase::NotPaid);
    assert_eq!(script.state.answer(), Answer::NotPaid { ledger: 60 });
}

/// Each part of the bounds by itself keeps the verdict back.
#[test]
fn every_bound_has_to_be_covered() {
    let bounds = Bounds {
        max_time: moment(100).close_time.expect("told"),
        max_ledger: 100,
        authorised_until: Some(100),
    };
    assert!(!bounds.covered_by(moment(100)));
    assert!(bounds.covered_by(moment(101)));
    let later = [
        Bounds {
            max_time: bounds.max_time + 5,
            ..bounds
        },
        Bounds {
            max_ledger: 101,
            ..bounds
        },
        Bounds {
            authorised_until: Some(101),
            ..bounds
        },
    ];
    for bounds in later {
        assert!(!bounds.covered_by(moment(101)), "{bounds:?}");
    }
}

/// A FAILED by hash frees the lane, but only the whole bounds make it final: the authorisation may
/// be carried by somebody else.
#[test]
fn a_spent_envelope_is_not_final_while_its_authorisation_lives() {
    let mut script = Script::new(Signers::OnlyThisJournal);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script
        .on(Event::GiveUp)
        .timer()
        .included(1, false, 12)
        .absent(12);
    assert_eq!(script.phase(), Phase::OutcomeUnknown);
    script.later(50);
    assert_eq!(script.phase(), Phase::OutcomeUnknown);
    script.later(51);
    assert_eq!(script.phase(), Phase::Confirming);
}

/// Where others may have signed, only a void is final.
#[test]
fn with_others_only_a_void_is_final() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(10).on(Event::SendFailed("504".into()));
    script.on(Event::GiveUp).later(1_000);
    let Answer::Stopped { stop, .. } = script.state.answer() else {
        panic!("stopped")
    };
    assert_eq!(stop, Stop::OnlyVoidIsFinal { ledger: 1_000 });
    script
        .resume()
        .present(record(RecordKind::Voided, OURS, 1_001), 1_001);
    assert_eq!(script.phase(), Phase::Voided);
}

/// A journal from yesterday: what it forgot has run out only a whole window after the first look, and
/// after as much more as the node may have been behind that answered it.
#[test]
fn a_journal_from_a_backup_waits_for_what_it_may_have_forgotten() {
    const LAST: u32 = 100 + 40 + 24;
    let mut script = Script::new(Signers::PerhapsAnEarlierUs);
    script.resume().on(Event::GiveUp).absent(100);
    assert_eq!(script.phase(), Phase::OutcomeUnknown);
    script.later(LAST);
    assert_eq!(script.phase(), Phase::OutcomeUnknown);
    script.later(LAST + 1);
    assert_eq!(script.phase(), Phase::Confirming);
    script.absent_from(1, LAST + 1);
    assert_eq!(script.phase(), Phase::NotPaid);
}

/// A void uses the same protocol; a payout that came first is a conflict.
#[test]
fn a_void_is_an_obligation_too() {
    let void = || {
        let state = Obligation::new(key(), Purpose::Void, Signers::Others, policy());
        let mut script = Script::of(state);
        script
            .until_sending(10)
            .on(Event::SendFailed("504".into()))
            .timer();
        script
    };
    let mut script = void();
    script.present(record(RecordKind::Voided, OURS, 11), 11);
    assert_eq!(script.phase(), Phase::Voided);
    let mut script = void();
    script.present(record(RecordKind::Batch, OURS, 11), 11);
    assert_eq!(script.phase(), Phase::Conflict);
}

/// A node that says both is not believed.
#[test]
fn success_without_a_record_is_a_contradiction() {
    let mut script = Script::new(Signers::Others);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.timer().included(1, true, 12).absent(12);
    let Answer::Stopped { stop, .. } = script.state.answer() else {
        panic!("stopped")
    };
    assert_eq!(stop, Stop::Contradiction { ledger: 12 });
}

#[test]
fn a_refused_simulation_stops_with_the_contracts_error() {
    let mut script = Script::new(Signers::OnlyThisJournal);
    let refusal = Refusal {
        ledger: 10,
        contract_error: Some(600),
        text: "TokenTransferFailed".into(),
    };
    // A node that is behind may not know the contract yet: its refusal counts for nothing.
    let behind = Refusal {
        ledger: 9,
        ..refusal.clone()
    };
    script
        .resume()
        .absent(10)
        .on(Event::SimulationRefused(behind));
    assert_eq!(script.phase(), Phase::Simulating);
    script.timer().on(Event::SimulationRefused(refusal.clone()));
    let Answer::Stopped {
        stop, knowledge, ..
    } = script.state.answer()
    else {
        panic!("stopped")
    };
    assert_eq!(stop, Stop::Refused(refusal));
    assert_eq!(knowledge, Knowledge::UnpaidAsOf { ledger: Some(10) });
}

#[test]
fn a_final_state_stays() {
    let mut script = Script::new(Signers::Others);
    script
        .until_sending(10)
        .present(record(RecordKind::Batch, OURS, 11), 11);
    let hash = TxHash([1; 32]);
    assert!(matches!(
        script.effects.as_slice(),
        [Effect::Store(_), Effect::FindReceipt { hashes, ledger: 11 }] if hashes == &[hash]
    ));
    // An envelope of ours that was included elsewhere failed, or was answered as a replay.
    script.on(Event::Receipt { hash, ledger: 10 });
    assert!(script.stores().is_none());
    script.on(Event::Receipt { hash, ledger: 11 });
    assert!(script.stores().is_some());
    for event in [
        Event::Timer,
        Event::GiveUp,
        Event::Resume { max_bid: None },
        Event::Stored,
        Event::Receipt { hash, ledger: 12 },
    ] {
        script.on(event);
        assert_eq!((script.phase(), script.effects.len()), (Phase::Paid, 0));
    }
    script
        .absent(99)
        .present(record(RecordKind::Batch, THEIRS, 11), 99);
    assert_eq!(script.phase(), Phase::Paid);
    let Answer::Paid { receipt, .. } = script.state.answer() else {
        panic!("paid")
    };
    assert_eq!(receipt, Some((hash, 11)));
}
