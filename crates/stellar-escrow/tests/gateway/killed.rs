//! Killed with SIGKILL where it hurts most: around the commit that accepts, after signing, after sending.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use rusqlite::Connection;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_the_commit() {
    let world = World::new().await;
    let process = world.start();
    let lock = Connection::open(&world.database).expect("the database");
    lock.busy_timeout(Duration::from_secs(10))
        .expect("patience");
    lock.execute_batch("BEGIN IMMEDIATE")
        .expect("the only writer");
    let waiting = tokio::spawn(world.post(&process, "g1").send());
    tokio::time::sleep(Duration::from_millis(500)).await;
    process.kill();
    lock.execute_batch("ROLLBACK").expect("free again");
    assert!(waiting.await.expect("a task").is_err(), "no answer");
    assert_eq!(world.rows("orders"), 0);
    let process = world.start();
    assert_eq!(world.until_paid(&process, "g1").await, 202);
    world.settled(1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_commit_and_answer() {
    let world = World::new().await;
    let process = world.start();
    let body = world.body().to_string();
    let mut stream = TcpStream::connect(&process.address).expect("a connection");
    write!(
        stream,
        "POST /v1/programs/hackathon-2026/payouts HTTP/1.1\r\nhost: gateway\r\n\
         authorization: Bearer {}\r\nidempotency-key: g1\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        world.token(),
        body.len()
    )
    .expect("a request");
    world.until_rows("orders").await;
    process.kill();
    drop(stream);
    let process = world.start();
    assert_eq!(
        world.until_paid(&process, "g1").await,
        200,
        "the order was stored"
    );
    world.settled(1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_signing() {
    let world = World::new().await;
    let process = world.start();
    world.proxy.hold_next();
    world.post(&process, "g1").send().await.expect("an answer");
    while world.proxy.held() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    process.kill();
    assert_eq!(world.rows("envelopes"), 1);
    assert_eq!(world.chain.payout_count(), 0);
    let process = world.start();
    world.until_paid(&process, "g1").await;
    world.settled(1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_sending() {
    let world = World::new().await;
    let process = world.start();
    world.proxy.mute_next();
    world.post(&process, "g1").send().await.expect("an answer");
    while world.proxy.held() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    process.kill();
    assert_eq!(world.chain.payout_count(), 1, "it was paid");
    let process = world.start();
    world.until_paid(&process, "g1").await;
    world.settled(1);
}
