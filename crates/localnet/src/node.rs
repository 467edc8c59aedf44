//! One node: the ledger, its queue, its clock and its faults. Everything that happens to the network
//! goes through here, one thing at a time.

use std::path::PathBuf;

use sha2::{Digest, Sha256};
use soroban_env_host::ledger_info::get_key_durability;
use soroban_env_host::xdr::{
    DiagnosticEvent, LedgerEntry, LedgerEntryData, TransactionEnvelope, TransactionResult,
    TransactionResultExt, TransactionResultResult,
};

use crate::clock::Clock;
use crate::config::CloseMode;
use crate::faults::{Fault, Faults};
use crate::ledger::Ledger;
use crate::ledger::state::{PAST_LEDGERS, Ttl};
use crate::limits::{BASE_FEE, TARGET_CLOSE_SECONDS};
use crate::meta::diagnostics::Complaint;
use crate::state_file::{self, StateError};
use crate::tx::envelope::Frame;
use crate::tx::queue::{Options, Queue, Submission};
use crate::tx::validate::Rules;

/// A node and the network behind it.
pub(crate) struct Node {
    pub(crate) ledger: Ledger,
    pub(crate) queue: Queue,
    pub(crate) clock: Clock,
    pub(crate) faults: Faults,
    pub(crate) close_mode: CloseMode,
    pub(crate) friendbot_url: String,
    pub(crate) state_path: Option<PathBuf>,
    seed: u64,
    simulations: u64,
    /// Automatic closes that are still to be left out.
    stalled: u32,
    /// Ledgers for which the fee is still high.
    spiked: u32,
    /// The ledger at which this node started: of what was before it has the history alone.
    started_at: u32,
    /// A ledger is being closed.
    closing: bool,
}

/// A jump behind the last ledger there can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{ledgers} more ledgers lead past ledger {LAST_LEDGER}, the last this network makes; jump less far, or start a new network"
)]
pub struct TooFar {
    ledgers: u64,
}

/// The last ledger: entries made there can still live as long as entries may, and all of their
/// numbers fit into 31 bits, as those of accounts (`ledger << 32`) and of the network's cursors must.
const LAST_LEDGER: u32 = 2_140_000_000;

/// Why an entry cannot be written past the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PutError {
    /// Contract data and code live until some ledger.
    #[error("contract data and code need the last ledger of their life (live_until)")]
    NoLifetime,
    /// Classic entries live until they are removed.
    #[error("only contract data and code have a last ledger of life (live_until)")]
    Lifetime,
    /// The code is no contract.
    #[error("the contract's code cannot be parsed: {0}")]
    Code(String),
}

/// What a read sees of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) latest: u32,
    pub(crate) oldest: u32,
}

/// The answer to `sendTransaction`, as far as it gets there.
pub(crate) enum Delivery {
    Answer(Answer),
    /// HTTP 504.
    GatewayTimeout,
    /// The connection breaks.
    Dropped,
}

/// The answer itself.
pub(crate) struct Answer {
    pub(crate) hash: [u8; 32],
    pub(crate) status: Status,
    /// Sent with [`Status::Error`] alone.
    pub(crate) error: Option<TransactionResult>,
    pub(crate) diagnostics: Vec<DiagnosticEvent>,
    /// The latest ledger when the transaction was judged.
    pub(crate) latest: u32,
    /// When it closed, Unix seconds.
    pub(crate) latest_close_time: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Pending,
    Duplicate,
    TryAgainLater,
    Error,
}

impl Node {
    pub(crate) fn new(
        ledger: Ledger,
        clock: Clock,
        close_mode: CloseMode,
        faults: Faults,
        seed: u64,
    ) -> Self {
        Self {
            started_at: ledger.latest(),
            closing: false,
            ledger,
            queue: Queue::default(),
            clock,
            faults,
            close_mode,
            friendbot_url: String::new(),
            state_path: None,
            seed,
            simulations: 0,
            stalled: 0,
            spiked: 0,
        }
    }

