//! The chain of headers. Ledgers without transactions keep only their hash and time: their headers
//! follow from the one before, so tens of thousands of them cost little and still link up.

use std::collections::{BTreeMap, VecDeque};

use sha2::{Digest, Sha256};
use soroban_env_host::xdr::{
    GeneralizedTransactionSet, Hash, LedgerHeader, LedgerHeaderExt, StellarValue, StellarValueExt,
    TimePoint, TransactionResultSet, VecM,
};

use crate::limits::{BASE_FEE, BASE_RESERVE, PROTOCOL_VERSION, TOTAL_COINS};
use crate::meta::close::transaction_set;
use crate::network::sha256_xdr;

/// The first ledger that a node can serve; the one before made the network.
pub(crate) const FIRST_LEDGER: u32 = 2;

/// What is kept of every ledger in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stub {
    hash: [u8; 32],
    close_time: u64,
}

/// Headers of the retained ledgers.
pub(crate) struct Chain {
    /// Ledgers that are kept.
    window: u32,
    first_seq: u32,
    /// Hash of the ledger before the first one.
    hash_before: [u8; 32],
    stubs: VecDeque<Stub>,
    /// Headers of ledgers with transactions, and one to derive the first empty ones from.
    full: BTreeMap<u32, LedgerHeader>,
}

impl Chain {
    /// A chain whose first ledger closed at `close_time`, Unix seconds.
    pub(crate) fn new(window: u32, close_time: u64, state_hash: [u8; 32]) -> Self {
        let header = LedgerHeader {
            ledger_version: PROTOCOL_VERSION,
            previous_ledger_hash: Hash([0; 32]),
            scp_value: value([0; 32], close_time),
            tx_set_result_hash: Hash(no_results()),
            bucket_list_hash: Hash(state_hash),
            ledger_seq: FIRST_LEDGER - 1,
            total_coins: TOTAL_COINS,
            fee_pool: 0,
            inflation_seq: 0,
            id_pool: 0,
            base_fee: BASE_FEE,
            base_reserve: BASE_RESERVE,
            max_tx_set_size: crate::limits::MAX_CLASSIC_OPERATIONS,
            skip_list: [const { Hash([0; 32]) }; 4],
            ext: LedgerHeaderExt::V0,
        };
        let hash_before = sha256_xdr(&header);
        let mut chain = Self::resume(window, FIRST_LEDGER, hash_before, header);
        chain.append_empty(close_time);
        chain
    }

    /// A chain whose first kept ledger will be `first_seq` and link to `hash_before`; `template` is
    /// the last header before it that is known.
    pub(crate) fn resume(
        window: u32,
        first_seq: u32,
        hash_before: [u8; 32],
        template: LedgerHeader,
    ) -> Self {
        Self {
            window: window.max(1),
            first_seq,
            hash_before,
            stubs: VecDeque::new(),
            full: BTreeMap::from([(template.ledger_seq, template)]),
        }
    }

    pub(crate) fn latest(&self) -> u32 {
        let kept = u32::try_from(self.stubs.len()).unwrap_or(u32::MAX);
        self.first_seq.saturating_add(kept).saturating_sub(1)
    }

    /// Ledgers that are kept.
    pub(crate) fn window(&self) -> u32 {
        self.window
    }

    pub(crate) fn oldest(&self) -> u32 {
        self.first_seq
    }

    fn stub(&self, seq: u32) -> Option<Stub> {
        let index = usize::try_from(seq.checked_sub(self.first_seq)?).ok()?;
        self.stubs.get(index).copied()
    }

    /// The hash of a retained ledger, or of the one before the first.
    pub(crate) fn hash(&self, seq: u32) -> Option<[u8; 32]> {
        if seq.checked_add(1) == Some(self.first_seq) {
            return Some(self.hash_before);
        }
        self.stub(seq).map(|stub| stub.hash)
    }

    /// When a retained ledger closed, Unix seconds.
    pub(crate) fn close_time(&self, seq: u32) -> Option<u64> {
        self.stub(seq).map(|stub| stub.close_time)
    }

    pub(crate) fn latest_time(&self) -> u64 {
        self.close_time(self.latest()).unwrap_or_else(|| {
            self.template(self.latest())
                .map_or(0, |header| header.scp_value.close_time.0)
        })
    }

    fn template(&self, seq: u32) -> Option<&LedgerHeader> {
        self.full
            .range(..=seq)
            .next_back()
            .map(|(_, header)| header)
    }

    /// The header of a retained ledger.
    pub(crate) fn header(&self, seq: u32) -> Option<LedgerHeader> {
        let stub = self.stub(seq)?;
        let template = self.template(seq)?;
        if template.ledger_seq == seq {
            return Some(template.clone());
        }
        let before = self.hash(seq.checked_sub(1)?)?;
        Some(empty_after(template, seq, before, stub.close_time))
    }

