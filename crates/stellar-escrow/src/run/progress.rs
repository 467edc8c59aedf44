//! How it goes, on stderr: a bar where somebody looks, lines where nobody does.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use payout_engine::journal::Intent;
use payout_engine::ports::{Host, System};
use payout_engine::protocol::{Answer, Jitter, Obligation, Phase};

use super::waiting::Waiting;
use crate::amount::xlm;

/// Shows what an offer is doing.
pub(crate) struct Watcher {
    system: System,
    bar: ProgressBar,
    said: Option<Phase>,
    /// Inner hashes of transactions whose fee was lost, as far as that was said.
    lost: BTreeSet<[u8; 32]>,
    waiting: Waiting,
}

impl Watcher {
    /// `restores` says whether restores are agreed to; a look is taken every `poll` milliseconds.
    pub(crate) fn new(restores: bool, poll: u64) -> Self {
        Self {
            system: System { restores },
            bar: ProgressBar::hidden(),
            said: None,
            lost: BTreeSet::new(),
            waiting: Waiting::new(poll),
        }
    }

    /// The bar that is shown from now on, for a run of `rows`.
    pub(crate) fn bar(&mut self, rows: u64) -> ProgressBar {
        if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template(
                "{bar:32} {pos}/{len} rows paid  {elapsed}  {wide_msg}",
            )
            .unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bar =
                ProgressBar::with_draw_target(Some(rows), ProgressDrawTarget::stderr_with_hz(10))
                    .with_style(style);
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        self.bar.clone()
    }

    /// Names transactions that were included and paid nobody. The verdict is the record's all the same.
    fn name_lost_fees(&mut self, obligation: &Obligation) {
        for envelope in obligation.envelopes() {
            let Some(spent) = envelope.spent.filter(|spent| !spent.succeeded) else {
                continue;
            };
            if self.lost.insert(envelope.signed.inner.0) {
                let (hash, ledger) = (envelope.signed.hash, spent.ledger);
                let fee = xlm(spent.fee_charged);
                self.bar.suspend(|| {
                    eprintln!(
                        "transaction {hash} of ledger {ledger} paid nobody, and its fee of {fee} is \
                         lost; going on under the same key"
                    );
                });
            }
        }
    }
}

impl Host for Watcher {
    async fn sleep(&mut self, milliseconds: u64) {
        self.system.sleep(milliseconds).await;
        if let Some(text) = self.waiting.slept(milliseconds) {
            // On a terminal it stands beside the bar.
            self.bar.set_message(text.clone());
            if self.bar.is_hidden() {
                eprintln!("{text}");
            }
        }
    }

    fn jitter(&mut self) -> Jitter {
        self.system.jitter()
    }

    fn consent(&mut self, entries: u32, resource_fee: i64) -> bool {
        self.system.consent(entries, resource_fee)
    }

    fn begin(&mut self, intent: &Intent) {
        self.waiting
            .begin(intent.slot.as_ref().map(|(_, slot)| *slot));
    }

    fn waits(&mut self, why: &str) {
        self.waiting.node(why);
    }

    fn watch(&mut self, obligation: &Obligation) {
        self.name_lost_fees(obligation);
        self.waiting.see(obligation);
        let phase = obligation.phase();
        if self.said == Some(phase) {
            return;
        }
        self.said = Some(phase);
        self.bar.set_message(phase.name());
        // What may have to be waited for is said to logs, too.
        if phase == Phase::OutcomeUnknown
            && self.bar.is_hidden()
            && let Answer::OutcomeUnknown { awaited } = obligation.answer()
        {
            eprintln!("outcome_unknown, looking again: {}", awaited.reason);
        }
    }
}
