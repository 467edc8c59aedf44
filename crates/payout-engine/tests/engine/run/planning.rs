//! One plan at a time: each rule of section "pay".

use payout_engine::rows::Row;
use payout_engine::run::{
    Candidate, Chain, Decision, EndedRun, Halt, Offer, RowState, RunInput, Source, plan,
};
use payout_engine::{Line, RecordKind};

use super::chain::{FakeChain, Landed, id, input, place, row};

fn offer(input: &RunInput) -> Offer {
    match plan(input).expect("a plan").decision {
        Decision::Offer(offer) => offer,
        other => panic!("no offer: {other:?}"),
    }
}

fn ids(offer: &Offer) -> Vec<&str> {
    offer.ids.iter().map(payout_keys::RowId::as_str).collect()
}

fn state(input: &RunInput, name: &str) -> RowState {
    let plan = plan(input).expect("a plan");
    let view = plan.rows.iter().find(|view| view.id == id(name));
    view.expect("a row").state.clone()
}

/// Pays everything that `input` plans, on `chain`, forgetting everything in between.
fn pay_all(input: &mut RunInput, chain: &mut FakeChain, arguments: bool) -> Decision {
    loop {
        input.chain = chain.read(arguments);
        match plan(input).expect("a plan").decision {
            Decision::Offer(offer) => assert!(chain.pay(&offer)),
            other => return other,
        }
    }
}

fn five() -> [Row; 5] {
    [
        row("e", 5, 50),
        row("a", 1, 10),
        row("c", 1, 30),
        row("b", 2, 20),
        row("d", 4, 40),
    ]
}

#[test]
fn rows_go_by_their_ids_and_no_recipient_is_twice_in_a_batch() {
    let first = offer(&input(&five()));
    assert_eq!((first.slot, ids(&first)), (0, vec!["a", "b", "d", "e"]));
    assert_eq!(first.key, place("run").key(0));
    let mut chain = FakeChain::default();
    chain.pay(&first);
    let second = offer(&RunInput {
        chain: chain.read(true),
        ..input(&five())
    });
    assert_eq!((second.slot, ids(&second)), (1, vec!["c"]));
}

#[test]
fn the_order_of_the_file_is_nothing() {
    let mut reversed = five();
    reversed.reverse();
    assert_eq!(offer(&input(&five())), offer(&input(&reversed)));
}

#[test]
fn a_run_is_paid_without_any_memory() {
    for arguments in [true, false] {
        for max_batch in [1, 2, 60] {
            let mut input = RunInput {
                max_batch,
                ..input(&five())
            };
            let mut chain = FakeChain::default();
            assert_eq!(
                pay_all(&mut input, &mut chain, arguments),
                Decision::Complete
            );
            let paid = chain.paid(&input.place, &["a", "b", "c", "d", "e"]);
            assert!(paid.len() == 5 && paid.values().all(|count| *count == 1));
        }
    }
}

/// Another batch size than the one it was paid by.
#[test]
fn the_next_rows_of_the_file_explain_whatever_the_batch_size_was() {
    let mut chain = FakeChain::default();
    chain.pay(&offer(&RunInput {
        max_batch: 3,
        ..input(&five())
    }));
    let later = offer(&RunInput {
        chain: chain.read(false),
        ..input(&five())
    });
    assert_eq!(ids(&later), ["c", "e"]);
}

#[test]
fn a_slot_that_nothing_reproduces_stops_and_is_named() {
    let mut chain = FakeChain::default();
    chain.pay(&offer(&input(&five())));
    let mut edited = five();
    edited[1] = row("a", 1, 11);
    let mut input = RunInput {
        chain: chain.read(false),
        ..input(&edited)
    };
    let Err(Halt::Unexplained {
        slot,
        key,
        ledger,
        total,
        ..
    }) = plan(&input)
    else {
        panic!("explained")
    };
    assert_eq!(
        (slot, key, ledger, total),
        (0, place("run").key(0), 10, 120)
    );

    // A journal whose fingerprint differs says nothing; one that reproduces explains.
    let mut lines = lines_of_rows(&edited);
    lines.retain(|line| line.amount.units() != 30);
    input.chain.candidates.push(Candidate {
        slot: 0,
        source: Source::Journal,
        lines: lines.into(),
    });
    assert!(matches!(plan(&input), Err(Halt::Unexplained { .. })));
    for source in [Source::Journal, Source::Receipt] {
        let mut input = input.clone();
        input.chain.candidates.push(Candidate {
            slot: 0,
            source,
            lines: lines_of(&chain).into(),
        });
        assert_eq!(ids(&offer(&input)), ["c"]);
    }
}

