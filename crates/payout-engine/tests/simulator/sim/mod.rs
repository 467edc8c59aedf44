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
//! | [`oracle`] | what must be so whatever happens |

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
mod scenario;
mod world;

pub(crate) use executor::{Tally, play};

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
}
