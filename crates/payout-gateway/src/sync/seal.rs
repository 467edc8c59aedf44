//! Seals the audit log within a second.

use std::time::Duration;

use super::job::Desk;

/// Between two looks for rows to seal.
const EVERY: Duration = Duration::from_millis(250);

/// Seals until it is dropped.
pub(super) async fn run(desk: &Desk) {
    loop {
        match desk.store.seal().await {
            // There may be more.
            Ok(rows) if rows > 0 => {
                tokio::time::sleep(EVERY / 10).await;
            }
            Ok(_) => tokio::time::sleep(EVERY).await,
            Err(error) => {
                tracing::warn!(%error, "the audit log was not sealed");
                tokio::time::sleep(EVERY * 4).await;
            }
        }
    }
}
