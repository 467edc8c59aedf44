//! The one source of randomness.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws everything that a schedule leaves open.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number from 0 to `n - 1`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0.gen_range(0..n.max(1))
    }

    /// True so often in a thousand times.
    pub(super) fn per_mille(&mut self, often: u32) -> bool {
        often > 0 && self.0.gen_range(0..1_000) < often
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0.r#gen()
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
