//! The queue in front of the ledger: one pending transaction per source account, replaced only by a
//! much higher bid, dropped after a few ledgers and turned away for some more.

use std::collections::BTreeMap;
use std::rc::Rc;

use soroban_env_host::xdr::{AccountId, TransactionResultResult};

use super::envelope::Frame;
use super::resources;
use super::validate::{Invalid, Rules, validate};
use crate::ledger::{Candidate, ClosedTransaction};
use crate::limits::{
    BAN_LEDGERS, BASE_FEE, Limits, MAX_CLASSIC_OPERATIONS, MAX_RESOURCE_FEE, PENDING_LEDGERS,
    REPLACE_FACTOR,
};
use crate::ops::accounts::{self, available_balance};

/// A transaction that waits for its ledger.
struct Pending {
    frame: Rc<Frame>,
    arrival: u64,
    /// Ledgers it has waited.
    age: u32,
    options: Options,
}

/// What faults ask for a transaction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    /// The first ledger that may take it in.
    pub(crate) not_before: u32,
    /// Its refundable fee shall not suffice.
    pub(crate) no_refundable_fee: bool,
}

/// The answer to a submission.
#[derive(Debug)]
pub(crate) enum Submission {
    Pending,
    Duplicate,
    TryAgainLater,
    Error(Box<Invalid>),
}

impl Submission {
    fn error(result: TransactionResultResult, fee_charged: i64) -> Self {
        Self::Error(Box::new(Invalid::new(result, fee_charged)))
    }
}

/// Pending and recently seen transactions.
#[derive(Default)]
pub(crate) struct Queue {
    pending: BTreeMap<AccountId, Pending>,
    /// Envelopes that are turned away, with the ledgers this still lasts.
    banned: BTreeMap<[u8; 32], u32>,
    arrivals: u64,
}

impl Queue {
    /// Takes a transaction in, or says why not. The order of the answers is core's.
    pub(crate) fn submit(&mut self, rules: &Rules<'_>, frame: Frame) -> Submission {
        if self.banned.contains_key(&frame.envelope_hash) {
            return Submission::TryAgainLater;
        }
        let resource_fee = frame.resource_fee();
        if !(0..=MAX_RESOURCE_FEE).contains(&resource_fee) || frame.inclusion_bid() < 0 {
            return Submission::error(TransactionResultResult::TxMalformed, 0);
        }
        let source = frame.source();
        if let Some(known) = self.pending.get(&source)
            && let Some(answer) = against_pending(rules, &known.frame, &frame)
        {
            return answer;
        }
        if let Err(invalid) = validate(rules, &frame) {
            return Submission::Error(invalid);
        }
        if !self.can_pay_all(rules, &frame) {
            return Submission::error(TransactionResultResult::TxInsufficientBalance, 0);
        }
        self.arrivals += 1;
        // The ledgers count for the account: a replacement does not wait anew.
        let age = self.pending.get(&source).map_or(0, |known| known.age);
        self.pending.insert(
            source,
            Pending {
                frame: Rc::new(frame),
                arrival: self.arrivals,
                age,
                options: Options::default(),
            },
        );
        Submission::Pending
    }

    /// What faults ask for the transaction that an account has pending.
    pub(crate) fn set_options(&mut self, source: &AccountId, options: Options) {
        if let Some(pending) = self.pending.get_mut(source) {
            pending.options = options;
        }
    }

    /// Whether the payer could pay for this and for everything else it has pending.
    fn can_pay_all(&self, rules: &Rules<'_>, frame: &Frame) -> bool {
        let payer = frame.fee_source();
        let source = frame.source();
        let others = self
            .pending
            .values()
            .filter(|pending| pending.frame.fee_source() == payer)
            .filter(|pending| pending.frame.source() != source)
            .fold(0_i64, |sum, pending| {
                sum.saturating_add(pending.frame.full_fee())
            });
        accounts::load(rules.state, &payer).is_some_and(|account| {
            available_balance(&account) >= others.saturating_add(frame.full_fee())
        })
    }