    /// What the next read sees; faults may make it lag or forget.
    pub(crate) fn view(&mut self) -> View {
        let chain = &self.ledger.chain;
        let (mut latest, mut oldest) = (chain.latest(), chain.oldest());
        let magnitudes = self.faults.plan.magnitudes;
        if self.faults.strikes(Fault::LaggingRead) {
            let most = u32::try_from(PAST_LEDGERS).unwrap_or(u32::MAX);
            let lag = magnitudes.lag_ledgers.min(most);
            latest = latest.saturating_sub(lag).max(oldest).max(self.started_at);
        }
        if self.faults.strikes(Fault::Forgot) {
            let kept = magnitudes.kept_ledgers.max(1);
            oldest = oldest.max(latest.saturating_add(1).saturating_sub(kept));
        }
        View { latest, oldest }
    }

    /// When a ledger closed, Unix seconds.
    pub(crate) fn close_time(&self, seq: u32) -> u64 {
        self.ledger.chain.close_time(seq).unwrap_or(0)
    }

    /// What is left of `sendTransaction` once the envelope has been decoded.
    pub(crate) fn send(
        &mut self,
        envelope: TransactionEnvelope,
    ) -> Result<Delivery, stellar_xdr::Error> {
        let frame = Frame::new(envelope, self.ledger.network.id())?;
        if self.faults.strikes(Fault::DropBefore) {
            return Ok(Delivery::Dropped);
        }
        if self.faults.strikes(Fault::TryAgainLater) {
            return Ok(Delivery::Answer(
                self.answer(frame.hash(), Status::TryAgainLater),
            ));
        }
        let (hash, source, contract) = (frame.hash(), frame.source(), frame.is_soroban());
        let mut answer = self.submit(frame);
        if answer.status == Status::Pending {
            let options = self.struck_options(contract);
            self.queue.set_options(&source, options);
            if self.close_mode == CloseMode::AtOnce {
                self.close_by_itself();
            }
            if self.faults.strikes(Fault::DropAfter) {
                return Ok(Delivery::Dropped);
            }
            if self.faults.strikes(Fault::GatewayTimeout) {
                return Ok(Delivery::GatewayTimeout);
            }
            if self.faults.strikes(Fault::TryAgainLaterAccepted) {
                answer.status = Status::TryAgainLater;
            } else if self.faults.strikes(Fault::BadSeqAccepted) {
                answer = Answer {
                    error: Some(TransactionResult {
                        fee_charged: 0,
                        result: TransactionResultResult::TxBadSeq,
                        ext: TransactionResultExt::V0,
                    }),
                    ..self.answer(hash, Status::Error)
                };
            }
        }
        Ok(Delivery::Answer(answer))
    }

    fn answer(&self, hash: [u8; 32], status: Status) -> Answer {
        Answer {
            hash,
            status,
            error: None,
            diagnostics: Vec::new(),
            latest: self.ledger.latest(),
            latest_close_time: self.ledger.chain.latest_time(),
        }
    }

    /// What faults ask for a transaction that was just accepted.
    fn struck_options(&mut self, contract: bool) -> Options {
        let not_before = if self.faults.strikes(Fault::LateInclusion) {
            let next = self.ledger.latest().saturating_add(1);
            next.saturating_add(self.faults.plan.magnitudes.late_ledgers)
        } else {
            0
        };
        Options {
            not_before,
            no_refundable_fee: contract && self.faults.strikes(Fault::InsufficientRefundableFee),
        }
    }

    /// Puts a transaction into the queue.
    pub(crate) fn submit(&mut self, frame: Frame) -> Answer {
        let mut answer = self.answer(frame.hash(), Status::Pending);
        let last_close = self.ledger.chain.latest_time();
        let drift = self.clock.now().saturating_sub(last_close);
        let rules = Rules {
            not_after: last_close
                .saturating_add(2 * TARGET_CLOSE_SECONDS)
                .saturating_add(drift),
            ..rules(&self.ledger, last_close)
        };
        match self.queue.submit(&rules, frame) {
            Submission::Pending => {}
            Submission::Duplicate => answer.status = Status::Duplicate,
            Submission::TryAgainLater => answer.status = Status::TryAgainLater,
            Submission::Error(invalid) => {
                answer.status = Status::Error;
                answer.diagnostics = invalid.complaint.iter().map(Complaint::event).collect();
                answer.error = Some(invalid.result);
            }
        }
        answer
    }