fn lines_of(chain: &FakeChain) -> Vec<Line> {
    match &chain.slots[0] {
        Landed::Payout(payout) => payout.lines().to_vec(),
        Landed::Void => Vec::new(),
    }
}

/// A list without references cannot explain: it does not say which rows it paid.
#[test]
fn lines_without_references_explain_nothing() {
    let mut bare = lines_of_rows(&five());
    for line in &mut bare {
        line.reference = None;
    }
    bare.retain(|line| line.amount.units() != 30);
    let mut chain = FakeChain::default();
    let payout = payout_engine::Payout::new(bare).expect("a payout");
    chain.submit(0, Landed::Payout(payout));
    let input = RunInput {
        chain: chain.read(true),
        ..input(&five())
    };
    assert!(matches!(plan(&input), Err(Halt::Unexplained { .. })));
}

fn lines_of_rows(rows: &[Row]) -> Vec<Line> {
    rows.iter().map(|row| place("run").line(row)).collect()
}

#[test]
fn a_paid_row_stays_paid_whatever_the_file_says_now() {
    let mut chain = FakeChain::default();
    chain.pay(&offer(&input(&five())));
    let edited = [row("a", 9, 11), row("c", 1, 30), row("z", 7, 70)];
    let input = RunInput {
        chain: chain.read(true),
        ..input(&edited)
    };
    let plan = plan(&input).expect("a plan");
    let Decision::Offer(offer) = &plan.decision else {
        panic!("an offer")
    };
    assert_eq!(ids(offer), ["c", "z"]);
    assert_eq!(plan.differences.len(), 1);
    assert_eq!(plan.differences[0].id, id("a"));
    assert_eq!(plan.vanished.len(), 3, "b, d and e");
    assert!(matches!(state(&input, "a"), RowState::Paid(found) if found.slot() == 0));
}

#[test]
fn a_twin_of_a_vanished_row_stops_until_somebody_says_also() {
    let mut chain = FakeChain::default();
    chain.pay(&offer(&input(&five())));
    let mut renamed = five();
    renamed[3] = row("b2", 2, 20);
    let mut input = RunInput {
        chain: chain.read(true),
        ..input(&renamed)
    };
    let Err(Halt::Twins { pairs }) = plan(&input) else {
        panic!("no stop")
    };
    assert_eq!(pairs.len(), 1);
    assert_eq!((&pairs[0].id, pairs[0].slot), (&id("b2"), 0));
    assert_eq!(pairs[0].paid, place("run").reference(&id("b")));
    input.also.insert(id("x"));
    assert!(matches!(plan(&input), Err(Halt::Twins { .. })));
    input.also.insert(id("b2"));
    assert_eq!(ids(&offer(&input)), ["b2", "c"]);
}

/// Two ids of one wallet and amount, both in the file, are two obligations and no twins.
#[test]
fn equal_rows_of_the_file_are_paid_each() {
    let rows = [row("a", 1, 10), row("b", 1, 10)];
    let mut input = input(&rows);
    let mut chain = FakeChain::default();
    assert_eq!(pay_all(&mut input, &mut chain, false), Decision::Complete);
    let paid = chain.paid(&input.place, &["a", "b"]);
    assert_eq!(paid.values().collect::<Vec<_>>(), [&1, &1]);
    // One of them gone, another new and equal: stop.
    input.rows = vec![row("a", 1, 10), row("c", 1, 10)];
    input.chain = chain.read(true);
    assert!(matches!(plan(&input), Err(Halt::Twins { .. })));
}

