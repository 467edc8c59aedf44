//! The thread that owns the node. All work on it is a job in a queue, so the network changes one
//! thing at a time and needs no locks; the host gets the large stack that deep contract values need.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use crate::node::Node;
use crate::server::StartError;

/// Stack of the thread, in bytes. Public nodes give a simulation a hundred mebibytes.
const STACK_BYTES: usize = 128 * 1024 * 1024;

type Job = Box<dyn FnOnce(&mut Node) + Send>;

/// The work could not be done: the node has stopped, or the job broke down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the local network has stopped, or could not finish this request")]
pub struct Stopped;

/// A handle to the node's thread.
#[derive(Clone)]
pub(crate) struct Worker {
    jobs: mpsc::Sender<Option<Job>>,
}

impl Worker {
    /// Starts the thread; `make` builds the node there.
    pub(crate) fn start(
        make: impl FnOnce() -> Result<Node, StartError> + Send + 'static,
    ) -> Result<(Self, thread::JoinHandle<()>), StartError> {
        let (jobs, queue) = mpsc::channel::<Option<Job>>();
        let (ready, started) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("localnet-ledger".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let mut node = match make() {
                    Ok(node) => node,
                    Err(error) => {
                        let _ = ready.send(Err(error));
                        return;
                    }
                };
                let _ = ready.send(Ok(()));
                while let Ok(Some(job)) = queue.recv() {
                    // A job that panics answers nobody and must leave no half-written ledger.
                    if catch_unwind(AssertUnwindSafe(|| job(&mut node))).is_err() {
                        node.recover();
                    }
                }
            })
            .map_err(StartError::Thread)?;
        started.recv().map_err(|_| StartError::Stopped(Stopped))??;
        Ok((Self { jobs }, thread))
    }

    /// Does work on the node and waits for it.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Node) -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (sender, receiver) = mpsc::channel();
        self.send(move |node| {
            let _ = sender.send(work(node));
        })?;
        receiver.recv().map_err(|_| Stopped)
    }

    /// Does work on the node without blocking the caller's thread.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Node) -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.send(move |node| {
            let _ = sender.send(work(node));
        })?;
        receiver.await.map_err(|_| Stopped)
    }

    fn send(&self, job: impl FnOnce(&mut Node) + Send + 'static) -> Result<(), Stopped> {
        self.jobs.send(Some(Box::new(job))).map_err(|_| Stopped)
    }

    /// Ends the thread after the jobs that are already queued.
    pub(crate) fn stop(&self) {
        let _ = self.jobs.send(None);
    }
}
