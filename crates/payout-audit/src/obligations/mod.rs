//! What somebody owes, against what the contract paid.

mod file;
mod matcher;

pub use file::{Obligation, Obligations, ObligationsError, Reading};
pub use matcher::Matcher;

use crate::checks::About;

/// The checks of obligations.
pub const ABOUTS: [&About; 4] = [&TWICE, &DIFFERENT, &EXTRA, &MISSING];

/// One obligation under two keys.
pub const TWICE: About = About {
    id: "OWED-TWICE",
    code: 50,
    asks: "Was an obligation paid under two keys?",
    proves: "No id of the file was paid under more than one of its keys, and none twice under one.",
    not: "That two ids are not one obligation. That an id was not paid under a key that neither the file nor the \
          events have: that is COMPLETE.",
};

/// An obligation paid otherwise.
pub const DIFFERENT: About = About {
    id: "OWED-DIFFERENT",
    code: 51,
    asks: "Was each obligation paid to its recipient in its amount?",
    proves: "Recipient and amount of each paid row are those of the token's events, or reproduce the record's fingerprint; \
             with --run also its reference, which is the id's own.",
    not: "That the file says what was agreed to.",
};

/// Paid and not owed.
pub const EXTRA: About = About {
    id: "OWED-EXTRA",
    code: 52,
    asks: "Was anything paid that the file does not have?",
    proves: "Each payout that was read, and each recipient in it, has a row.",
    not: "Anything of payouts that were not read: that is COMPLETE.",
};

/// Owed and not paid.
pub const MISSING: About = About {
    id: "OWED-MISSING",
    code: 53,
    asks: "Was each obligation paid?",
    proves: "Each id has a payout.",
    not: "That a missing one will not be paid yet: an envelope may be under way. Only a void that landed says so.",
};
