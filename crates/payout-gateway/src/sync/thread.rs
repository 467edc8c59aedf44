//! The thread of the sync plane.

use std::rc::Rc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::LocalSet;

use super::job::Desk;
use super::lanes::Secrets;
use super::{reconcile, seal, watch as chain_watch, worker};
use crate::config::{Config, PolicyConfig};
use crate::http::App;
use crate::ids::{NoRandomness, random_id};

/// What the sync plane is told.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// This process, among all that share the database.
    pub(crate) process: String,
    pub(crate) passphrase: String,
    pub(crate) orders: u32,
    pub(crate) lease_seconds: u32,
    pub(crate) poll: Duration,
    pub(crate) reconcile_every: Option<Duration>,
    pub(crate) restores: bool,
    /// Whether ledgers close only when there is something to close.
    pub(crate) ledgers_on_demand: bool,
    pub(crate) policy: PolicyConfig,
}

impl Settings {
    pub(crate) fn new(config: &Config, passphrase: &str) -> Result<Self, NoRandomness> {
        let worker = config.worker;
        let every = u64::from(worker.reconcile_seconds);
        Ok(Self {
            process: random_id()?,
            passphrase: passphrase.to_owned(),
            orders: worker.orders,
            lease_seconds: worker.lease_seconds.max(3),
            poll: Duration::from_millis(u64::from(worker.poll_millis.max(10))),
            reconcile_every: (every > 0).then(|| Duration::from_secs(every)),
            restores: worker.restores,
            ledgers_on_demand: worker.ledgers_on_demand,
            policy: config.policy,
        })
    }
}

/// The running sync plane.
pub(crate) struct Sync {
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Sync {
    /// Starts it.
    ///
    /// # Errors
    /// The system gave no thread.
    pub(crate) fn start(
        app: App,
        secrets: Secrets,
        settings: Settings,
    ) -> Result<Self, std::io::Error> {
        let (stop, stopped) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let thread = std::thread::Builder::new()
            .name("gateway-sync".to_owned())
            .spawn(move || {
                let inside = runtime.enter();
                let store = app.store.again();
                drop(inside);
                let desk = Rc::new(Desk {
                    app,
                    store,
                    secrets,
                    settings,
                });
                LocalSet::new().block_on(&runtime, run(desk, stopped));
            })?;
        Ok(Self {
            stop,
            thread: Some(thread),
        })
    }

    /// Stops it. Jobs under way are dropped as a crash would drop them, and given back.
    pub(crate) fn stop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Sync {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn run(desk: Rc<Desk>, mut stopped: watch::Receiver<bool>) {
    let duties = async {
        tokio::join!(
            chain_watch::run(&desk),
            seal::run(&desk),
            reconcile::run(&desk),
            worker::run(&desk),
        );
    };
    tokio::select! {
        () = duties => {}
        _ = stopped.wait_for(|stop| *stop) => {}
    }
    if let Err(error) = desk.store.give_back(&desk.settings.process).await {
        tracing::warn!(%error, "jobs were not given back; their leases run out");
    }
}
