//! How fast the local network is: contract calls through HTTP, and batches of sixty recipients.
//!
//! ```text
//! taskset -c 0 cargo run -p localnet --example throughput
//! ```
//!
//! Client and network share the core. The contract's Wasm is looked for as in the tests.

#[allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "the tests' client, which has more than this needs"
)]
#[path = "../tests/it/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::build::{unsigned, with_sequence};
use common::escrow::Escrow;
use common::{Net, token};
use localnet::xdr::ScVal;

/// Calls that are timed of each kind.
const CALLS: u32 = 300;

fn main() {
    let escrow = Escrow::new(Net::at_once());
    let client = &escrow.net.client;
    let recipients: Vec<ScVal> = escrow.recipients(60).iter().map(token::address).collect();

    let view = unsigned(with_sequence(
        &escrow.admin,
        1,
        vec![escrow.call("get_program", vec![])],
    ));
    let simulations = timed(CALLS, |_| {
        client.simulate(&view).value();
    });
    per_second("simulations of a view", CALLS, simulations);

    let payouts = timed(CALLS, |number| {
        let batch = escrow.batch(&format!("single-{number}"), &recipients[..1]);
        token::run(client, &escrow.admin, batch).succeeded();
    });
    per_second(
        "payouts, each simulated, signed, sent, applied and read back",
        CALLS,
        payouts,
    );

    // Signing and building are the client's: only what the network does is counted here.
    let mut applied = Duration::ZERO;
    for number in 0..CALLS {
        let batch = escrow.batch(&format!("applied-{number}"), &recipients[..1]);
        let envelope = token::prepared(client, &escrow.admin, batch);
        let started = Instant::now();
        client.send(&envelope);
        applied += started.elapsed();
    }
    per_second("payouts sent and applied, simulated before", CALLS, applied);

    let mut batches: Vec<(Duration, Duration)> = (0..20)
        .map(|number| {
            let batch = escrow.batch(&format!("sixty-{number}"), &recipients);
            let started = Instant::now();
            let (body, data, sequence) = token::simulated(client, &escrow.admin, batch);
            let simulated = started.elapsed();
            let envelope = token::sealed(client, &escrow.admin, sequence, body, data);
            let started = Instant::now();
            client.submit(&envelope).succeeded();
            (simulated, started.elapsed())
        })
        .collect();
    batches.sort_by_key(|(simulated, applied)| *simulated + *applied);
    let (simulated, applied) = batches[batches.len() / 2];
    println!(
        "a batch of 60 accounts: simulated in {simulated:.1?}, applied and read back in \
         {applied:.1?} (median of {})",
        batches.len()
    );

    let started = Instant::now();
    escrow
        .net
        .localnet
        .close_ledgers(30_000)
        .expect("the network runs");
    println!("30,000 empty ledgers: {:.1?}", started.elapsed());
    let started = Instant::now();
    escrow
        .net
        .localnet
        .advance(315_360_000)
        .expect("the network runs");
    println!("ten years: {:.1?}", started.elapsed());
}

fn timed(calls: u32, mut call: impl FnMut(u32)) -> Duration {
    let started = Instant::now();
    for number in 0..calls {
        call(number);
    }
    started.elapsed()
}

fn per_second(what: &str, calls: u32, took: Duration) {
    println!(
        "{:.0} a second: {what}",
        f64::from(calls) / took.as_secs_f64()
    );
}
