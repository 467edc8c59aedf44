//! A running local network, for the programs that started it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use soroban_env_host::xdr::{LedgerEntry, LedgerKey};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::config::Config;
use crate::faults::{Fault, FaultPlan, Faults};
use crate::ledger::Ledger;
use crate::network::Network;
use crate::node::{Node, PutError, TooFar};
use crate::server::{StartError, serve};
use crate::state_file::{self, Saved, StateError};
use crate::worker::{Stopped, Worker};

/// A local network in this process. It stops when dropped.
pub struct Localnet {
    address: SocketAddr,
    network: Network,
    worker: Worker,
    state: Option<PathBuf>,
    stop: watch::Sender<bool>,
    http_thread: Option<JoinHandle<()>>,
    ledger_thread: Option<JoinHandle<()>>,
}

/// Stack of the thread that answers, in bytes: answers in JSON can be nested as deeply as what
/// clients send in XDR.
const HTTP_STACK_BYTES: usize = 32 * 1024 * 1024;

/// Why an act on a running network failed.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// It has stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The state could not be saved.
    #[error(transparent)]
    State(#[from] StateError),
    /// The jump leads past the last ledger.
    #[error(transparent)]
    TooFar(#[from] TooFar),
    /// The entry cannot be part of a ledger.
    #[error(transparent)]
    Entry(#[from] PutError),
}

impl Localnet {
    /// Starts a network and returns once it answers.
    ///
    /// # Errors
    ///
    /// [`StartError`]: the address is taken, or the state file cannot be used.
    pub fn start(config: Config) -> Result<Self, StartError> {
        let network = Network::new(&config.passphrase);
        let wanted = config.address;
        let listen = move |source| StartError::Listen {
            address: wanted,
            source,
        };
        let listener = std::net::TcpListener::bind(config.address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let state = config.state.clone();
        let close = config.close;
        let make = {
            let network = network.clone();
            move || make_node(config, network, address)
        };
        let (worker, ledger_thread) = Worker::start(make)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StartError::Thread)?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener).map_err(listen)?
        };
        let (stop, stopped) = watch::channel(false);
        let http = {
            let worker = worker.clone();
            std::thread::Builder::new()
                .name("localnet-http".to_owned())
                .stack_size(HTTP_STACK_BYTES)
                .spawn(move || runtime.block_on(serve(listener, worker, close, stopped)))
                .map_err(StartError::Thread)?
        };
        Ok(Self {
            address,
            network,
            worker,
            state,
            stop,
            http_thread: Some(http),
            ledger_thread: Some(ledger_thread),
        })
    }

    /// The URL of the RPC.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The network: passphrase, id, root account.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The latest ledger.
    ///
    /// # Errors
    ///
    /// [`Stopped`].
    pub fn latest_ledger(&self) -> Result<u32, Stopped> {
        self.worker.call(|node| node.ledger.latest())
    }

    /// The present on the network, Unix seconds.
    ///
    /// # Errors
    ///
    /// [`Stopped`].
    pub fn now(&self) -> Result<u64, Stopped> {
        self.worker.call(|node| node.clock.now())
    }

    /// Closes `count` ledgers and returns the latest. Those without transactions cost next to
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`DriveError`]: stopped, or too far ahead.
    pub fn close_ledgers(&self, count: u32) -> Result<u32, DriveError> {
        let latest = self
            .worker
            .call(move |node| node.close_many(count).map(|()| node.ledger.latest()))??;
        Ok(latest)
    }

    /// Lets `seconds` go by, a ledger every five, and returns the latest.
    ///
    /// # Errors
    ///
    /// [`DriveError`]: stopped, or too far ahead.
    pub fn advance(&self, seconds: u64) -> Result<u32, DriveError> {
        let latest = self
            .worker
            .call(move |node| node.advance(seconds).map(|()| node.ledger.latest()))??;
        Ok(latest)
    }

    /// Switches the faults that `plan` names and takes its magnitudes; other faults stay.
    ///
    /// # Errors
    ///
    /// [`Stopped`].
    pub fn set_faults(&self, plan: FaultPlan) -> Result<(), Stopped> {
        self.worker.call(move |node| node.faults.update(plan))
    }

    /// Switches all faults off.
    ///
    /// # Errors
    ///
    /// [`Stopped`].
    pub fn clear_faults(&self) -> Result<(), Stopped> {
        self.worker.call(|node| node.faults.clear())
    }

    /// How often each fault struck since the start.
    ///
    /// # Errors
    ///
    /// [`Stopped`].
    pub fn fault_counts(&self) -> Result<BTreeMap<Fault, u64>, Stopped> {
        self.worker.call(|node| node.faults.struck().clone())
    }

    /// Writes an entry into the ledger past all rules: states that the supported operations cannot
    /// make. Contract data and code need `live_until`, the last ledger of their life.
    ///
    /// # Errors
    ///
    /// [`DriveError`]: stopped, or an entry with a lifetime it cannot have.
    pub fn put_entry(&self, entry: LedgerEntry, live_until: Option<u32>) -> Result<(), DriveError> {
        self.worker
            .call(move |node| node.put_entries(vec![(entry, live_until)]))??;
        Ok(())
    }

    /// An entry as it stands, live or archived, with the last ledger of its life.
    ///
    /// # Errors
    ///
    /// [`Stopped`].
    pub fn entry(&self, key: LedgerKey) -> Result<Option<(LedgerEntry, Option<u32>)>, Stopped> {
        self.worker.call(move |node| {
            node.ledger.state.get(&key).map(|stored| {
                (
                    (*stored.entry).clone(),
                    stored.ttl.map(|ttl| ttl.live_until),
                )
            })
        })
    }

    /// Saves the state to `path`.
    ///
    /// # Errors
    ///
    /// [`DriveError`]: stopped, or the file cannot be written; what it held before is unchanged.
    pub fn save(&self, path: &Path) -> Result<(), DriveError> {
        let path = path.to_owned();
        self.worker
            .call(move |node| state_file::save(&path, &node.ledger, node.clock))??;
        Ok(())
    }

    /// Stops the network and saves its state where a file was named.
    ///
    /// # Errors
    ///
    /// [`DriveError`]: the state could not be saved; the network has stopped all the same.
    pub fn stop(mut self) -> Result<(), DriveError> {
        // What was answered must be in the file, so nothing may be answered after it was written.
        self.stop_answering();
        let saved = match self.state.take() {
            Some(path) => self.save(&path),
            None => Ok(()),
        };
        self.shut_down();
        saved
    }

    fn stop_answering(&mut self) {
        let _ = self.stop.send(true);
        join(&mut self.http_thread);
    }

    fn shut_down(&mut self) {
        self.stop_answering();
        self.worker.stop();
        join(&mut self.ledger_thread);
    }
}

impl Drop for Localnet {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// Waits for a thread. One that panicked has stopped too.
fn join(thread: &mut Option<JoinHandle<()>>) {
    if let Some(thread) = thread.take() {
        let _ = thread.join();
    }
}

fn make_node(config: Config, network: Network, address: SocketAddr) -> Result<Node, StartError> {
    let saved = match &config.state {
        Some(path) => {
            let saved = state_file::load(path, &network, config.retention)?;
            state_file::check_folder(path)?;
            saved
        }
        None => None,
    };
    let (ledger, clock) = if let Some(Saved { ledger, clock }) = saved {
        (ledger, clock)
    } else {
        let ledger = Ledger::genesis(network, config.retention, config.clock.now())
            .map_err(|error| StartError::Ledger(error.to_string()))?;
        (ledger, config.clock)
    };
    let faults = Faults::new(config.faults, config.seed);
    let mut node = Node::new(ledger, clock, config.close, faults, config.seed);
    node.friendbot_url = format!("http://{address}/friendbot");
    node.state_path = config.state;
    Ok(node)
}
