//! The plan and its cost, before any money moves.

use payout_engine::run::RowState;

use super::prepare::Prepared;
use super::session::Session;
use crate::amount::{shown, xlm};
use crate::output::legible;

/// Rows of one kind that are named one by one at most.
const NAMED: usize = 20;

/// Tells on stderr where money moves from.
pub(crate) fn place(session: &Session) {
    let facts = &session.facts;
    let token = &facts.token;
    eprintln!("network   {:?} through {}", facts.passphrase, session.host);
    eprintln!("contract  {} (code {})", facts.contract, facts.code);
    eprintln!(
        "program   {}, {} left of token {}",
        session.place.program.as_str(),
        shown(facts.program.remaining_balance, token),
        token.name()
    );
}

/// Tells on stderr what will be paid and what not, and what it costs.
pub(crate) fn plan(session: &Session, prepared: &Prepared) {
    let token = &session.facts.token;
    let plan = &prepared.plan;
    place(session);
    eprintln!(
        "run       {}, {} slots paid as of ledger {}",
        session.place.run.as_str(),
        plan.slots.len(),
        plan.as_of
    );
    eprintln!(
        "rows      {} in the file: {} paid already, {} to pay, {} cannot be paid now, {} rejected",
        prepared.rows,
        paid(prepared),
        prepared.to_pay,
        prepared.unpayable.len(),
        prepared.rejected.len()
    );
    rejected(prepared);
    named(
        "cannot be paid now",
        prepared.unpayable.iter().map(|(id, why)| {
            format!(
                "row {} ({id}): {why}",
                prepared.row(id).map_or(0, |row| row.number)
            )
        }),
    );
    named(
        "was edited after it was paid",
        plan.differences.iter().map(|difference| {
            let (paid, file) = (&difference.paid, &difference.file);
            format!(
                "{}: {} to {} was paid, and the file says {} to {}",
                difference.id,
                shown(paid.1.units(), token),
                paid.0,
                shown(file.1.units(), token),
                file.0
            )
        }),
    );
    named(
        "was paid and is not in the file",
        plan.vanished.iter().map(|(reference, found)| {
            format!(
                "reference {reference}: {} to {} in slot {}",
                shown(found.line().amount.units(), token),
                found.line().recipient,
                found.slot()
            )
        }),
    );
    for obstacle in &prepared.later {
        eprintln!("note: {obstacle}");
    }
    if prepared.pays() {
        cost(session, prepared);
    }
}

fn cost(session: &Session, prepared: &Prepared) {
    let token = &session.facts.token;
    eprintln!(
        "to pay    {} to {} rows, in {} batches of at most {}",
        shown(prepared.sum, token),
        prepared.to_pay,
        prepared.batches,
        prepared.order.max_batch
    );
    for kind in &prepared.costs.kinds {
        let each = kind.each.unwrap_or(kind.alone);
        eprintln!(
            "          {} rows to {}: {} each",
            kind.rows,
            kind.kind.name(),
            xlm(each)
        );
        if kind.restores > 0 {
            eprintln!(
                "          of these, {} archived entries would be restored at the payer's cost \
                 (--restore)",
                kind.restores
            );
        }
    }
    match prepared.costs.estimate(prepared.batches) {
        Some(stroops) => eprintln!(
            "fees      about {}, paid by {}; a part of it comes back",
            xlm(stroops),
            session.lane
        ),
        None => eprintln!("fees      cannot be estimated; paid by {}", session.lane),
    }
}

fn rejected(prepared: &Prepared) {
    named(
        "is rejected",
        prepared.rejected.iter().map(|row| {
            let id = payout_engine::rows::guarded(&row.id);
            format!("row {} ({id}): {}", row.number, row.why)
        }),
    );
}

fn named(what: &str, lines: impl Iterator<Item = String>) {
    let mut more = 0_usize;
    for (number, line) in lines.enumerate() {
        if number < NAMED {
            eprintln!("  {what}: {}", legible(&line));
        } else {
            more += 1;
        }
    }
    if more > 0 {
        eprintln!("  and {more} more; --output csv lists all");
    }
}

/// Rows that are paid already.
fn paid(prepared: &Prepared) -> usize {
    let paid = |state: &RowState| matches!(state, RowState::Paid(_) | RowState::Before { .. });
    let rows = prepared.plan.rows.iter();
    rows.filter(|row| paid(&row.state)).count()
}
