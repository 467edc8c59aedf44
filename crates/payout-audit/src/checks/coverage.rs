//! Every ledger of the range was read.

use super::{About, Check, End, Evidence, Sink};
use crate::archive::{Gap, Page};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "COVERAGE",
    code: 33,
    asks: "Was every ledger of the range read?",
    proves: "Pages follow each other without a hole, none goes beyond what its node knew, and they reach the ledger that \
             was asked for, or that a node was at. Ranges that no node could give are named.",
    not: "That the node left no event out of a page. MONEY, COMPLETE, STATE and RECORDS find that for payouts; a \
          second node, with --recheck, finds it for all events.",
};

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Covered {
    next: Option<u32>,
}

impl Check for Covered {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn page(&mut self, page: &Page<'_>, out: &mut Sink) {
        if page.to > page.latest {
            out.refuted(
                format!(
                    "a page reaches ledger {}, and its node was at {}",
                    page.to, page.latest
                ),
                Evidence::ledger(page.to),
            );
        }
        self.follows(page.from, page.to, out);
    }

    fn gap(&mut self, gap: Gap, out: &mut Sink) {
        out.undetermined(
            format!("no node could give ledgers {} to {}", gap.from, gap.to),
            Evidence::ledger(gap.from),
        );
        self.follows(gap.from, gap.to, out);
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let Some(coverage) = end.coverage else {
            return (Outcome::NotAsked, "no events were asked for".to_owned());
        };
        let last = coverage.range.map_or(0, |(_, to)| to);
        if let Some(to) = end.asked_to.filter(|to| *to > last) {
            out.undetermined(
                format!("ledger {to} was asked for, and ledgers up to {last} were read"),
                Evidence::ledger(to),
            );
        }
        if end.chain.is_none() && end.asked_to.is_none() {
            out.undetermined(
                format!(
                    "no node was asked: verified up to ledger {last}, silent after it. Whether the archive was cut \
                     there, it cannot say itself"
                ),
                Evidence::ledger(last),
            );
        }
        (Outcome::Proven, format!("ledgers {}", coverage.text()))
    }
}

impl Covered {
    fn follows(&mut self, from: u32, to: u32, out: &mut Sink) {
        if let Some(next) = self.next
            && from != next
        {
            let text = if from > next {
                format!("ledgers {next} to {} are in no page", from - 1)
            } else {
                format!("ledgers {from} to {} are in two pages", next - 1)
            };
            out.refuted(text, Evidence::ledger(from.min(next)));
        }
        if from > to {
            out.refuted(
                format!("a page from {from} to {to}"),
                Evidence::ledger(from),
            );
        }
        self.next = to.checked_add(1);
    }
}
