//! The states of an order and the ways between them: one table for code, documents and clients.

use std::fmt;

use serde::Serialize;

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Stored, and nothing signed that this database knows of.
    Created,
    /// A signed envelope is stored and may be on its way.
    Submitted,
    /// It may be paid or become paid; what is awaited is said beside it.
    OutcomeUnknown,
    /// The contract's record shows it paid. The record, not an answer.
    Confirmed,
    /// Not paid. Final only where proven; else it can be tried again under the same key.
    Rejected,
    /// The key is void on chain: it never pays.
    Cancelled,
    /// Paid, and given back since. The payment itself stays paid.
    Refunded,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Created,
        Self::Submitted,
        Self::OutcomeUnknown,
        Self::Confirmed,
        Self::Rejected,
        Self::Cancelled,
        Self::Refunded,
    ];

    /// Its name in JSON, database and documents.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Submitted => "submitted",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Confirmed => "confirmed",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Refunded => "refunded",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// What it means, in one sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Created => "stored; nothing is signed that this database knows of",
            Self::Submitted => "a signed transaction is stored and may be on its way",
            Self::OutcomeUnknown => {
                "it may be paid or become paid; `explanation` says what is awaited"
            }
            Self::Confirmed => "paid: the contract's record says so",
            Self::Rejected => "not paid; `final` says whether that is proven for ever",
            Self::Cancelled => "the key is void on chain and never pays",
            Self::Refunded => "paid, and given back since; the payment stays paid",
        }
    }

    /// What the caller does next.
    #[must_use]
    pub fn next(self) -> &'static str {
        match self {
            Self::Created | Self::Submitted => "wait, and ask again",
            Self::OutcomeUnknown => "wait; never pay the same thing under another key",
            Self::Confirmed | Self::Refunded => "done",
            Self::Rejected => {
                "put `reason` right, then retry under the same key, or void; if final, as `next` in \
                 the answer says"
            }
            Self::Cancelled => "a new order under a new key may pay it",
        }
    }

    /// Whether an order may go from here to `to`.
    #[must_use]
    pub fn may_become(self, to: Self) -> bool {
        TRANSITIONS
            .iter()
            .any(|way| way.from == self && way.to == to)
    }
}

impl fmt::Display for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A way from one state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// From here.
    pub from: State,
    /// To there.
    pub to: State,
    /// When.
    pub when: &'static str,
}

const fn way(from: State, to: State, when: &'static str) -> Transition {
    Transition { from, to, when }
}

/// All ways there are. They only lead forward, except that a rejected order can be tried again
/// under the same key.
pub const TRANSITIONS: &[Transition] = &[
    way(
        State::Created,
        State::Submitted,
        "an envelope is signed and stored, before it is sent",
    ),
    way(
        State::Created,
        State::Rejected,
        "the simulation was refused and nothing is signed; or the key has another record",
    ),
    way(State::Created, State::Cancelled, "the void landed"),
    way(
        State::Submitted,
        State::Confirmed,
        "the contract's record has our arguments",
    ),
    way(
        State::Submitted,
        State::OutcomeUnknown,
        "an answer is missing or proves nothing, or a void was asked for",
    ),
    way(
        State::Submitted,
        State::Rejected,
        "all that was signed has run out, and the record is absent",
    ),
    way(
        State::OutcomeUnknown,
        State::Confirmed,
        "the contract's record has our arguments",
    ),
    way(
        State::OutcomeUnknown,
        State::Rejected,
        "all that was signed has run out, and the record is absent",
    ),
    way(State::OutcomeUnknown, State::Cancelled, "the void landed"),
    way(
        State::Rejected,
        State::Submitted,
        "an explicit retry, under the same key",
    ),
    way(
        State::Confirmed,
        State::Refunded,
        "a transfer back and its lock in the contract, both shown",
    ),
];

/// The shortest way from one state to another, without the first: a verdict may come faster than
/// the states before it, and each step is recorded.
pub(crate) fn path(from: State, to: State) -> Option<Vec<State>> {
    let mut reached = vec![vec![from]];
    let mut seen = vec![from];
    while !reached.is_empty() {
        let mut next = Vec::new();
        for steps in reached {
            let last = *steps.last()?;
            if last == to {
                return Some(steps.into_iter().skip(1).collect());
            }
            for way in TRANSITIONS.iter().filter(|way| way.from == last) {
                if !seen.contains(&way.to) {
                    seen.push(way.to);
                    let mut longer = steps.clone();
                    longer.push(way.to);
                    next.push(longer);
                }
            }
        }
        reached = next;
    }
    None
}

/// The states as a table for documents.
#[must_use]
pub fn state_table() -> String {
    let rows: Vec<String> = State::ALL
        .iter()
        .map(|state| format!("| `{state}` | {} | {} |\n", state.meaning(), state.next()))
        .collect();
    format!(
        "| State | Meaning | The caller |\n| --- | --- | --- |\n{}",
        rows.concat()
    )
}

/// The ways between states as a table for documents.
#[must_use]
pub fn transition_table() -> String {
    let rows: Vec<String> = TRANSITIONS
        .iter()
        .map(|way| format!("| `{}` | `{}` | {} |\n", way.from, way.to, way.when))
        .collect();
    format!(
        "| From | To | When |\n| --- | --- | --- |\n{}",
        rows.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_agreed_one() {
        let ways: Vec<(&str, Vec<&str>)> = State::ALL
            .iter()
            .map(|from| {
                let to = State::ALL.iter().filter(|to| from.may_become(**to));
                (from.name(), to.map(|to| to.name()).collect())
            })
            .collect();
        assert_eq!(
            ways,
            [
                ("created", vec!["submitted", "rejected", "cancelled"]),
                (
                    "submitted",
                    vec!["outcome_unknown", "confirmed", "rejected"]
                ),
                (
                    "outcome_unknown",
                    vec!["confirmed", "rejected", "cancelled"]
                ),
                ("confirmed", vec!["refunded"]),
                ("rejected", vec!["submitted"]),
                ("cancelled", vec![]),
                ("refunded", vec![]),
            ]
        );
    }

    #[test]
    fn a_verdict_goes_through_the_states_before_it() {
        use State::{Cancelled, Confirmed, Created, OutcomeUnknown, Refunded, Submitted};
        assert_eq!(path(Created, Confirmed), Some(vec![Submitted, Confirmed]));
        assert_eq!(
            path(Submitted, Cancelled),
            Some(vec![OutcomeUnknown, Cancelled])
        );
        assert_eq!(path(Cancelled, Confirmed), None);
        assert_eq!(path(Refunded, Confirmed), None);
        assert_eq!(path(Confirmed, Confirmed), Some(vec![]));
    }

    #[test]
    fn names_are_read_back() {
        for state in State::ALL {
            assert_eq!(State::from_name(state.name()), Some(state));
        }
        assert_eq!(State::from_name("paid"), None);
    }
}
