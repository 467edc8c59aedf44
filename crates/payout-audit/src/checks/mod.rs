//! The checks, one file each.
//!
//! A check sees every page and every transaction in order, with what came before in a [`World`], and
//! at the end what nodes say. It never sees another check.

mod balance;
mod code;
mod complete;
mod coverage;
mod end;
mod envelope;
mod key_life;
mod money;
mod nodes;
mod order;
mod origin;
mod paid_once;
mod records;
mod reference_once;
mod result;
mod schema;
mod sink;
mod state;
mod transfers;

pub use end::{Chain, Coverage, End, KeyList};
pub use sink::{Evidence, Finding, Sink};

use crate::archive::{Gap, Page};
use crate::books::World;
use crate::model::{Subject, Tx};
use crate::obligations;
use crate::verdict::Outcome;

/// What a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its identifier.
    pub id: &'static str,
    /// The exit code where it is refuted.
    pub code: u8,
    /// What it asks.
    pub asks: &'static str,
    /// What it proves.
    pub proves: &'static str,
    /// What it does not prove.
    pub not: &'static str,
}

/// One check.
pub trait Check {
    /// What it is.
    fn about(&self) -> &'static About;

    /// Sees a page before its transactions.
    fn page(&mut self, _page: &Page<'_>, _out: &mut Sink) {}

    /// Sees ledgers that no node gave.
    fn gap(&mut self, _gap: Gap, _out: &mut Sink) {}

    /// Sees a transaction.
    fn transaction(&mut self, _subject: &Subject, _world: &World, _tx: &Tx, _out: &mut Sink) {}

    /// Sees the end, and says what it is if nothing was found: how much was looked at.
    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String);
}

/// All checks of events and state, the gravest first.
#[must_use]
pub fn all() -> Vec<Box<dyn Check>> {
    vec![
        Box::new(paid_once::PaidOnce::default()),
        Box::new(reference_once::ReferenceOnce::default()),
        Box::new(key_life::KeyLife::default()),
        Box::new(complete::Complete::default()),
        Box::new(state::State),
        Box::new(records::Records),
        Box::new(transfers::Transfers::default()),
        Box::new(money::Money::default()),
        Box::new(balance::Balance::default()),
        Box::new(envelope::Envelope::default()),
        Box::new(result::Committed::default()),
        Box::new(order::Order::default()),
        Box::new(origin::Origin::default()),
        Box::new(schema::Schema::default()),
        Box::new(coverage::Covered::default()),
        Box::new(code::Code),
        Box::new(nodes::Nodes),
    ]
}

/// What every check is, those of obligations and of the archive too.
#[must_use]
pub fn abouts() -> Vec<&'static About> {
    let mut abouts: Vec<&'static About> = all().iter().map(|check| check.about()).collect();
    abouts.extend(obligations::ABOUTS);
    abouts.push(&ARCHIVE);
    abouts
}

/// The archive's own check, which stands before all others: a broken archive gives no report.
pub const ARCHIVE: About = About {
    id: "ARCHIVE",
    code: 40,
    asks: "Is the archive what was written?",
    proves: "Every record follows from the one before by its digest, and can be read. A changed, removed or \
             inserted byte names the first bad record. With --archive-head, also that a record noted \
             earlier is still there.",
    not: "Whoever writes the whole chain anew makes another one that holds in itself. That is found by \
          the other checks, by a digest noted earlier, or by --recheck while a node remembers.",
};
