//! The table, the documents and the code say the same.

use std::collections::BTreeSet;

use payout_engine::protocol::{
    Bid, Cause, Event, Phase, Policy, Prepared, Refusal, RefusedKind, SendStatus, Signers,
    Simulation, TRANSITIONS, mermaid, state_table,
};
use payout_engine::{NodeId, RecordKind};

use super::script::{OURS, Script, THEIRS, end, moment, policy, record};

/// Between two marks of the document stands what the code generates. To write it anew, run this
/// test with `WRITE_DOCS=1`.
fn documented(name: &str, generated: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engine.md");
    let text = std::fs::read_to_string(path).expect("docs/engine.md");
    let (begin, end) = (
        format!("<!-- generated: {name} -->\n"),
        "<!-- end -->".to_owned(),
    );
    let (head, rest) = text.split_once(&begin).expect("the mark");
    let (body, tail) = rest.split_once(&end).expect("its end");
    if std::env::var_os("WRITE_DOCS").is_some() {
        let text = format!("{head}{begin}{generated}{end}{tail}");
        std::fs::write(path, text).expect("written");
        return;
    }
    assert_eq!(body, generated, "docs/engine.md is not what the code says");
}

#[test]
fn the_document_has_the_table_and_the_diagram() {
    documented("states", &format!("\n{}\n", state_table()));
    documented("diagram", &format!("\n```mermaid\n{}```\n\n", mermaid()));
}

#[test]
fn no_row_leaves_a_final_state_or_stays() {
    for row in TRANSITIONS {
        for from in row.from {
            assert!(!from.is_final() && *from != row.to, "{row:?}");
        }
    }
}

#[test]
fn names_are_different() {
    let names: BTreeSet<&str> = Phase::ALL.iter().map(|phase| phase.name()).collect();
    assert_eq!(names.len(), Phase::ALL.len());
}

fn restoring() -> Event {
    Event::Simulated(Simulation {
        at: moment(10),
        node: NodeId(0),
        min_resource_fee: 1_000,
        restores: 1,
        market: Bid(100),
        prepared: Prepared::default(),
    })
}

/// One script for each state, up to that state.
fn reaching(phase: Phase) -> Script {
    let mut script = Script::new(Signers::OnlyThisJournal);
    match phase {
        Phase::Checking => end(script.resume()),
        Phase::Simulating => end(script.resume().absent(10)),
        Phase::AwaitingConsent => end(script.resume().absent(10).on(restoring())),
        Phase::StoringIntent => end(script.resume().absent(10).simulated(10, 100)),
        Phase::Signing => end(script.resume().absent(10).simulated(10, 100).stored()),
        Phase::StoringEnvelope => {
            script
                .resume()
                .absent(10)
                .simulated(10, 100)
                .stored()
                .sign();
        }
        Phase::Sending => end(script.until_sending(10)),
        Phase::Pending => end(script.until_sending(10).answer(SendStatus::Pending, 10)),
        Phase::OutcomeUnknown => end(script.until_sending(10).on(Event::SendFailed("x".into()))),
        Phase::Confirming => end(script.resume().on(Event::GiveUp).absent(10)),
        Phase::Suspended => {
            script.until_sending(10).on(Event::SendFailed("x".into()));
            script.on(Event::Fees(Bid(1)));
            for _ in 0..=policy().max_tries {
                script.timer().on(Event::ReadFailed("down".into()));
            }
        }
        final_phase => panic!("{final_phase} is final"),
    }
    assert_eq!(script.phase(), phase);
    script
}

/// What else can happen in a state: short sequences of events, several of each kind.
fn tails() -> Vec<Vec<Event>> {
    let absent = |node, ledger| {
        Event::Record(payout_engine::View {
            node: NodeId(node),
            at: moment(ledger),
            record: None,
        })
    };
    let present = |kind, fingerprint| {
        Event::Record(payout_engine::View {
            node: NodeId(0),
            at: moment(11),
            record: Some(record(kind, fingerprint, 11)),
        })
    };
    let refused = |kind| {
        Event::Answered(payout_engine::protocol::SendAnswer {
            status: SendStatus::Refused {
                code: "tx".into(),
                kind,
            },
            ledger: 11,
        })
    };
    let one = |event| vec![event];
    let many = |event: Event| vec![event; usize::from(policy().max_tries) + 1];
    let resume = || Event::Resume { max_bid: None };
    let mut tails = vec![
        one(present(RecordKind::Batch, OURS)),
        one(present(RecordKind::Batch, THEIRS)),
        one(present(RecordKind::Imported, OURS)),
        one(present(RecordKind::Voided, OURS)),
        one(absent(0, 11)),
        one(absent(1, 100)),
        vec![absent(0, 11), Event::Timer, absent(0, 11)],
        many(absent(0, 10)),
        many(Event::ReadFailed("down".into())),
        many(Event::SimulationFailed("down".into())),
        one(Event::SimulationRefused(Refusal {
            ledger: 100,
            contract_error: None,
            text: "no".into(),
        })),
        one(restoring()),
        one(Event::Consented),
        one(Event::Stored),
        one(Event::StoreFailed("full".into())),
        one(Event::SignFailed("no key".into())),
        one(Event::LaneUnread("503".into())),
        one(Event::SendFailed("504".into())),
        vec![resume(), absent(0, 11)],
        vec![
            refused(RefusedKind::Fee(Bid(900))),
            Event::Timer,
            absent(0, 12),
        ],
        vec![refused(RefusedKind::Lasting), Event::Timer, absent(0, 12)],
        vec![Event::GiveUp, Event::Stored],
        vec![Event::GiveUp, Event::Timer, absent(0, 100)],
        one(Event::GiveUp),
    ];
    tails.push(vec![
        Event::Fees(Bid(500)),
        absent(0, 12),
        Event::Timer,
        absent(0, 14),
    ]);
    tails
}

