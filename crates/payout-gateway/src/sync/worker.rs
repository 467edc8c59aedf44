//! Takes jobs from the outbox, as many as this process drives at a time.

use std::rc::Rc;

use tokio::task::JoinSet;

use super::job::{self, Desk};
use crate::clock::Millis;
use crate::ids::random_id;

/// Works until it is dropped.
pub(super) async fn run(desk: &Rc<Desk>) {
    let most = usize::try_from(desk.settings.orders).unwrap_or(usize::MAX);
    if most == 0 {
        return std::future::pending().await;
    }
    if let Err(error) = desk.secrets.register(&desk.store).await {
        tracing::error!(%error, "the lanes could not be stored");
    }
    let mut running = JoinSet::new();
    loop {
        while running.try_join_next().is_some() {}
        let free = most.saturating_sub(running.len());
        let ready = desk.app.programs.iter().any(|program| program.ready());
        let mut taken = 0;
        if free > 0 && ready {
            for job in take(desk, free).await {
                taken += 1;
                running.spawn_local(job::run(Rc::clone(desk), job));
            }
        }
        // A full hand goes on at once when a place is free; else it waits for word or time.
        if taken == free || running.len() >= most {
            tokio::select! {
                _ = running.join_next(), if !running.is_empty() => {}
                () = tokio::time::sleep(desk.settings.poll) => {}
            }
        } else {
            tokio::select! {
                _ = running.join_next(), if !running.is_empty() => {}
                () = desk.app.wake.notified() => {}
                () = tokio::time::sleep(desk.settings.poll) => {}
            }
        }
    }
}

async fn take(desk: &Desk, count: usize) -> Vec<crate::store::jobs::Job> {
    let Ok(name) = random_id() else {
        return Vec::new();
    };
    // The process first: at a graceful stop all its leases are given back.
    let lease = format!("{}:{name}", desk.settings.process);
    let millis = Millis::from(desk.settings.lease_seconds) * 1_000;
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    match desk.store.take_jobs(&lease, millis, count).await {
        Ok(jobs) => jobs,
        Err(error) => {
            tracing::warn!(%error, "no jobs could be taken");
            Vec::new()
        }
    }
}
