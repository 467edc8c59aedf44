//! Random sequences of everything that can happen to a program, on the contract and on the model.
//!
//! `PROPTEST_CASES=100000 cargo test -p program-escrow properties` looks longer. A failing sequence
//! is made as short as possible, printed, and kept in `proptest-regressions/`, which belongs into
//! the repository: it runs first from then on.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, FileFailurePersistence, TestRunner};
use soroban_sdk::testutils::arbitrary::Arbitrary as _;
use soroban_sdk::testutils::arbitrary::arbitrary::Unstructured;
use soroban_sdk::xdr::{Limits, ReadXdr as _, ScSpecEntry};
use std::collections::BTreeSet;
use std::vec::Vec;

use crate::error::Error;
use crate::testutils::choices::Start;
use crate::testutils::command::{Scenario, Step};
use crate::testutils::run::run;

/// Bytes enough for the longest step.
const STEP: usize = 48;

/// Each step from its own bytes: so a sequence shrinks by leaving steps out, and a step by plainer
/// bytes, without changing any other.
fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop::collection::vec(any::<u8>(), STEP)
        .prop_map(|bytes| Step::arbitrary(&mut Unstructured::new(&bytes)).unwrap());
    prop::collection::vec(step, 1..=most)
}

fn config() -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: cases.and_then(|it| it.parse().ok()).unwrap_or(128),
        failure_persistence: Some(std::boxed::Box::new(
            FileFailurePersistence::SourceParallel("proptest-regressions"),
        )),
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_contract_does_what_the_model_says(
        start in prop::sample::select(Start::ALL),
        steps in steps(40),
    ) {
        let _ = run(&Scenario { start, steps });
    }
}

/// Agreement on sequences that never get anywhere would mean nothing.
#[test]
fn the_sequences_reach_every_event_and_error() {
    let mut runner = TestRunner::deterministic();
    let strategy = (prop::sample::select(Start::ALL), steps(40));
    let (mut events, mut errors, mut host) = (BTreeSet::new(), BTreeSet::new(), 0);
    for _ in 0..256 {
        let (start, steps) = strategy.new_tree(&mut runner).unwrap().current();
        let reached = run(&Scenario { start, steps });
        events.extend(reached.events);
        errors.extend(reached.errors);
        host += reached.host;
    }
    // All of ours and both of OpenZeppelin's.
    assert_eq!(events.len(), 24, "{events:?}");
    let missed: Vec<u32> = registry()
        .into_iter()
        .filter(|code| !errors.contains(code))
        .collect();
    // A refused deployment, and a token that credits nothing: neither can happen here.
    assert_eq!(missed, [104, 408]);
    assert!(host > 50, "{host}");
}

/// The numbers of all errors, as the spec has them.
fn registry() -> Vec<u32> {
    let spec = ScSpecEntry::from_xdr(Error::spec_xdr(), Limits::none()).unwrap();
    let ScSpecEntry::UdtErrorEnumV0(registry) = spec else {
        panic!("not a registry of errors: {spec:?}")
    };
    registry.cases.iter().map(|case| case.value).collect()
}
