//! A node behind a door: sendings and their answers can be held back, one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

struct Door {
    to: String,
    http: reqwest::Client,
    /// How many of the next sendings are held back.
    holding: Semaphore,
    /// How many of the next sendings' answers are held back.
    muting: Semaphore,
    open: watch::Sender<bool>,
    held: AtomicUsize,
}

pub(crate) struct Proxy {
    pub(crate) url: String,
    door: Arc<Door>,
}

impl Proxy {
    pub(crate) async fn before(to: String) -> Self {
        let door = Arc::new(Door {
            to,
            http: reqwest::Client::new(),
            holding: Semaphore::new(0),
            muting: Semaphore::new(0),
            open: watch::Sender::new(false),
            held: AtomicUsize::new(0),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let routes = Router::new()
            .route("/", post(pass))
            .with_state(Arc::clone(&door));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, door }
    }

    /// Holds the next sending back.
    pub(crate) fn hold_next(&self) {
        self.door.open.send_replace(false);
        self.door.holding.add_permits(1);
    }

    /// Lets the next sending through and holds its answer back.
    pub(crate) fn mute_next(&self) {
        self.door.open.send_replace(false);
        self.door.muting.add_permits(1);
    }

    /// How many are held back, or were.
    pub(crate) fn held(&self) -> usize {
        self.door.held.load(Ordering::SeqCst)
    }

    pub(crate) fn release(&self) {
        self.door.open.send_replace(true);
    }
}

async fn pass(State(door): State<Arc<Door>>, body: Bytes) -> (StatusCode, Bytes) {
    let sending = String::from_utf8_lossy(&body).contains("sendTransaction");
    if sending && let Ok(permit) = door.holding.try_acquire() {
        permit.forget();
        door.held.fetch_add(1, Ordering::SeqCst);
        let _ = door.open.subscribe().wait_for(|open| *open).await;
    }
    let answer = door
        .http
        .post(&door.to)
        .header("content-type", "application/json")
        .body(body)
        .send()
        .await;
    if sending && let Ok(permit) = door.muting.try_acquire() {
        permit.forget();
        door.held.fetch_add(1, Ordering::SeqCst);
        let _ = door.open.subscribe().wait_for(|open| *open).await;
    }
    match answer {
        Ok(answer) => {
            let status = StatusCode::from_u16(answer.status().as_u16());
            let status = status.unwrap_or(StatusCode::BAD_GATEWAY);
            (status, answer.bytes().await.unwrap_or_default())
        }
        Err(_) => (StatusCode::BAD_GATEWAY, Bytes::new()),
    }
}
