//! The audit against stories, forgers, and the real contract on the local ledger.

#[path = "../../../localnet/tests/it/common/mod.rs"]
#[allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "the local network's own test client, of which parts are used"
)]
mod common;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "shared with the benchmark")]
mod support;

mod archive;
mod case;
mod clean;
mod forge;
mod forgeries;
mod ledger;
mod obligations;
mod report;
