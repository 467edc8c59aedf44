//! The network around the contract: ledgers, sequence numbers, a queue, authorisations, history.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use payout_engine::protocol::{Bid, Policy, RefusedKind, SendStatus, TxHash};
use payout_engine::{Line, Record};
use payout_keys::NetworkId;
use stellar_xdr::InvokeContractArgs;

use super::contract::Escrow;
use super::envelope::{Apart, Read, key_of, lines_of, read};
use super::world::World;

/// The first ledger.
pub(super) const FIRST: u32 = 1_000;
/// Unix seconds of the first ledger.
const START: u64 = 1_790_000_000;
/// Milliseconds between two ledgers.
pub(super) const INTERVAL: u64 = 30_000;
/// Ledgers for which a hash that was applied or dropped is remembered.
const BANNED: u32 = 10;

pub(super) struct Chain {
    pub(super) escrow: Escrow,
    pub(super) network: NetworkId,
    pub(super) payout_key: [u8; 32],
    pub(super) ledger: u32,
    /// Close times in Unix seconds, from [`FIRST`] on.
    times: Vec<u64>,
    /// When the next ledger closes, in milliseconds since the start.
    pub(super) next_close: u64,
    /// Sequence numbers, each with the ledger that set it.
    pub(super) accounts: BTreeMap<[u8; 32], Vec<(u32, i64)>>,
    queue: Vec<Queued>,
    banned: BTreeMap<TxHash, u32>,
    /// Lost requests that arrive in a later ledger after all.
    delayed: Vec<(u32, Read)>,
    pub(super) history: Vec<Included>,
    pub(super) records: BTreeMap<String, Record>,
    nonces: BTreeSet<i64>,
    carried: Vec<Apart>,
    /// Envelopes that were read and whose signatures were checked.
    read: HashMap<Vec<u8>, Read>,
    pub(super) market: Bid,
    /// After so many ledgers nodes forget transactions for ever.
    pub(super) retention: Option<u32>,
    pub(super) paid_by_strangers: usize,
}

struct Queued {
    read: Read,
    age: u32,
}

/// A transaction that was included.
#[derive(Debug, Clone)]
pub(super) struct Included {
    pub(super) hash: TxHash,
    pub(super) inner: TxHash,
    pub(super) ledger: u32,
    pub(super) succeeded: bool,
    pub(super) key: String,
    pub(super) lines: Vec<Line>,
}

impl Chain {
    pub(super) fn new(escrow: Escrow, network: NetworkId, payout_key: [u8; 32]) -> Self {
        Self {
            escrow,
            network,
            payout_key,
            ledger: FIRST,
            times: vec![START],
            next_close: INTERVAL,
            accounts: BTreeMap::new(),
            queue: Vec::new(),
            banned: BTreeMap::new(),
            delayed: Vec::new(),
            history: Vec::new(),
            records: BTreeMap::new(),
            nonces: BTreeSet::new(),
            carried: Vec::new(),
            read: HashMap::new(),
            market: Bid::MIN,
            retention: None,
            paid_by_strangers: 0,
        }
    }

    pub(super) fn time(&self, ledger: u32) -> u64 {
        let at = usize::try_from(ledger - FIRST).expect("few ledgers");
        self.times[at]
    }

    /// The last sequence number of an account, as of a ledger.
    pub(super) fn sequence(&self, account: [u8; 32], ledger: u32) -> Option<i64> {
        let numbers = self.accounts.get(&account)?;
        let known = numbers.iter().rev().find(|(since, _)| *since <= ledger);
        known.map(|(_, sequence)| *sequence)
    }

    /// What is in the bytes that are sent. Whoever carries the request sees the authorisations inside.
    pub(super) fn read(&mut self, xdr: &[u8]) -> Read {
        if let Some(known) = self.read.get(xdr) {
            return known.clone();
        }
        let read = read(self.network, xdr);
        self.read.insert(xdr.to_vec(), read.clone());
        for apart in &read.apart {
            if !self.carried.contains(apart) {
                self.carried.push(apart.clone());
            }
        }
        read
    }

    pub(super) fn delay(&mut self, ledgers: u32, read: Read) {
        self.delayed.push((self.ledger + ledgers, read));
    }

    /// What a node does with an envelope.
    pub(super) fn accept(&mut self, read: &Read) -> SendStatus {
        let refused = |code: &str, kind| SendStatus::Refused {
            code: code.to_owned(),
            kind,
        };
        let next = self.ledger + 1;
        let fresh = |since: &u32| self.ledger < since + BANNED;
        if self.banned.get(&read.hash).is_some_and(fresh) {
            return SendStatus::TryAgainLater;
        }
        let pending = |it: &&mut Queued| it.read.source == read.source;
        if let Some(queued) = self.queue.iter_mut().find(pending) {
            let needed = queued.read.bid.tenfold();
            return if queued.read.hash == read.hash {
                SendStatus::Duplicate
            } else if read.sequence < queued.read.sequence {
                refused("txBAD_SEQ", RefusedKind::Passing)
            } else if read.sequence > queued.read.sequence || read.hash == read.inner {
                SendStatus::TryAgainLater
            } else if read.bid < needed {
                refused("txINSUFFICIENT_FEE", RefusedKind::Fee(needed))
            } else {
                queued.read = read.clone();
                queued.age = 0;
                SendStatus::Pending
            };
        }
        if expired(read, next, self.time(self.ledger) + INTERVAL / 1_000) {
            return refused("txTOO_LATE", RefusedKind::Passing);
        }
        if self.sequence(read.source, self.ledger) != Some(read.sequence - 1) {
            return refused("txBAD_SEQ", RefusedKind::Passing);
        }
        self.queue.push(Queued {
            read: read.clone(),
            age: 0,
        });
        SendStatus::Pending
    }
}

