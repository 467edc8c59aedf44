//! What follows once mishaps stop: everything that is on its way lands, and machines go on in turn.

use payout_engine::run::{Decision, Halt};

use super::chain::Key;
use super::{Run, World};

/// More rounds than any file has rows.
const ROUNDS: usize = 8;

impl World {
    /// Whether every machine comes to rest, and rightly: with its file paid, the run ended, or a typed
    /// stop that has its reason.
    pub(super) fn settles(&self, run: &Run) -> bool {
        let mut world = self.clone();
        for _ in 0..ROUNDS {
            world.land_everything();
            let offers = [0, 1].map(|who| {
                let offered = world.offer(run, who, 0);
                world.land_everything();
                offered
            });
            if offers == [false; 2] {
                return (0..2).all(|who| world.rests(run, who));
            }
        }
        false
    }

    fn land_everything(&mut self) {
        while let Some(offered) = self.chain.late.first().cloned() {
            self.chain.land(offered.key, Some(offered.lines));
        }
        if let Some(slot) = self.void.take() {
            self.chain.land(Key::Slot(slot), None);
        }
    }

    fn rests(&self, run: &Run, who: usize) -> bool {
        match self.plan(run, who, 0).as_ref() {
            Ok(plan) => matches!(plan.decision, Decision::Complete | Decision::Ended { .. }),
            Err(Halt::Twins { .. }) => true,
            // Only where no node has the arguments any more.
            Err(Halt::Unexplained { .. }) => !self.arguments,
            Err(_) => false,
        }
    }
}
