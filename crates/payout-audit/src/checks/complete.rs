//! Nothing was paid beside what is known.

use std::collections::BTreeMap;

use super::{About, Chain, Check, End, Evidence, KeyList, Sink};
use crate::books::{KeyState, World, returned};
use crate::model::{Subject, Tx};
use crate::verdict::Outcome;

const ABOUT: About = About {
    id: "COMPLETE",
    code: 22,
    asks: "Is that all that was ever paid?",
    proves: "The numbers of the payouts are 1 to the contract's payout_count without a gap, and their sums add \
             up to its total_paid: by the events, by the records of a list of keys, or by both. So nothing \
             was paid beside them, whatever nodes have forgotten.",
    not: "Anything of a time under another code: whoever may upgrade may change the count. See CODE. It \
          holds as far as the nodes that were asked tell the contract's state truly.",
};

/// Ids that are named one by one.
const NAMED: usize = 50;

/// See [`ABOUT`].
#[derive(Default)]
pub(super) struct Complete {
    /// The lowest and the highest number that a transaction told, with its ledger.
    numbers: Option<(u64, u64)>,
}

impl Check for Complete {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn transaction(&mut self, _: &Subject, _: &World, tx: &Tx, _: &mut Sink) {
        if tx.settlements.len() != 1 {
            return;
        }
        if let Some(program) = returned(tx) {
            let number = program.payout_count;
            let (low, high) = self.numbers.unwrap_or((number, number));
            self.numbers = Some((low.min(number), high.max(number)));
        }
    }

    fn end(&mut self, end: &End<'_>, out: &mut Sink) -> (Outcome, String) {
        let listed = match (end.chain, end.list) {
            (Some(chain), Some(list)) => Some(records(chain, list, out)),
            _ => None,
        };
        let followed = end.coverage.map(|_| match end.chain {
            Some(chain) => events(end, chain, out, listed.as_ref().is_some_and(Result::is_ok)),
            None => alone(end, self.numbers),
        });
        match (listed, followed) {
            (Some(Ok(by_list)), Some(Ok(by_events))) => {
                (Outcome::Proven, format!("{by_list}; {by_events}"))
            }
            (Some(Ok(text)), _) | (_, Some(Ok(text))) => (Outcome::Proven, text),
            (Some(Err(text)), _) | (None, Some(Err(text))) => {
                out.undetermined(text.clone(), Evidence::default());
                (Outcome::Undetermined, text)
            }
            (None, None) => {
                let text = "neither events nor a list of keys were given".to_owned();
                out.undetermined(text.clone(), Evidence::default());
                (Outcome::Undetermined, text)
            }
        }
    }
}

/// By the records of a list. `Err` where that is not proven; what is refuted is in `out`.
fn records(chain: &Chain, list: &KeyList, out: &mut Sink) -> Result<String, String> {
    let count = chain.program.payout_count;
    let mut found: BTreeMap<u64, u32> = BTreeMap::new();
    let mut total = 0_i128;
    for record in list
        .keys
        .keys()
        .filter_map(|digest| chain.records.get(digest))
    {
        // What was paid after the count was read is not part of it.
        if record.paid() && record.payout_id <= count {
            found.insert(record.payout_id, record.ledger);
            total = total.saturating_add(record.total);
        }
    }
    let mut next = 1;
    let mut missing = Vec::new();
    let mut before = None;
    for (number, ledger) in &found {
        if *number > next {
            missing.push((next, number - 1, before, Some(*ledger)));
        }
        next = number.saturating_add(1);
        before = Some(*ledger);
    }
    if next <= count {
        missing.push((next, count, before, None));
    }
    for (from, to, after, until) in missing.iter().take(NAMED) {
        let ids = if from == to {
            from.to_string()
        } else {
            format!("{from} to {to}")
        };
        let place = match (after, until) {
            (Some(after), Some(until)) => format!("between ledgers {after} and {until}"),
            (None, Some(until)) => format!("up to ledger {until}"),
            (Some(after), None) => format!("from ledger {after} on"),
            (None, None) => "in any ledger".to_owned(),
        };
        out.refuted(
            format!("no key of the list has payout number {ids}: look {place} for events BatchPay and Payout"),
            Evidence {
                ledger: after.or(*until),
                ..Evidence::default()
            },
        );
    }
    if !missing.is_empty() {
        return Err("the list lacks keys".to_owned());
    }
    if total != chain.program.total_paid {
        out.refuted(
            format!(
                "the records of the list add up to {total}, and the contract paid {}",
                chain.program.total_paid
            ),
            Evidence::default().entry("EscrowProgram"),
        );
        return Err("the list's sum differs".to_owned());
    }
    Ok(format!(
        "complete, from records: numbers 1 to {count} and {total} units have keys in the list"
    ))
}

/// By events, against the contract's count. Where `listed`, the list has proven it already and a range
/// that begins late takes nothing away.
fn events(end: &End<'_>, chain: &Chain, out: &mut Sink, listed: bool) -> Result<String, String> {
    let (Some(books), Some(coverage)) = (end.books_then, end.coverage) else {
        return Err(format!("the events do not reach ledger {}", chain.ledger));
    };
    let count = chain.program.payout_count;
    if books.payouts == count && books.paid == chain.program.total_paid {
        return Ok(format!(
            "complete, from events: all {count} payouts are in the range"
        ));
    }
    let beside = format!(
        "the events show {} payouts of {} units in ledgers {}, and the contract says {count} payouts of {} \
         units: the history differs",
        books.payouts,
        books.paid,
        coverage.text(),
        chain.program.total_paid
    );
    // Fewer are explained by what was not read; more, or a whole range, are not.
    let explained =
        !coverage.whole() && books.payouts <= count && books.paid <= chain.program.total_paid;
    if !explained {
        out.refuted(
            beside,
            Evidence::ledger(chain.ledger).entry("EscrowProgram"),
        );
        return Err("events and contract differ".to_owned());
    }
    if listed {
        return Ok(beside);
    }
    Err(format!(
        "not provable from these events: {beside}. Give the list of keys with --keys"
    ))
}

/// By events alone, as the transactions numbered them.
fn alone(end: &End<'_>, numbers: Option<(u64, u64)>) -> Result<String, String> {
    let count = end.world.books.payouts;
    let nothing_before = end
        .world
        .books
        .before
        .is_some_and(|before| before.nothing());
    match numbers {
        Some((1, last)) if last == count => {}
        None if count == 0 && nothing_before => {}
        _ => {
            return Err(format!(
                "{count} payouts are in the events, and their transactions do not number them 1 to {count}"
            ));
        }
    }
    let paid = end
        .world
        .keys
        .values()
        .filter(|facts| facts.state == KeyState::Paid);
    let mut found: Vec<u64> = paid.filter_map(|facts| facts.number).collect();
    found.sort_unstable();
    found.dedup();
    if u64::try_from(found.len()).ok() != Some(count) {
        return Err(format!(
            "of {count} payouts, {} tell their number",
            found.len()
        ));
    }
    Ok(format!(
        "complete, from events alone: the transactions number them 1 to {count}"
    ))
}