/// Ids that are numbers of rows, and a row put in above them.
#[test]
fn rows_numbered_anew_stop_the_run() {
    let mut input = RunInput {
        rows: vec![row("1", 1, 10), row("2", 2, 20)],
        ..input(&five())
    };
    let mut chain = FakeChain::default();
    assert_eq!(pay_all(&mut input, &mut chain, false), Decision::Complete);
    input.rows = vec![row("1", 3, 30), row("2", 1, 10), row("3", 2, 20)];
    input.chain = chain.read(true);
    let Err(Halt::Twins { pairs }) = plan(&input) else {
        panic!("row 3 has wallet and amount of what was paid as row 2")
    };
    assert_eq!(pairs.len(), 1);
    assert_eq!((pairs[0].id.as_str(), pairs[0].amount.units()), ("3", 20));
    // Another amount, or somebody who says that it is meant: paid.
    input.also = [id("3")].into();
    assert!(plan(&input).is_ok());
}

#[test]
fn a_row_that_cannot_be_paid_is_left_out_under_the_same_key() {
    let all = offer(&input(&five()));
    let without = offer(&RunInput {
        left_out: [id("b")].into(),
        ..input(&five())
    });
    assert_eq!((&without.key, without.slot), (&all.key, 0));
    assert_eq!(ids(&without), ["a", "d", "e"]);
    // The first offer lands after all: lost, explained, and b is paid.
    let mut chain = FakeChain::default();
    chain.pay(&all);
    assert!(!chain.pay(&without));
    let input = RunInput {
        chain: chain.read(false),
        left_out: [id("b")].into(),
        ..input(&five())
    };
    assert!(matches!(state(&input, "b"), RowState::Paid(_)));
    // The other way round it is explained from the file without it, too.
    let mut chain = FakeChain::default();
    chain.pay(&without);
    let input = RunInput {
        chain: chain.read(false),
        ..input
    };
    assert_eq!(state(&input, "b"), RowState::Open);
}

#[test]
fn rows_are_held_or_open_as_of_a_ledger_and_nothing_else() {
    let mut input = RunInput {
        left_out: [id("b")].into(),
        max_batch: 1,
        ..input(&five())
    };
    input.chain.candidates.push(Candidate {
        slot: 0,
        source: Source::Journal,
        lines: vec![place("run").line(&row("b", 2, 20))].into(),
    });
    assert_eq!(plan(&input).expect("a plan").as_of, 1);
    assert_eq!(
        state(&input, "b"),
        RowState::Held,
        "offered once, left out now"
    );
    assert_eq!(state(&input, "d"), RowState::Open);
    input.left_out = five().iter().map(|row| row.id.clone()).collect();
    assert_eq!(plan(&input).expect("a plan").decision, Decision::LeftOver);
}

#[test]
fn a_void_ends_the_run_and_makes_the_rest_final() {
    let mut chain = FakeChain::default();
    chain.pay(&offer(&RunInput {
        max_batch: 2,
        ..input(&five())
    }));
    chain.submit(1, Landed::Void);
    let input = RunInput {
        chain: chain.read(false),
        ..input(&five())
    };
    let plan = plan(&input).expect("a plan");
    assert_eq!(plan.decision, Decision::Ended { slot: 1 });
    assert!(matches!(state(&input, "a"), RowState::Paid(_)));
    assert_eq!(state(&input, "c"), RowState::NotPaid);
}

/// Not while an earlier slot is unexplained: perhaps it paid the row.
#[test]
fn a_void_is_not_final_while_an_earlier_slot_is_unexplained() {
    let mut chain = FakeChain::default();
    chain.pay(&offer(&input(&five())));
    chain.submit(1, Landed::Void);
    let input = RunInput {
        chain: chain.read(false),
        ..input(&[row("z", 1, 1)])
    };
    assert!(matches!(
        plan(&input),
        Err(Halt::Unexplained { slot: 0, .. })
    ));
}