    /// Closes a ledger, unless the network stalls: what happens by itself, not on demand.
    pub(crate) fn close_by_itself(&mut self) {
        if self.stalled == 0 && self.faults.strikes(Fault::Stall) {
            self.stalled = self.faults.plan.magnitudes.stall_ledgers;
        }
        if self.stalled > 0 {
            self.stalled -= 1;
            return;
        }
        self.close();
    }

    /// Closes one ledger.
    pub(crate) fn close(&mut self) {
        let close_time = self.clock.next_close(self.ledger.chain.latest_time());
        self.close_at(close_time);
    }

    fn close_at(&mut self, close_time: u64) {
        self.closing = true;
        let floor = self.base_fee();
        let rules = rules(&self.ledger, close_time);
        let chosen = self.queue.choose(&rules, floor);
        let seq = rules.seq;
        let closed = self.ledger.close(chosen, close_time);
        self.queue.ledger_closed(&closed, seq);
        self.closing = false;
    }

    /// What one operation costs in the next ledger, in stroops.
    fn base_fee(&mut self) -> i64 {
        if self.spiked == 0 && self.queue.len() > 0 && self.faults.strikes(Fault::FeeSpike) {
            self.spiked = self.faults.plan.magnitudes.spike_ledgers;
        }
        if self.spiked == 0 {
            return i64::from(BASE_FEE);
        }
        self.spiked -= 1;
        i64::from(self.faults.plan.magnitudes.spike_fee.max(BASE_FEE))
    }

    /// Closes `count` ledgers by the clock.
    pub(crate) fn close_many(&mut self, count: u32) -> Result<(), TooFar> {
        self.check_jump(u64::from(count))?;
        let mut left = count;
        while left > 0 && !self.queue.is_settled() {
            self.close();
            left -= 1;
        }
        match self.clock {
            Clock::Wall { .. } if left > 0 => {
                self.close();
                self.ledger.chain.append_many(left - 1, 0);
            }
            Clock::Wall { .. } => {}
            Clock::Manual { .. } => {
                self.ledger.chain.append_many(left, TARGET_CLOSE_SECONDS);
                self.clock.advance(u64::from(left) * TARGET_CLOSE_SECONDS);
            }
        }
        self.jumped(left);
        Ok(())
    }

    /// Lets `seconds` go by, with a ledger every five.
    pub(crate) fn advance(&mut self, seconds: u64) -> Result<(), TooFar> {
        let start = self.clock.now().max(self.ledger.chain.latest_time());
        let ledgers = (seconds / TARGET_CLOSE_SECONDS).max(1);
        let mut left = self.check_jump(ledgers)?;
        let mut time = start;
        while left > 0 && !self.queue.is_settled() {
            time = time.saturating_add(TARGET_CLOSE_SECONDS);
            self.close_at(time);
            left -= 1;
        }
        if left > 0 {
            time = time.saturating_add(TARGET_CLOSE_SECONDS);
            self.close_at(time);
            self.ledger
                .chain
                .append_many(left - 1, TARGET_CLOSE_SECONDS);
        }
        self.clock.advance(seconds);
        self.jumped(left);
        Ok(())
    }

    /// What a jump over `ledgers` empty ledgers leaves to be done.
    fn jumped(&mut self, ledgers: u32) {
        self.spiked = self.spiked.saturating_sub(ledgers);
        self.ledger
            .history
            .forget_before(self.ledger.chain.oldest());
    }

    fn check_jump(&self, ledgers: u64) -> Result<u32, TooFar> {
        let room = LAST_LEDGER.saturating_sub(self.ledger.latest());
        u32::try_from(ledgers)
            .ok()
            .filter(|ledgers| *ledgers <= room)
            .ok_or(TooFar { ledgers })
    }

