//! What an audit ends in, and the exit codes.

use std::fmt;

/// The verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Everything that was asked is proven, and what was paid is known to be all.
    Clean,
    /// Something is not proven, and nothing is refuted.
    Undetermined,
    /// Something is refuted.
    Refuted,
}

impl Verdict {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Undetermined => "undetermined",
            Self::Refuted => "refuted",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// What a check ends in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Looked at, and as it should be.
    Proven,
    /// Cannot be told from what is at hand.
    Undetermined,
    /// Not as it should be.
    Refuted,
    /// There was nothing to ask.
    NotAsked,
}

impl Outcome {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Undetermined => "undetermined",
            Self::Refuted => "refuted",
            Self::NotAsked => "not asked",
        }
    }
}

/// The exit code of a verdict of [`Verdict::Undetermined`]: not provable.
pub const UNDETERMINED: u8 = 10;
