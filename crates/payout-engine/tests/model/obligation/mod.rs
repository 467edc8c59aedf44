//! One order, one client, two workers, a chain, lossy links, and a stranger who carries signed
//! authorisations.
//!
//! A worker's decisions are the real state machine's. What it asks for is answered by [`Chain`] and by
//! the links: honestly, or by one of the faults that are left. Everything that a ledger may do when it
//! closes is tried: each queued envelope is included or not, a void lands or not, the stranger carries
//! any authorisation or none.

mod chain;
mod links;
mod model;
mod settle;
mod tests;
mod worker;

use chain::Chain;
use worker::Worker;

/// Keys that the order may have one after the other.
const KEYS: usize = 2;

/// Who works on the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scene {
    /// Two workers with one journal, one at a time: when one is killed, the other goes on. The client
    /// may cancel, and is told "not paid" when that is proven.
    Lease,
    /// The same, but whoever takes over has a journal from a backup, without the newest envelope.
    Restored,
    /// Two machines at once, each with its own journal, which may be lost. The client may void the key
    /// and move the order to another.
    Machines,
}

/// A rule taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Nothing: the protocol as it is.
    Nothing,
    /// Who takes over begins with a fresh key instead of the journal's.
    FreshKeyOnRetry,
    /// No answer to a sending is taken as "failed": the client is told, and the order issued again.
    NoAnswerIsFailure,
    /// The order is moved to another key as soon as the client asks, without a void.
    MoveWithoutVoid,
    /// "Not paid" as soon as `maxTime` is past, though an authorisation lives longer.
    VerdictAtMaxTime,
    /// What a restored journal has forgotten is counted from the first look, as if no node were behind.
    NoNodeIsBehind,
    /// The envelope is sent without being stored.
    SendBeforeStore,
    /// Each machine takes its own journal for all there is.
    OwnExpiryIsEverybodys,
}

/// The model: a scene, a change, and its bounds.
#[derive(Debug, Clone)]
struct Protocol {
    scene: Scene,
    change: Change,
    /// How many faults may happen, of any kinds: a request or an answer lost, "try again later", an answer
    /// of the ledger before, a node that forgot a transaction, a ledger that stands still, a worker killed,
    /// an operator who resumes what has stopped.
    faults: u8,
    /// How many ledgers a node is behind that is behind.
    lag: u32,
    /// The last ledger that closes.
    last_ledger: u32,
}

impl Protocol {
    /// One worker at a time.
    fn leased(&self) -> bool {
        self.scene != Scene::Machines
    }
}

/// Everything there is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    chain: Chain,
    workers: [Worker; 2],
    client: Client,
    /// How many are left.
    faults: u8,
}

/// Who gave the order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Client {
    /// The key of the order, by its number.
    key: usize,
    /// Asked for the order to be cancelled, or moved.
    asked: bool,
    told_paid: bool,
    told_unpaid: bool,
}

/// What happens next.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    /// A worker's next effect is done, with this outcome.
    Do(usize, links::Outcome),
    /// A worker is killed. In [`Scene::Machines`] its journal may be lost with it.
    Kill { worker: usize, journal_lost: bool },
    /// An operator resumes a worker that stopped.
    Resume(usize),
    /// The client asks for the order to be cancelled, or moved.
    Ask,
    /// The client moves the order to the next key.
    Move,
    /// A worker takes the order up under the client's key.
    Adopt(usize),
    /// The next ledger closes.
    Close(chain::Closing),
}