    /// Writes entries past all rules, as part of the latest ledger: all of them or none.
    pub(crate) fn put_entries(
        &mut self,
        entries: Vec<(LedgerEntry, Option<u32>)>,
    ) -> Result<(), PutError> {
        for (entry, live_until) in entries {
            if let Err(error) = self.put_entry(entry, live_until) {
                self.ledger.state.rollback_all();
                return Err(error);
            }
        }
        self.ledger.state.commit(self.ledger.latest());
        Ok(())
    }

    fn put_entry(&mut self, entry: LedgerEntry, live_until: Option<u32>) -> Result<(), PutError> {
        let has_life = get_key_durability(&entry.to_key()).is_some();
        if has_life != live_until.is_some() {
            return Err(if has_life {
                PutError::NoLifetime
            } else {
                PutError::Lifetime
            });
        }
        let latest = self.ledger.latest();
        let ttl = live_until.map(|live_until| Ttl {
            live_until,
            last_modified: latest,
        });
        if let LedgerEntryData::ContractCode(code) = &entry.data {
            self.ledger
                .engine
                .remember(code.code.as_slice())
                .map_err(|error| PutError::Code(format!("{error:?}")))?;
        }
        self.ledger.state.put_entry(entry, ttl);
        Ok(())
    }

    /// Saves the state to the file named at the start, and returns its name.
    pub(crate) fn save(&self) -> Result<PathBuf, StateError> {
        let path = self.state_path.clone().ok_or(StateError::None)?;
        state_file::save(&path, &self.ledger, self.clock)?;
        Ok(path)
    }

    /// A seed that no simulation had before.
    pub(crate) fn simulation_seed(&mut self) -> [u8; 32] {
        self.simulations += 1;
        let latest = self.ledger.latest();
        let mut hasher = Sha256::new();
        hasher.update(self.seed.to_be_bytes());
        hasher.update(self.ledger.chain.hash(latest).unwrap_or_default());
        hasher.update(self.simulations.to_be_bytes());
        hasher.finalize().into()
    }

    /// Takes back what a call left unfinished when it broke down. Where it broke down over a ledger,
    /// what waits is dropped: it would break the next one too.
    pub(crate) fn recover(&mut self) {
        self.ledger.state.rollback_all();
        if std::mem::take(&mut self.closing) {
            self.queue.drop_all();
        }
    }
}

/// The rules of the next ledger, closing at `close_time`.
fn rules(ledger: &Ledger, close_time: u64) -> Rules<'_> {
    Rules {
        state: &ledger.state,
        limits: &ledger.limits,
        config: &ledger.engine.config,
        seq: ledger.latest().saturating_add(1),
        not_before: close_time,
        not_after: close_time,
        applying: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::FaultPlan;
    use crate::friendbot;
    use crate::network::Network;
    use crate::worker::{Stopped, Worker};

    #[test]
    fn a_ledger_that_breaks_down_drops_what_waits_and_the_next_one_closes() {
        let make = || {
            let network = Network::new("a test");
            let ledger = Ledger::genesis(network, 10, 1).unwrap();
            let faults = Faults::new(FaultPlan::default(), 0);
            let clock = Clock::Manual { now: 1 };
            Ok(Node::new(ledger, clock, CloseMode::OnDemand, faults, 0))
        };
        let (worker, thread) = Worker::start(make).unwrap();
        let funding = |node: &mut Node| {
            let root = node.ledger.network.root_account();
            let frame = friendbot::funding(node, root).unwrap();
            node.submit(frame).status
        };
        assert_eq!(worker.call(funding), Ok(Status::Pending));
        // A job that breaks down elsewhere takes nothing with it.
        assert_eq!(worker.call(|_| panic!("on purpose")), Err::<(), _>(Stopped));
        assert_eq!(worker.call(|node| node.queue.len()), Ok(1));
        let broken = worker.call(|node| {
            node.closing = true;
            panic!("on purpose");
        });
        assert_eq!(broken, Err::<(), _>(Stopped));
        assert_eq!(worker.call(|node| node.queue.len()), Ok(0));
        assert_eq!(worker.call(funding), Ok(Status::TryAgainLater));
        worker.call(Node::close).unwrap();
        assert_eq!(worker.call(|node| node.ledger.latest()), Ok(3));
        worker.stop();
        thread.join().unwrap();
    }
}
