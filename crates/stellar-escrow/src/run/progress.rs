//! How it goes, on stderr: a bar where somebody looks, lines where nobody does.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use payout_engine::ports::{Host, System};
use payout_engine::protocol::{Answer, Jitter, Obligation, Phase};

/// Shows what an offer is doing.
pub(crate) struct Watcher {
    system: System,
    bar: ProgressBar,
    said: Option<Phase>,
}

impl Watcher {
    /// `restores` says whether restores are agreed to.
    pub(crate) fn new(restores: bool) -> Self {
        Self {
            system: System { restores },
            bar: ProgressBar::hidden(),
            said: None,
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
}

impl Host for Watcher {
    async fn sleep(&mut self, milliseconds: u64) {
        self.system.sleep(milliseconds).await;
    }

    fn jitter(&mut self) -> Jitter {
        self.system.jitter()
    }

    fn consent(&mut self, entries: u32, resource_fee: i64) -> bool {
        self.system.consent(entries, resource_fee)
    }

    fn watch(&mut self, obligation: &Obligation) {
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