    /// Chooses what the next ledger takes in: the highest bids first, as far as the ledger's limits
    /// go. `floor` is the least that one operation costs, in stroops. What has become invalid while
    /// it waited is dropped.
    pub(crate) fn choose(&mut self, rules: &Rules<'_>, floor: i64) -> Vec<Candidate> {
        let invalid: Vec<AccountId> = self
            .pending
            .iter()
            .filter(|(_, pending)| validate(rules, &pending.frame).is_err())
            .map(|(source, _)| source.clone())
            .collect();
        for source in invalid {
            self.drop_and_ban(&source);
        }
        for source in self.unpayable(rules) {
            self.drop_and_ban(&source);
        }
        let mut waiting: Vec<&Pending> = self
            .pending
            .values()
            .filter(|pending| pending.options.not_before <= rules.seq)
            .filter(|pending| {
                pending.frame.inclusion_bid() >= pending.frame.inclusion_fee_at(floor)
            })
            .collect();
        waiting.sort_by(|a, b| by_rate(&b.frame, &a.frame).then(a.arrival.cmp(&b.arrival)));
        let (contract, classic): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|pending| pending.frame.is_soroban());
        let mut chosen = fill(&classic, floor, &mut ClassicRoom::default());
        chosen.extend(fill(&contract, floor, &mut ContractRoom::new(rules.limits)));
        chosen
    }

    /// The sources of transactions whose payer cannot pay for everything it has pending: what it
    /// could when each came in may have gone since.
    fn unpayable(&self, rules: &Rules<'_>) -> Vec<AccountId> {
        let mut due: BTreeMap<AccountId, i64> = BTreeMap::new();
        for pending in self.pending.values() {
            let sum = due.entry(pending.frame.fee_source()).or_default();
            *sum = sum.saturating_add(pending.frame.full_fee());
        }
        due.retain(|payer, sum| {
            accounts::load(rules.state, payer)
                .is_none_or(|account| available_balance(&account) < *sum)
        });
        self.pending
            .iter()
            .filter(|(_, pending)| due.contains_key(&pending.frame.fee_source()))
            .map(|(source, _)| source.clone())
            .collect()
    }

    /// Brings the queue up to date after a ledger closed. In core's order: what was applied is
    /// banned before the ledger counts, so for one ledger less than what is dropped here.
    pub(crate) fn ledger_closed(&mut self, closed: &[ClosedTransaction], seq: u32) {
        for tx in closed {
            self.pending.remove(&tx.source);
            self.banned.insert(tx.envelope_hash, BAN_LEDGERS);
        }
        self.banned.retain(|_, left| {
            *left -= 1;
            *left > 0
        });
        let mut dropped = Vec::new();
        for (source, pending) in &mut self.pending {
            if pending.options.not_before <= seq {
                pending.age += 1;
            }
            if pending.age >= PENDING_LEDGERS {
                dropped.push(source.clone());
            }
        }
        for source in dropped {
            self.drop_and_ban(&source);
        }
    }

    /// Drops everything that waits.
    pub(crate) fn drop_all(&mut self) {
        let sources: Vec<AccountId> = self.pending.keys().cloned().collect();
        for source in sources {
            self.drop_and_ban(&source);
        }
    }

    fn drop_and_ban(&mut self, source: &AccountId) {
        if let Some(pending) = self.pending.remove(source) {
            self.banned.insert(pending.frame.envelope_hash, BAN_LEDGERS);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether further empty ledgers would leave the queue as it is.
    pub(crate) fn is_settled(&self) -> bool {
        self.pending.is_empty() && self.banned.is_empty()
    }
}

/// What the account's pending transaction makes of another one; `None`: it may be replaced.
fn against_pending(rules: &Rules<'_>, known: &Frame, frame: &Frame) -> Option<Submission> {
    let inner_of_known = known.fee_bump.is_some() && frame.fee_bump.is_none();
    if known.envelope_hash == frame.envelope_hash
        || inner_of_known && known.inner_envelope_hash == frame.envelope_hash
    {
        return Some(Submission::Duplicate);
    }
    if frame.sequence() < known.sequence() {
        return Some(Submission::error(TransactionResultResult::TxBadSeq, 0));
    }
    if let Some(data) = frame.soroban_data()
        && let Err(complaint) = resources::check(frame, data, rules.limits, rules.config)
    {
        return Some(Submission::Error(Box::new(Invalid {
            complaint: Some(complaint),
            ..Invalid::new(TransactionResultResult::TxSorobanInvalid, 0)
        })));
    }
    if frame.fee_bump.is_none() || frame.sequence() != known.sequence() {
        return Some(Submission::TryAgainLater);
    }
    let needed = bid_to_replace(known, frame);
    (frame.inclusion_bid() < needed)
        .then(|| Submission::error(TransactionResultResult::TxInsufficientFee, needed))
}

/// The inclusion fee, in stroops, at which `frame` outbids `known` tenfold per operation.
fn bid_to_replace(known: &Frame, frame: &Frame) -> i64 {
    let needed = i128::from(known.inclusion_bid())
        * i128::from(REPLACE_FACTOR)
        * i128::from(frame.fee_operations());
    let operations = i128::from(known.fee_operations().max(1));
    let rounded_up = (needed + operations - 1) / operations;
    i64::try_from(rounded_up).unwrap_or(i64::MAX)
}

fn by_rate(a: &Frame, b: &Frame) -> std::cmp::Ordering {
    let left = i128::from(a.inclusion_bid()) * i128::from(b.fee_operations());
    let right = i128::from(b.inclusion_bid()) * i128::from(a.fee_operations());
    left.cmp(&right)
}

/// The room that one phase of a ledger has left.
trait Room {
    /// Takes the room a transaction needs, where there is enough.
    fn take(&mut self, frame: &Frame) -> bool;
}

/// Fills a phase from the highest bid down. Where not all find room, the lowest bid that did is the
/// price for all.
fn fill(waiting: &[&Pending], floor: i64, room: &mut impl Room) -> Vec<Candidate> {
    let (taken, left_out): (Vec<&Pending>, Vec<&Pending>) = waiting
        .iter()
        .copied()
        .partition(|pending| room.take(&pending.frame));
    let lowest = taken
        .iter()
        .filter_map(|pending| {
            pending
                .frame
                .inclusion_bid()
                .checked_div(pending.frame.fee_operations())
        })
        .min();
    let base_fee = match lowest {
        Some(rate) if !left_out.is_empty() => rate.max(floor),
        _ => floor,
    };
    taken
        .into_iter()
        .map(|pending| Candidate {
            frame: Rc::clone(&pending.frame),
            no_refundable_fee: pending.options.no_refundable_fee,
            base_fee: base_fee.max(i64::from(BASE_FEE)),
        })
        .collect()
}

#[derive(Default)]
struct ClassicRoom {
    operations: usize,
}

impl Room for ClassicRoom {
    fn take(&mut self, frame: &Frame) -> bool {
        let operations = self.operations + frame.tx.operations.len();
        let limit = usize::try_from(MAX_CLASSIC_OPERATIONS).unwrap_or(usize::MAX);
        if operations > limit {
            return false;
        }
        self.operations = operations;
        true
    }
}

/// Resources of contract calls: transactions, instructions, disk reads and writes, bytes.
struct ContractRoom {
    left: [u64; 7],
}

impl ContractRoom {
    fn new(limits: &Limits) -> Self {
        let cost = &limits.ledger_cost;
        Self {
            left: [
                u64::from(limits.ledger_transactions),
                limits.compute.ledger_max_instructions.unsigned_abs(),
                u64::from(cost.ledger_max_disk_read_entries),
                u64::from(cost.ledger_max_disk_read_bytes),
                u64::from(cost.ledger_max_write_ledger_entries),
                u64::from(cost.ledger_max_write_bytes),
                u64::from(limits.bandwidth.ledger_max_txs_size_bytes),
            ],
        }
    }
}

impl Room for ContractRoom {
    fn take(&mut self, frame: &Frame) -> bool {
        let Some(data) = frame.soroban_data() else {
            return false;
        };
        let resources = &data.resources;
        let needed = [
            1,
            u64::from(resources.instructions),
            u64::from(resources::disk_read_entries(frame, data)),
            u64::from(resources.disk_read_bytes),
            u64::try_from(resources.footprint.read_write.len()).unwrap_or(u64::MAX),
            u64::from(resources.write_bytes),
            u64::from(frame.size),
        ];
        let left: Option<Vec<u64>> = self
            .left
            .iter()
            .zip(needed)
            .map(|(left, needed)| left.checked_sub(needed))
            .collect();
        let Some(left) = left.and_then(|left| left.try_into().ok()) else {
            return false;
        };
        self.left = left;
        true
    }
}