#[test]
fn nothing_goes_on_behind_a_void() {
    let mut chain = FakeChain::default();
    chain.submit(0, Landed::Void);
    chain.pay(&Offer {
        slot: 1,
        ..offer(&input(&five()))
    });
    let input = RunInput {
        chain: chain.read(true),
        ..input(&five())
    };
    let broken = Halt::BrokenChain {
        expected: 1,
        found: 1,
    };
    assert_eq!(plan(&input), Err(broken));
}

#[test]
fn a_gap_in_the_slots_is_not_read_over() {
    let mut chain = FakeChain::default();
    for max_batch in [1, 1] {
        chain.pay(&offer(&RunInput {
            max_batch,
            chain: chain.read(true),
            ..input(&five())
        }));
    }
    let mut read = chain.read(true);
    read.slots.remove(0);
    let input = RunInput {
        chain: read,
        ..input(&five())
    };
    assert!(matches!(
        plan(&input),
        Err(Halt::BrokenChain {
            expected: 0,
            found: 1
        })
    ));
}

#[test]
fn an_imported_slot_explains_nothing() {
    let mut chain = FakeChain::default();
    chain.pay(&offer(&input(&five())));
    let mut read = chain.read(true);
    read.slots[0].record.kind = RecordKind::Imported;
    let input = RunInput {
        chain: read,
        ..input(&five())
    };
    assert!(matches!(
        plan(&input),
        Err(Halt::ImportedSlot { slot: 0, .. })
    ));
}

#[test]
fn a_new_run_skips_what_an_ended_one_paid() {
    let mut old = input(&five());
    old.place = place("old");
    old.max_batch = 2;
    let mut chain = FakeChain::default();
    chain.pay(&offer(&old));
    let ended = |chain: Chain| EndedRun {
        run: place("old").run,
        chain,
    };
    let after = |chain: Chain, rows: &[Row]| RunInput {
        after: vec![ended(chain)],
        ..input(rows)
    };
    assert!(matches!(
        plan(&after(chain.read(false), &five())),
        Err(Halt::NotEnded { .. })
    ));
    chain.submit(1, Landed::Void);
    let new = after(chain.read(false), &five());
    assert_eq!(ids(&offer(&new)), ["c", "d", "e"]);
    assert!(matches!(state(&new, "a"), RowState::Before { .. }));
    // A renamed row of the old run is a twin in the new one.
    let mut renamed = five();
    renamed[1] = row("a2", 1, 10);
    let new = after(chain.read(true), &renamed);
    assert!(matches!(plan(&new), Err(Halt::Twins { .. })));
    // Edited since: reported.
    let mut edited = five();
    edited[1] = row("a", 1, 11);
    let new = plan(&after(chain.read(true), &edited)).expect("a plan");
    assert_eq!(new.differences[0].id, id("a"));
    let own = RunInput {
        place: place("old"),
        ..after(chain.read(true), &five())
    };
    assert!(matches!(plan(&own), Err(Halt::AfterItself { .. })));
}

#[test]
fn one_row_in_two_slots_stops() {
    let mut chain = FakeChain::default();
    let first = offer(&input(&five()));
    chain.pay(&first);
    chain.pay(&Offer { slot: 1, ..first });
    let input = RunInput {
        chain: chain.read(true),
        ..input(&five())
    };
    assert!(matches!(
        plan(&input),
        Err(Halt::PaidTwice {
            first: 0,
            second: 1,
            ..
        })
    ));
}

#[test]
fn what_cannot_be_planned_is_typed() {
    let nothing = RunInput {
        max_batch: 0,
        ..input(&five())
    };
    assert_eq!(plan(&nothing), Err(Halt::NoBatch));
    let twice = input(&[row("a", 1, 10), row("a", 2, 10)]);
    assert_eq!(plan(&twice), Err(Halt::IdTwice { id: id("a") }));
    assert_eq!(
        plan(&input(&[])).expect("a plan").decision,
        Decision::Complete
    );
}