fn expired(read: &Read, ledger: u32, time: u64) -> bool {
    read.max_time < time || read.max_ledger <= ledger
}

impl World {
    /// The next ledger closes.
    pub(super) fn close(&mut self) {
        let stalled = self.strikes(|weather| weather.stall);
        let pause = if stalled { 4 * INTERVAL } else { INTERVAL };
        self.chain.next_close = self.now + pause;
        self.chain.ledger += 1;
        let (ledger, time) = (self.chain.ledger, START + self.now / 1_000);
        self.chain.times.push(time);
        self.chain.market = if self.strikes(|weather| weather.spike) {
            Bid(50_000)
        } else {
            Bid::MIN
        };
        let (due, later) = std::mem::take(&mut self.chain.delayed)
            .into_iter()
            .partition(|(at, _)| *at <= ledger);
        self.chain.delayed = later;
        let due: Vec<(u32, Read)> = due;
        for (_, read) in due {
            self.chain.accept(&read);
        }
        let stranger_first = self.dice.below(2) == 0;
        if stranger_first {
            self.stranger();
        }
        let mut queue = std::mem::take(&mut self.chain.queue);
        self.dice.shuffle(&mut queue);
        for queued in queue {
            self.consider(queued, ledger, time);
        }
        if !stranger_first {
            self.stranger();
        }
    }

    fn consider(&mut self, mut queued: Queued, ledger: u32, time: u64) {
        let read = &queued.read;
        let next = self.chain.sequence(read.source, ledger) == Some(read.sequence - 1);
        if expired(read, ledger, time) || !next {
            return;
        }
        let waits = read.bid < self.chain.market || self.strikes(|weather| weather.late);
        if !waits {
            return self.include(&queued.read);
        }
        queued.age += 1;
        if queued.age >= Policy::QUEUE_LIFE {
            self.chain.banned.insert(queued.read.hash, ledger);
        } else {
            self.chain.queue.push(queued);
        }
    }

    fn include(&mut self, read: &Read) {
        let ledger = self.chain.ledger;
        let numbers = self.chain.accounts.entry(read.source).or_default();
        numbers.push((ledger, read.sequence));
        self.chain.banned.insert(read.hash, ledger);
        let fails = self.strikes(|weather| weather.fails);
        let succeeded = !fails
            && self.run(
                &read.call,
                self.chain.payout_key == read.source && read.by_source,
                &read.apart,
            );
        self.remember(read.hash, read.inner, succeeded, &read.call);
    }

    /// A stranger carries one of our authorisations in a transaction of its own.
    fn stranger(&mut self) {
        if self.chain.carried.is_empty() || !self.strikes(|weather| weather.stranger) {
            return;
        }
        let at = self.dice.below(self.chain.carried.len());
        let apart = self.chain.carried[at].clone();
        let call = apart.call.clone();
        let before = self.chain.records.len();
        let succeeded = self.run(&call, false, &[apart]);
        self.chain.paid_by_strangers += usize::from(self.chain.records.len() > before);
        let mut hash = [0xff; 32];
        hash[..8].copy_from_slice(&self.dice.number().to_be_bytes());
        self.remember(TxHash(hash), TxHash(hash), succeeded, &call);
    }

    fn remember(
        &mut self,
        hash: TxHash,
        inner: TxHash,
        succeeded: bool,
        call: &InvokeContractArgs,
    ) {
        self.chain.history.push(Included {
            hash,
            inner,
            ledger: self.chain.ledger,
            succeeded,
            key: key_of(call),
            lines: lines_of(call),
        });
    }

    /// The contract is called, by the payout key where it signed exactly this.
    fn run(&mut self, call: &InvokeContractArgs, by_source: bool, apart: &[Apart]) -> bool {
        let chain = &mut self.chain;
        let ledger = chain.ledger;
        let nonce = apart
            .iter()
            .filter(|it| it.until >= ledger && !chain.nonces.contains(&it.nonce))
            .find(|it| it.call == *call && it.by == chain.payout_key)
            .map(|it| it.nonce);
        let authorised = by_source || nonce.is_some();
        let at = (ledger, chain.time(ledger));
        let succeeded = chain.escrow.execute(call, authorised, at);
        if !succeeded {
            return false;
        }
        chain.nonces.extend(nonce);
        let key = key_of(call);
        if !chain.records.contains_key(&key)
            && let Some(record) = chain.escrow.record(&key)
        {
            chain.records.insert(key, record);
            if record.paid() {
                self.oracle.paid(&lines_of(call), ledger);
            }
        }
        true
    }
}
