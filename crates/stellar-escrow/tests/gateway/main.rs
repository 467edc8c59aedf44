//! The gateway as a process: the built program, a local network, the real Wasm.

#[path = "../../../payout-gateway/tests/it/common/chain.rs"]
#[allow(dead_code, reason = "the gateway's own tests use all of it")]
mod chain;
mod clock;
#[path = "../disk/mod.rs"]
mod disk;
mod full;
mod killed;
#[path = "../../../localnet/tests/it/common/mod.rs"]
#[allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "as the ledger's own tests have it"
)]
mod ledger;
#[path = "../../../payout-gateway/tests/it/common/proxy.rs"]
#[allow(dead_code, reason = "the gateway's own tests use all of it")]
mod proxy;
mod world;
