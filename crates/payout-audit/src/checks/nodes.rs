//! The nodes that were asked agree.

use super::{About, Check, End, Evidence, Sink};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "NODES",
    code: 35,
    asks: "Do all nodes that were asked say the same?",
    proves: "Hash of the same ledger, the contract's entry and every record are the same at each node that was named. One \
             node alone is compared with nobody.",
    not: "That they are independent: who names them answers for that. Where they differ, one of them is wrong, and nothing \
          that rests on them is proven: undetermined.",
};

/// See [`ABOUT`].
pub(super) struct Nodes;

impl Check for Nodes {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let Some(chain) = end.chain else {
            return (Outcome::NotAsked, "no node was asked".to_owned());
        };
        for contradiction in &chain.contradictions {
            out.undetermined(contradiction.clone(), Evidence::ledger(chain.ledger));
        }
        if chain.nodes < 2 {
            return (
                Outcome::NotAsked,
                "one node was asked; name a second one".to_owned(),
            );
        }
        (Outcome::Proven, "they agree".to_owned())
    }
}
