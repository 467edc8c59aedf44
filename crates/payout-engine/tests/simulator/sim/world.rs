//! Everything that machines share: time, the chain, faults, and the oracle.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::chain::Chain;
use super::dice::Dice;
use super::oracle::Oracle;

/// How often each fault happens, in a thousand calls or ledgers.
#[derive(Debug, Clone, Default)]
pub(super) struct Weather {
    /// A request is lost; what was sent may arrive ledgers later.
    pub(super) lost: u32,
    /// An answer is lost after the request was acted on: 504.
    pub(super) answer_lost: u32,
    /// "Try again later", and nothing was taken.
    pub(super) try_again: u32,
    /// `txBAD_SEQ` as the answer to what was accepted.
    pub(super) bad_sequence: u32,
    /// A node is up to six ledgers behind.
    pub(super) lag: u32,
    /// A node does not know a transaction that was included.
    pub(super) forgot: u32,
    /// A queued envelope is not in this ledger.
    pub(super) late: u32,
    /// Everybody bids more.
    pub(super) spike: u32,
    /// No ledger closes for a while.
    pub(super) stall: u32,
    /// An included transaction fails for its resources.
    pub(super) fails: u32,
    /// A stranger carries one of our signed authorisations.
    pub(super) stranger: u32,
    /// A durable write fails.
    pub(super) disk: u32,
}

/// All of it.
pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) weather: Weather,
    /// Faults have stopped.
    pub(super) calm: bool,
    /// Milliseconds since the start.
    pub(super) now: u64,
    /// The machine that is polled.
    pub(super) current: usize,
    /// When each machine goes on.
    pub(super) wakes: Vec<u64>,
    pub(super) chain: Chain,
    pub(super) oracle: Oracle,
}

impl World {
    /// Whether a fault happens now.
    pub(super) fn strikes(&mut self, of: impl FnOnce(&Weather) -> u32) -> bool {
        !self.calm && self.dice.per_mille(of(&self.weather))
    }
}

/// The world as every machine has it.
#[derive(Clone)]
pub(super) struct Shared(Rc<RefCell<World>>);

impl Shared {
    pub(super) fn new(world: World) -> Self {
        Self(Rc::new(RefCell::new(world)))
    }

    pub(super) fn with<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        act(&mut self.0.borrow_mut())
    }

    /// The machine that is polled goes on after so many milliseconds, and not before another was asked.
    pub(super) async fn sleep(&self, milliseconds: u64) {
        let wake = self.with(|world| {
            let wake = world.now + milliseconds;
            let current = world.current;
            world.wakes[current] = wake;
            wake
        });
        let mut asked = false;
        poll_fn(|_| {
            let over = asked && self.with(|world| world.now >= wake);
            asked = true;
            if over { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// The way to a node or a disk, on which a machine may be killed.
    pub(super) async fn pause(&self) {
        let milliseconds = self.with(|world| world.dice.below(400));
        self.sleep(u64::try_from(milliseconds).unwrap_or_default())
            .await;
    }
}
