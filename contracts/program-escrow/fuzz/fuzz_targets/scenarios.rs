//! Bytes as a scenario, on the contract and on the model.
//!
//! Under cargo-fuzz (`scripts/fuzz.sh`) libFuzzer makes the bytes. Built plainly, this runs the
//! files that it is given and prints what they mean:
//! `cargo run -p program-escrow-fuzz -- contracts/program-escrow/fuzz/artifacts/scenarios/crash-…`

#![cfg_attr(fuzzing, no_main)]

use program_escrow::testutils::command::Scenario;
use soroban_sdk::testutils::arbitrary::Arbitrary;
use soroban_sdk::testutils::arbitrary::arbitrary::Unstructured;

fn scenario(bytes: &[u8]) -> Option<Scenario> {
    Scenario::arbitrary_take_rest(Unstructured::new(bytes)).ok()
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(scenario) = scenario(bytes) {
        let _ = program_escrow::testutils::run::run(&scenario);
    }
});

#[cfg(not(fuzzing))]
fn main() {
    for path in std::env::args_os().skip(1) {
        let bytes = std::fs::read(&path).expect("a file that can be read");
        match scenario(&bytes) {
            Some(scenario) => {
                println!("{}: {scenario:#?}", path.display());
                let reached = program_escrow::testutils::run::run(&scenario);
                println!("{}: {reached:?}", path.display());
            }
            None => println!("{}: no scenario", path.display()),
        }
    }
}
