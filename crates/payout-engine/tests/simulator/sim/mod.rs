//! The engine as it is, on ports that are simulated, against the real contract.
//!
//! One number decides everything: the file and its editions, machines, faults, kills, and who is polled
//! when. The same number plays the same schedule.
//!
//! | Module | Idea |
//! | --- | --- |
//! | [`contract`] | the real contract on the SDK's host, called with what was signed |
//! | [`chain`], [`envelope`] | the network around it: time, sequence numbers, queue, authorisations |
//! | [`node`], [`memory`], [`host`] | the ports, with their faults |
//! | [`scenario`] | what a number stands for |
//! | [`executor`] | machines polled, killed, restarted and restored |
//! | [`machine`], [`orders`] | the production code on those ports: a run, or orders one by one |
//! | [`oracle`], [`verify`] | what must be so whatever happens, and at the end |
//! | [`tally`] | what was met |

mod chain;
mod contract;
mod dice;
mod envelope;
mod executor;
mod host;
mod machine;
mod memory;
mod node;
mod oracle;
mod orders;
mod scenario;
mod tally;
mod verify;
mod world;

pub(crate) use executor::play;
pub(crate) use tally::Tally;

/// What machines work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file, paid slot by slot, by one machine or two.
    Run,
    /// Orders with keys of their own, worked on by one process, some of them cancelled.
    Orders,
}

/// A rule taken out, to see that the oracle notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The engine as it is.
    Nothing,
    /// A machine that was killed goes on under another run's keys.
    FreshKeysAfterKill,
    /// A machine reports as final what was unpaid when its own offers had run out.
    ExpiryIsFinal,
    /// A node shows a record for what was only sent.
    SentIsLanded,
    /// A renamed row is paid without asking.
    TwinsPaid,
    /// A journal that was restored from a backup is taken for the newest.
    BackupUnnoticed,
}
