//! Start and stop.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use payout_engine::envelope::SecretKey;
use payout_engine::rpc::Client;
use payout_keys::{Deployment, NetworkId};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use crate::auth::{Auth, Limits};
use crate::chain::Program;
use crate::config::Config;
use crate::http::{App, Shared, router};
use crate::ids::NoRandomness;
use crate::metrics::Metrics;
use crate::store::{Store, StoreError};
use crate::sync::{Secrets, Settings, Sync};

const HOUR_MILLIS: i64 = 3_600_000;

/// What the configuration refers to: secret keys, and the network's nodes.
#[derive(Debug)]
pub struct Means {
    /// The network's passphrase.
    pub passphrase: String,
    /// Its nodes. A final "not paid" needs two that different people run.
    pub nodes: Vec<Client>,
    /// Each program's payout key, by the program's id.
    pub payout: BTreeMap<String, SecretKey>,
    /// The channel accounts.
    pub lanes: Vec<SecretKey>,
}

/// Why a gateway did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A program without its key.
    #[error("program {0} has no payout key; configure payout_key")]
    KeyMissing(String),
    /// The address.
    #[error("cannot listen on {address}: {source}; choose another one in `listen`")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// No thread.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// No randomness.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
}

/// A running gateway. Dropping it is as pulling the plug; [`Gateway::stop`] is polite.
pub struct Gateway {
    address: SocketAddr,
    app: App,
    sync: Sync,
    stop: watch::Sender<bool>,
    server: JoinHandle<()>,
}

impl Gateway {
    /// Opens the database, starts to listen and to work.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(config: &Config, means: Means) -> Result<Self, StartError> {
        let store = Store::open(&config.database, config.connections).await?;
        let network = NetworkId::from_passphrase(&means.passphrase);
        let mut programs = Vec::new();
        for program in &config.programs {
            let id = program.id.as_str();
            let key = means
                .payout
                .get(id)
                .ok_or_else(|| StartError::KeyMissing(id.to_owned()))?;
            let deployment = Deployment {
                network,
                contract: program.contract,
            };
            let known = Program::new(program.id.clone(), deployment, key.address());
            // A second start can read bodies before the chain was read again.
            if let Some(pins) = store.pins(id).await? {
                known.set_pins(&pins);
            }
            programs.push(Arc::new(known));
        }
        let app = Arc::new(Shared {
            store,
            auth: Auth::new(Duration::from_secs(u64::from(
                config.limits.key_cache_seconds,
            ))),
            limits: Limits::new(&config.limits),
            metrics: Metrics::new(),
            programs,
            window: config
                .keys
                .window_hours
                .map(|hours| i64::from(hours).saturating_mul(HOUR_MILLIS)),
            nodes: means.nodes,
            body_bytes: config.limits.body_bytes,
            wake: Notify::new(),
        });
        let address = config.listen;
        let listen = move |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let secrets = Secrets::new(means.payout, means.lanes);
        let sync = Sync::start(
            Arc::clone(&app),
            secrets,
            Settings::new(config, &means.passphrase)?,
        )
        .map_err(StartError::Thread)?;
        let (stop, mut stopped) = watch::channel(false);
        let routes = router(&app);
        let server = tokio::spawn(async move {
            let served = axum::serve(listener, routes).with_graceful_shutdown(async move {
                let _ = stopped.wait_for(|stop| *stop).await;
            });
            if let Err(error) = served.await {
                tracing::error!(%error, "the server ended");
            }
        });
        Ok(Self {
            address,
            app,
            sync,
            stop,
            server,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its database.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.app.store
    }

    /// Takes no further request, answers those that are here, gives back what it has not decided,
    /// and seals what it has recorded.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let _ = tokio::time::timeout(Duration::from_secs(10), &mut self.server).await;
        // Joining a thread waits; that must not hold up the runtime whose connections it uses.
        let mut sync = self.sync;
        let _ = tokio::task::spawn_blocking(move || sync.stop()).await;
        while matches!(self.app.store.seal().await, Ok(rows) if rows > 0) {}
        self.app.store.close().await;
    }
}
