//! A gateway that dies with SIGKILL before and after every durable write and every sending, on both
//! databases, in a process of its own. Whoever starts it again has what was in the database, and nothing
//! else.
//!
//! Which moments there are is found out by living through them once: no write can be forgotten here.

mod machine;
mod scene;

use scene::Scene;

use crate::common::Database;

/// Writes that have to be among those that were died at, by the file that begins them.
const OF_A_PAYOUT: [&str; 9] = [
    "store/accept.rs",
    "store/jobs.rs",
    "store/lanes.rs",
    "store/envelopes.rs",
    "sending",
    "sync/verdict.rs",
    "sync/job.rs",
    "store/programs.rs",
    "audit/seal.rs",
];
/// What goes on whatever becomes of an order.
const BESIDE: [&str; 3] = ["store/duties.rs", "store/programs.rs", "audit/seal.rs"];
const OF_A_VOID: [&str; 6] = [
    "control/retry.rs",
    "control/void.rs",
    "store/jobs.rs",
    "store/envelopes.rs",
    "sending",
    "sync/verdict.rs",
];

async fn a_payout(test: &str, database: fn() -> Database) {
    machine::Job::run_if_given().await;
    let mut scene = Scene::new(test, database()).await;
    let moments = scene.moments(async |scene| scene.pays().await).await;
    for moment in &moments {
        scene.armed(moment).await;
        scene.pays().await;
        scene.lived_on(moment);
    }
    for moment in scene.moments_of_a_start().await {
        if !moments.contains(&moment) {
            scene.starts_armed(&moment).await;
            scene.pays().await;
            scene.lived_on(&moment);
        }
    }
    scene.ends(&OF_A_PAYOUT).await;
}

async fn a_void(test: &str, database: fn() -> Database) {
    machine::Job::run_if_given().await;
    let mut scene = Scene::new(test, database()).await;
    let mut moments = scene.moments(async |scene| scene.voids("").await).await;
    // What goes on beside it was died at with the payouts.
    moments.retain(|moment| !BESIDE.iter().any(|part| moment.contains(part)));
    for moment in &moments {
        scene.voids(moment).await;
        scene.lived_on(moment);
    }
    scene.ends(&OF_A_VOID).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payout_that_dies_anywhere_is_paid_once_on_sqlite() {
    let this = "crash::a_payout_that_dies_anywhere_is_paid_once_on_sqlite";
    a_payout(this, Database::sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payout_that_dies_anywhere_is_paid_once_on_postgres() {
    let this = "crash::a_payout_that_dies_anywhere_is_paid_once_on_postgres";
    a_payout(this, Database::postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_and_a_void_that_die_anywhere_happen_once_on_sqlite() {
    let this = "crash::a_retry_and_a_void_that_die_anywhere_happen_once_on_sqlite";
    a_void(this, Database::sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_and_a_void_that_die_anywhere_happen_once_on_postgres() {
    let this = "crash::a_retry_and_a_void_that_die_anywhere_happen_once_on_postgres";
    a_void(this, Database::postgres).await;
}
