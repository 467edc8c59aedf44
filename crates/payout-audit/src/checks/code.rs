//! The code that made the promises.

use super::{About, Check, End, Evidence, Sink};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "CODE",
    code: 34,
    asks: "Is it the code that was agreed to, all the time?",
    proves: "The contract runs a code that was named with --code-hash, and every upgrade in the range led to such a one; \
             the code now is that of the last upgrade.",
    not: "What the code does. Without --code-hash only that it was not upgraded in the range, or where to; an upgrade is \
          then undetermined, because whoever may upgrade may change every promise.",
};

/// See [`ABOUT`].
pub(super) struct Code;

impl Check for Code {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let shown = |code: Option<[u8; 32]>| code.map_or_else(|| "no Wasm".to_owned(), hex::encode);
        let upgraded = end.world.code;
        let allowed = |code: Option<[u8; 32]>| code.is_some_and(|code| end.codes.contains(&code));
        if let Some(to) = upgraded {
            if end.codes.is_empty() {
                out.undetermined(
                    format!(
                        "the code was upgraded in the range, at last to {}; name the codes that you trust with \
                         --code-hash",
                        shown(to)
                    ),
                    Evidence::default(),
                );
            } else if !allowed(to) {
                out.refuted(
                    format!("the code was upgraded to {}", shown(to)),
                    Evidence::default(),
                );
            }
        }
        let Some(chain) = end.chain else {
            return match upgraded {
                Some(_) => (Outcome::Proven, "as the last upgrade left it".to_owned()),
                None => (Outcome::NotAsked, "no node was asked".to_owned()),
            };
        };
        if !end.codes.is_empty() && !allowed(chain.code) {
            out.refuted(
                format!(
                    "the contract runs {}, which was not named",
                    shown(chain.code)
                ),
                Evidence::ledger(chain.ledger).entry("ContractInstance"),
            );
        }
        if let Some(to) = upgraded
            && end.asked_to.is_none()
            && to != chain.code
        {
            out.refuted(
                format!(
                    "the last upgrade led to {}, and the contract runs {}",
                    shown(to),
                    shown(chain.code)
                ),
                Evidence::ledger(chain.ledger).entry("ContractInstance"),
            );
        }
        (Outcome::Proven, shown(chain.code))
    }
}