/// Every row is taken by some script, and no script takes a way that is no row.
#[test]
fn every_row_is_taken() {
    let mut seen = BTreeSet::new();
    for from in Phase::ALL.into_iter().filter(|phase| !phase.is_final()) {
        for tail in tails() {
            let mut script = reaching(from);
            for event in tail {
                script.on(event);
            }
            seen.extend(script.seen);
        }
    }
    for play in EXTRA {
        let mut script = Script::new(Signers::OnlyThisJournal);
        play(&mut script);
        seen.extend(script.seen);
    }
    seen.extend(longer());
    let missing: Vec<String> = TRANSITIONS
        .iter()
        .flat_map(|row| row.from.iter().map(move |from| (*from, row.cause, row.to)))
        .filter(|step| !seen.contains(step))
        .map(|(from, cause, to)| format!("{from} --{}--> {to}", cause.name()))
        .collect();
    assert!(missing.is_empty(), "never taken: {missing:#?}");
    assert!(seen.iter().all(|(_, cause, _)| *cause != Cause::Other));
}

/// Ways that no short sequence takes.
const EXTRA: [fn(&mut Script); 10] = [
    |script| {
        script.until_sending(10).answer(SendStatus::Pending, 10);
        for _ in 0..=policy().max_tries + 1 {
            script.later(11);
            if script.phase() == Phase::Sending {
                script.answer(SendStatus::Duplicate, 11);
            }
        }
    },
    |script| {
        script
            .resume()
            .absent(10)
            .simulated(10, 100)
            .stored()
            .sign();
    },
    |script| {
        script.resume().absent(10).simulated(10, 100).stored();
        script.on(Event::GiveUp).sign();
    },
    |script| {
        script.resume().absent(10).simulated(10, 100).stored();
        let [payout_engine::protocol::Effect::Sign(request)] = script.effects.as_slice() else {
            panic!("to sign")
        };
        let mut signed = super::script::signed(1, request);
        signed.xdr.clear();
        script.on(Event::Signed(signed));
    },
    |script| {
        // Asked for more, stopped by the ceiling, resumed: a bump right after the look.
        script
            .until_sending(10)
            .refused("fee", RefusedKind::Fee(Bid(20_000_000)), 10);
        script.later(11);
        let max_bid = Some(Bid(30_000_000));
        script.on(Event::Resume { max_bid }).absent(12);
    },
    |script| {
        script.until_sending(10).answer(SendStatus::Pending, 10);
        script.on(Event::GiveUp).later(100);
    },
    |script| {
        script.until_sending(10).on(Event::SendFailed("x".into()));
        script.later(60).simulated(60, 100);
    },
    |script| {
        script.until_sending(10).on(Event::SendFailed("x".into()));
        script.later(60).on(restoring());
        let Event::Simulated(simulation) = restoring() else {
            return;
        };
        let at = moment(60);
        script.on(Event::Simulated(Simulation { at, ..simulation }));
        script.on(Event::Consented);
    },
    |script| {
        script.until_sending(10).on(Event::SendFailed("x".into()));
        script.on(Event::GiveUp).later(60);
        for _ in 0..=policy().max_tries {
            script.timer().absent(61);
        }
    },
    |script| {
        let low = Policy {
            max_resource_fee: 1,
            ..policy()
        };
        *script = Script::with(low);
        script.resume().absent(10).simulated(10, 100);
    },
];

/// Ways that need a past.
fn longer() -> Vec<(Phase, Cause, Phase)> {
    let mut seen = Vec::new();
    // A fee bump from the queue.
    let mut script = Script::new(Signers::OnlyThisJournal);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    script.later(12).answer(SendStatus::Duplicate, 12);
    script.on(Event::Fees(Bid(5_000))).later(14);
    seen.extend(script.seen);
    // Stopped while an envelope may land; gone on with.
    let mut script = reaching(Phase::Suspended);
    script.resume().absent(20);
    seen.extend(script.seen);
    // Given up at the first look, where others may have signed.
    let mut script = Script::new(Signers::Others);
    script.resume().on(Event::GiveUp).absent(10);
    seen.extend(script.seen);
    // A restored one that was sent and has nothing to do but wait.
    let mut script = Script::new(Signers::OnlyThisJournal);
    script.until_sending(10).answer(SendStatus::Pending, 10);
    for ledger in 11..16 {
        script.later(ledger);
        if script.phase() == Phase::Sending {
            script.answer(SendStatus::Pending, ledger);
        }
    }
    seen.extend(script.seen);

    seen
}
