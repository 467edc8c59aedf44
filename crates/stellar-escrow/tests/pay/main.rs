//! `pay` as an operator runs it: the built program, a local network, the real Wasm. What was paid is
//! read back from the ledger.

mod at_once;
mod case_01;
mod case_02;
mod case_03;
mod case_04;
mod case_05;
mod case_06;
mod case_07;
mod case_09;
mod case_14;
mod check;
mod crash;
#[allow(dead_code, reason = "programs that go on running need the rest of it")]
#[path = "../disk/mod.rs"]
mod disk;
mod edited;
mod ended;
mod entries;
mod explained;
mod full;
mod papers;
mod refused;
mod scene;
mod waiting;
#[path = "../world/mod.rs"]
mod world;
