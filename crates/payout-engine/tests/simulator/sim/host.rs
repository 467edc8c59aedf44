//! A machine's clock and randomness.

use std::cell::Cell;
use std::rc::Rc;

use payout_engine::ports::Host;
use payout_engine::protocol::{Jitter, Obligation, Phase};

use super::world::Shared;

/// A machine whose clock runs too fast or too slow.
pub(super) struct Clock {
    pub(super) world: Shared,
    /// How long its second is, in thousandths.
    pub(super) skew: u64,
    /// Counts offers whose slot another one took.
    pub(super) slots_lost: Rc<Cell<usize>>,
}

impl Host for Clock {
    async fn sleep(&mut self, milliseconds: u64) {
        self.world.sleep(milliseconds * self.skew / 1_000).await;
    }

    fn jitter(&mut self) -> Jitter {
        let number = self.world.with(|world| world.dice.below(0xffff));
        Jitter(u16::try_from(number).unwrap_or_default())
    }

    fn consent(&mut self, _entries: u32, _resource_fee: i64) -> bool {
        true
    }

    fn watch(&mut self, obligation: &Obligation) {
        if obligation.phase() == Phase::Conflict {
            self.slots_lost.set(self.slots_lost.get() + 1);
        }
    }
}
