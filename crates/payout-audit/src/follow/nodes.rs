//! The nodes that are asked.

use std::time::Duration;

use payout_engine::rpc::{Client, Health, RpcError};

use super::FollowError;

/// Failures in a row before a node is given up.
const TRIES: u32 = 10;
/// The first pause between two tries; it doubles.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A node with the name it has in reports: its host alone, because addresses carry keys.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) host: String,
    pub(super) client: Client,
}

/// Nodes of one network.
#[derive(Debug)]
pub struct Nodes {
    nodes: Vec<Node>,
}

/// What a node has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) oldest: u32,
    pub(super) latest: u32,
}

impl Nodes {
    /// These nodes, in the order in which they are asked.
    ///
    /// # Errors
    /// [`FollowError::NoNode`].
    pub fn new(clients: Vec<Client>) -> Result<Self, FollowError> {
        if clients.is_empty() {
            return Err(FollowError::NoNode);
        }
        let node = |client: Client| Node {
            host: client.host(),
            client,
        };
        Ok(Self {
            nodes: clients.into_iter().map(node).collect(),
        })
    }

    /// Their hosts.
    #[must_use]
    pub fn hosts(&self) -> Vec<String> {
        self.nodes.iter().map(|node| node.host.clone()).collect()
    }

    pub(super) fn all(&self) -> &[Node] {
        &self.nodes
    }

    /// What every node has; each has to answer.
    pub(super) async fn windows(&self) -> Result<Vec<Window>, FollowError> {
        let mut windows = Vec::new();
        for node in &self.nodes {
            let Health {
                oldest_ledger: oldest,
                latest_ledger: latest,
                ..
            } = node.ask(async |client| client.health().await).await?;
            windows.push(Window { oldest, latest });
        }
        Ok(windows)
    }
}

impl Node {
    /// Asks until there is an answer, with pauses.
    pub(super) async fn ask<T>(
        &self,
        call: impl AsyncFn(&Client) -> Result<T, RpcError>,
    ) -> Result<T, FollowError> {
        let mut tries = 0;
        loop {
            match call(&self.client).await {
                Ok(answer) => return Ok(answer),
                Err(source) => {
                    tries += 1;
                    if tries >= TRIES {
                        return Err(FollowError::Unreachable {
                            node: self.host.clone(),
                            source,
                        });
                    }
                    pause(tries).await;
                }
            }
        }
    }

    pub(super) fn lying(&self, why: impl Into<String>) -> FollowError {
        FollowError::Lying {
            node: self.host.clone(),
            why: why.into(),
        }
    }
}

/// Waits before try `number`, counted from 1.
pub(super) async fn pause(number: u32) {
    let factor = 2_u32.saturating_pow(number.saturating_sub(1).min(10));
    tokio::time::sleep(PAUSE.saturating_mul(factor).min(LONGEST_PAUSE)).await;
}
