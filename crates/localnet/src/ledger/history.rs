//! What happened in the retained ledgers: transactions, and the events that clients ask for.

use std::collections::{BTreeMap, HashMap};

use soroban_env_host::xdr::{
    ContractEvent, GeneralizedTransactionSet, LedgerEntryChanges, TransactionEnvelope,
    TransactionEventStage, TransactionMetaV4, TransactionResult,
};

use crate::meta::close::transaction_set;

/// Where in a ledger events that belong to no transaction stand.
const BEFORE_ALL: u32 = 0;
const AFTER_ALL: u32 = 1_048_575;
/// The operation index of events of a whole transaction.
const WHOLE_TRANSACTION: u32 = 4_095;

/// A transaction that is part of a ledger.
#[derive(Clone, Debug)]
pub(crate) struct TxRecord {
    /// The hash it is known by; the outer one of a fee bump.
    pub(crate) hash: [u8; 32],
    /// The hash of the transaction inside a fee bump.
    pub(crate) inner_hash: Option<[u8; 32]>,
    pub(crate) envelope: TransactionEnvelope,
    pub(crate) result: TransactionResult,
    pub(crate) meta: TransactionMetaV4,
    pub(crate) fee_changes: LedgerEntryChanges,
    pub(crate) refund_changes: LedgerEntryChanges,
    pub(crate) succeeded: bool,
    /// Whether it ran in the contract host.
    pub(crate) contract: bool,
    /// Stroops that its place in the ledger cost, for one operation.
    pub(crate) inclusion_fee: i64,
}

/// A ledger with transactions, in the order in which they were applied.
#[derive(Clone, Debug)]
pub(crate) struct LedgerRecord {
    pub(crate) transactions: Vec<TxRecord>,
}

impl LedgerRecord {
    pub(crate) fn transaction_set(&self, previous: [u8; 32]) -> GeneralizedTransactionSet {
        let envelopes = |contract: bool| -> Vec<_> {
            self.transactions
                .iter()
                .filter(|tx| tx.contract == contract)
                .map(|tx| tx.envelope.clone())
                .collect()
        };
        transaction_set(previous, &envelopes(false), &envelopes(true))
    }

    /// The ledger's events in the order of their ids. Nothing that failed is among them, and
    /// nothing diagnostic; fees are, of every transaction.
    pub(crate) fn events(&self) -> Vec<EventRecord<'_>> {
        let mut events = Vec::new();
        let mut before_all = 0;
        let mut after_all = 0;
        for (position, tx) in (1_u32..).zip(&self.transactions) {
            let mut after_tx = 0;
            for event in &tx.meta.events {
                let (tx_index, op_index, counter) = match event.stage {
                    TransactionEventStage::BeforeAllTxs => (BEFORE_ALL, 0, &mut before_all),
                    TransactionEventStage::AfterTx => (position, WHOLE_TRANSACTION, &mut after_tx),
                    TransactionEventStage::AfterAllTxs => (AFTER_ALL, 0, &mut after_all),
                };
                events.push(EventRecord {
                    tx_index,
                    op_index,
                    event_index: *counter,
                    event: &event.event,
                    tx,
                });
                *counter += 1;
            }
            for (op_index, operation) in (0_u32..).zip(tx.meta.operations.iter()) {
                for (event_index, event) in (0_u32..).zip(operation.events.iter()) {
                    events.push(EventRecord {
                        tx_index: position,
                        op_index,
                        event_index,
                        event,
                        tx,
                    });
                }
            }
        }
        events.sort_by_key(|event| (event.tx_index, event.op_index, event.event_index));
        events
    }
}

/// An event with its place in the ledger.
pub(crate) struct EventRecord<'a> {
    pub(crate) tx_index: u32,
    pub(crate) op_index: u32,
    pub(crate) event_index: u32,
    pub(crate) event: &'a ContractEvent,
    pub(crate) tx: &'a TxRecord,
}

/// Transactions of the retained ledgers.
#[derive(Default)]
pub(crate) struct History {
    ledgers: BTreeMap<u32, LedgerRecord>,
    by_hash: HashMap<[u8; 32], (u32, usize)>,
}

impl History {
    pub(crate) fn insert(&mut self, seq: u32, record: LedgerRecord) {
        for (index, tx) in record.transactions.iter().enumerate() {
            self.by_hash.insert(tx.hash, (seq, index));
            if let Some(inner) = tx.inner_hash {
                self.by_hash.insert(inner, (seq, index));
            }
        }
        self.ledgers.insert(seq, record);
    }

    /// Forgets everything before ledger `oldest`.
    pub(crate) fn forget_before(&mut self, oldest: u32) {
        while let Some(first) = self.ledgers.first_entry()
            && *first.key() < oldest
        {
            for tx in first.remove().transactions {
                self.by_hash.remove(&tx.hash);
                if let Some(inner) = tx.inner_hash {
                    self.by_hash.remove(&inner);
                }
            }
        }
    }

    pub(crate) fn ledger(&self, seq: u32) -> Option<&LedgerRecord> {
        self.ledgers.get(&seq)
    }

    /// Ledgers with transactions from `first` to `last`.
    pub(crate) fn range(
        &self,
        first: u32,
        last: u32,
    ) -> impl DoubleEndedIterator<Item = (u32, &LedgerRecord)> {
        // A map refuses a range whose end lies before its start.
        self.ledgers
            .range(first..=last.max(first))
            .filter(move |(seq, _)| **seq <= last)
            .map(|(seq, record)| (*seq, record))
    }

    /// A transaction by its hash, the outer or the inner one: ledger, position from 1, record.
    pub(crate) fn transaction(&self, hash: &[u8; 32]) -> Option<(u32, u32, &TxRecord)> {
        let (seq, index) = *self.by_hash.get(hash)?;
        let record = self.ledgers.get(&seq)?.transactions.get(index)?;
        let position = u32::try_from(index).ok()?.checked_add(1)?;
        Some((seq, position, record))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &LedgerRecord)> {
        self.ledgers.iter().map(|(seq, record)| (*seq, record))
    }
}
