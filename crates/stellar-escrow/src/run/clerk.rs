//! Answers for the rows while a run is paid.

use std::collections::BTreeMap;

use indicatif::ProgressBar;
use payout_engine::escrow::{Facts, Wanted};
use payout_engine::nodes::Nodes;
use payout_engine::payer::{self, RunOrder, RunReport};
use payout_engine::ports::Unanswered;
use payout_engine::preflight::{Ask, Consents, Fault, Options, Probe, diagnose};
use payout_engine::protocol::Refusal;
use payout_engine::run::Offer;
use payout_engine::{Payout, Record};
use payout_keys::{IdempotencyKey, Recipient, Reference};

use super::prepare::Prepared;
use super::session::{Session, behind};

/// Finds rows that are why a batch was refused, and counts those that are paid.
pub(crate) struct Clerk<'a> {
    nodes: &'a Nodes,
    passphrase: &'a str,
    caller: Recipient,
    lane: Recipient,
    /// A key that nobody uses.
    probe: &'a IdempotencyKey,
    consents: &'a BTreeMap<Reference, Consents>,
    bar: ProgressBar,
}

impl<'a> Clerk<'a> {
    /// One that says nothing.
    pub(crate) fn new(
        nodes: &'a Nodes,
        facts: &'a Facts,
        (caller, lane): (Recipient, Recipient),
        probe: &'a IdempotencyKey,
        consents: &'a BTreeMap<Reference, Consents>,
    ) -> Self {
        Self {
            nodes,
            passphrase: &facts.passphrase,
            caller,
            lane,
            probe,
            consents,
            bar: ProgressBar::hidden(),
        }
    }

    async fn diagnose(
        &self,
        refusal: &Refusal,
        payout: &Payout,
    ) -> Result<BTreeMap<usize, String>, Unanswered> {
        let asks: Vec<Ask> = payout
            .lines()
            .iter()
            .map(|line| Ask {
                consents: line
                    .reference
                    .and_then(|reference| self.consents.get(&reference).copied())
                    .unwrap_or_default(),
                line: line.clone(),
            })
            .collect();
        let wanted = Wanted {
            passphrase: self.passphrase,
            contract: self.nodes.contract(),
            delegate: Some(self.caller),
        };
        let options = Options {
            caller: self.caller,
            source: None,
            other_issuers: &[],
        };
        let probe = Probe {
            source: self.lane,
            caller: self.caller,
            key: self.probe,
        };
        let found = diagnose(self.nodes.client(), &wanted, &asks, &options, &probe)
            .await
            .map_err(|error| Unanswered(error.to_string()))?;
        let at = found.facts.at.ledger;
        if at < refusal.ledger {
            return Err(Unanswered(behind(at, refusal.ledger).to_string()));
        }
        let rows = match found.fault {
            Fault::Rows(rows) => rows,
            Fault::None => return Ok(BTreeMap::new()),
            Fault::Escrow(obstacles) => {
                for obstacle in obstacles {
                    self.bar
                        .suspend(|| eprintln!("no row is at fault: {obstacle}"));
                }
                return Ok(BTreeMap::new());
            }
        };
        let why = |(at, reason): (usize, payout_engine::preflight::Reason)| {
            let recipient = payout.lines().get(at)?.recipient;
            let detail = reason.detail(recipient, &found.facts.token);
            Some((at, format!("{}: {detail}", reason.name())))
        };
        Ok(rows.into_iter().filter_map(why).collect())
    }
}

impl payer::Clerk for Clerk<'_> {
    async fn at_fault(
        &mut self,
        refusal: &Refusal,
        payout: &Payout,
    ) -> Result<BTreeMap<usize, String>, Unanswered> {
        let faults = self.diagnose(refusal, payout).await?;
        for why in faults.values() {
            self.bar.suspend(|| eprintln!("left out: {why}"));
        }
        Ok(faults)
    }

    fn found(&mut self, slot: u32, payout: Option<&Payout>) {
        let what = payout.map_or_else(
            || "the end of the run".to_owned(),
            |payout| format!("a batch of {} rows", payout.lines().len()),
        );
        self.bar.suspend(|| {
            eprintln!(
                "slot {slot}: {what} was signed before and is not decided; finding out what became of it"
            );
        });
    }

    fn planned(&mut self, paid: usize) {
        self.bar
            .set_position(u64::try_from(paid).unwrap_or(u64::MAX));
    }

    fn paid(&mut self, offer: &Offer, record: &Record) {
        if self.bar.is_hidden() {
            eprintln!(
                "slot {}: {} rows paid in ledger {} (payout {})",
                offer.slot,
                offer.ids.len(),
                record.ledger,
                record.payout_id
            );
        }
    }
}

/// Pays, or with `close` ends the run.
pub(crate) async fn drive(
    session: &mut Session,
    prepared: &mut Prepared,
    close: bool,
) -> RunReport {
    let rows = u64::try_from(prepared.order.rows.len()).unwrap_or(u64::MAX);
    let bar = session.driver.host.bar(rows);
    let parties = (session.caller, session.lane);
    let (nodes, facts) = (&session.reader, &session.facts);
    let mut clerk = Clerk {
        bar: bar.clone(),
        ..Clerk::new(nodes, facts, parties, &prepared.probe, &prepared.consents)
    };
    let order = RunOrder {
        rows: std::mem::take(&mut prepared.order.rows),
        ..prepared.order.clone()
    };
    let mut report = if close {
        payer::close(&mut session.driver, &mut clerk, order).await
    } else {
        payer::pay(&mut session.driver, &mut clerk, order).await
    };
    bar.finish_and_clear();
    prepared.order.rows = std::mem::take(&mut report.rows);
    report
}