    /// The header that the next ledger starts from.
    pub(crate) fn next_header(&self, close_time: u64) -> Option<LedgerHeader> {
        let latest = self.latest();
        let template = self.template(latest)?;
        Some(empty_after(
            template,
            latest.saturating_add(1),
            self.hash(latest)?,
            close_time,
        ))
    }

    /// Appends a ledger without transactions.
    pub(crate) fn append_empty(&mut self, close_time: u64) {
        if let Some(header) = self.next_header(close_time) {
            self.push(&header);
        }
    }

    /// Appends a ledger with transactions.
    pub(crate) fn append(&mut self, header: LedgerHeader) {
        self.push(&header);
        self.full.insert(header.ledger_seq, header);
    }

    /// Appends `count` ledgers without transactions, `spacing` seconds apart. Those that the window
    /// would forget at once are never made: the first kept one links to a hash of what was left
    /// out.
    pub(crate) fn append_many(&mut self, count: u32, spacing: u64) {
        let unseen = count.saturating_sub(self.window);
        let mut time = self.latest_time();
        if unseen > 0 {
            let latest = self.latest();
            if let Some(template) = self.template(latest).cloned() {
                let mut hasher = Sha256::new();
                hasher.update(self.hash(latest).unwrap_or_default());
                hasher.update(unseen.to_be_bytes());
                self.hash_before = hasher.finalize().into();
                self.first_seq = latest.saturating_add(unseen).saturating_add(1);
                self.stubs.clear();
                self.full = BTreeMap::from([(template.ledger_seq, template)]);
                time = time.saturating_add(spacing.saturating_mul(u64::from(unseen)));
            }
        }
        for _ in unseen..count {
            time = time.saturating_add(spacing);
            self.append_empty(time);
        }
    }

    fn push(&mut self, header: &LedgerHeader) {
        self.stubs.push_back(Stub {
            hash: sha256_xdr(header),
            close_time: header.scp_value.close_time.0,
        });
        while self.stubs.len() > usize::try_from(self.window).unwrap_or(usize::MAX) {
            if let Some(stub) = self.stubs.pop_front() {
                self.hash_before = stub.hash;
                self.first_seq = self.first_seq.saturating_add(1);
            }
        }
        // One header before the first kept ledger stays, to derive the empty ones from.
        while let Some((second, _)) = self.full.iter().nth(1)
            && *second < self.first_seq
        {
            self.full.pop_first();
        }
    }

    /// Close times of the retained ledgers, oldest first, as runs of equal distance:
    /// `(first time, seconds between, ledgers)`.
    pub(crate) fn time_runs(&self) -> Vec<(u64, u64, u32)> {
        let mut runs: Vec<(u64, u64, u32)> = Vec::new();
        for stub in &self.stubs {
            match runs.last_mut() {
                Some((first, step, count)) => {
                    let last = first.saturating_add(step.saturating_mul(u64::from(*count - 1)));
                    let distance = stub.close_time.saturating_sub(last);
                    if *count == 1 {
                        (*step, *count) = (distance, 2);
                    } else if distance == *step {
                        *count += 1;
                    } else {
                        runs.push((stub.close_time, 0, 1));
                    }
                }
                None => runs.push((stub.close_time, 0, 1)),
            }
        }
        runs
    }

    /// What [`Self::resume`] needs to make the retained ledgers again: template and hash before.
    pub(crate) fn base(&self) -> Option<(&LedgerHeader, [u8; 32])> {
        let (_, template) = self.full.range(..self.first_seq).next_back()?;
        Some((template, self.hash_before))
    }

    /// Headers of the retained ledgers with transactions.
    pub(crate) fn full_headers(&self) -> impl Iterator<Item = &LedgerHeader> {
        self.full.range(self.first_seq..).map(|(_, header)| header)
    }
}

/// The header of a ledger without transactions.
fn empty_after(
    template: &LedgerHeader,
    seq: u32,
    previous: [u8; 32],
    close_time: u64,
) -> LedgerHeader {
    let set = transaction_set(previous, &[], &[]);
    LedgerHeader {
        previous_ledger_hash: Hash(previous),
        scp_value: value(set_hash(&set), close_time),
        tx_set_result_hash: Hash(no_results()),
        ledger_seq: seq,
        ..template.clone()
    }
}

/// The hash by which a header names its transactions.
pub(crate) fn set_hash(set: &GeneralizedTransactionSet) -> [u8; 32] {
    sha256_xdr(set)
}

pub(crate) fn value(set_hash: [u8; 32], close_time: u64) -> StellarValue {
    StellarValue {
        tx_set_hash: Hash(set_hash),
        close_time: TimePoint(close_time),
        upgrades: VecM::default(),
        ext: StellarValueExt::Basic,
    }
}

fn no_results() -> [u8; 32] {
    sha256_xdr(&TransactionResultSet {
        results: VecM::default(),
    })
}
