//! Closing a ledger: all fees first, then every transaction, then all refunds.

use std::rc::Rc;

use soroban_env_host::xdr::{
    AccountId, ExtensionPoint, Hash, LedgerEntryChanges, LedgerHeader, LedgerKey,
    TransactionEventStage, TransactionMetaV4, TransactionResult, TransactionResultExt,
    TransactionResultPair, TransactionResultSet,
};

use super::Ledger;
use super::chain::{set_hash, value};
use super::history::{LedgerRecord, TxRecord};
use crate::host::sub_seed;
use crate::meta::close::transaction_set;
use crate::meta::events;
use crate::network::sha256_xdr;
use crate::ops::accounts;
use crate::tx::apply::{Applied, Applying, apply};
use crate::tx::envelope::Frame;

/// A transaction chosen for the next ledger.
pub(crate) struct Candidate {
    pub(crate) frame: Rc<Frame>,
    /// A fault: its refundable fee shall not suffice.
    pub(crate) no_refundable_fee: bool,
    /// What one operation costs, in stroops.
    pub(crate) base_fee: i64,
}

/// A transaction that a ledger took in.
pub(crate) struct ClosedTransaction {
    pub(crate) source: AccountId,
    pub(crate) envelope_hash: [u8; 32],
}

struct Charged {
    fee: i64,
    changes: LedgerEntryChanges,
}

impl Ledger {
    /// Closes the next ledger at `close_time` (Unix seconds) with these transactions.
    pub(crate) fn close(
        &mut self,
        candidates: Vec<Candidate>,
        close_time: u64,
    ) -> Vec<ClosedTransaction> {
        let Some(header) = self
            .chain
            .next_header(close_time)
            .filter(|_| !candidates.is_empty())
        else {
            self.chain.append_empty(close_time);
            self.forget();
            return Vec::new();
        };
        // Classic transactions are applied before contract calls.
        let (contract, classic): (Vec<_>, Vec<_>) = candidates
            .into_iter()
            .partition(|candidate| candidate.frame.is_soroban());
        let candidates: Vec<Candidate> = classic.into_iter().chain(contract).collect();
        let envelopes = |contract: bool| -> Vec<_> {
            candidates
                .iter()
                .filter(|candidate| candidate.frame.is_soroban() == contract)
                .map(|candidate| candidate.frame.envelope.clone())
                .collect()
        };
        let set = transaction_set(
            header.previous_ledger_hash.0,
            &envelopes(false),
            &envelopes(true),
        );
        let ledger_seed = set_hash(&set);
        let seq = header.ledger_seq;
        let charged: Vec<Charged> = candidates
            .iter()
            .map(|candidate| self.charge(seq, &candidate.frame, candidate.base_fee))
            .collect();
        let applied: Vec<Applied> = (0_u64..)
            .zip(&candidates)
            .map(|(index, candidate)| {
                let mut applying = Applying {
                    state: &mut self.state,
                    network: &self.network,
                    engine: &self.engine,
                    limits: &self.limits,
                    seq,
                    close_time,
                };
                let seed = sub_seed(ledger_seed, index);
                apply(
                    &mut applying,
                    &candidate.frame,
                    seed,
                    candidate.no_refundable_fee,
                )
            })
            .collect();
        let transactions: Vec<TxRecord> = candidates
            .iter()
            .zip(charged)
            .zip(applied)
            .map(|((candidate, charged), applied)| {
                self.settle(seq, &candidate.frame, charged, applied)
            })
            .collect();
        let closed = candidates
            .iter()
            .map(|candidate| ClosedTransaction {
                source: candidate.frame.source(),
                envelope_hash: candidate.frame.envelope_hash,
            })
            .collect();
        self.finish(header, ledger_seed, close_time, transactions);
        closed
    }

    /// Takes a transaction's fee, as far as the payer has it.
    fn charge(&mut self, seq: u32, frame: &Frame, base_fee: i64) -> Charged {
        let mark = self.state.mark();
        let mut fee = 0;
        if let Some(mut payer) = accounts::load(&self.state, &frame.fee_source()) {
            fee = frame.fee_to_charge(base_fee).clamp(0, payer.balance.max(0));
            payer.balance = payer.balance.saturating_sub(fee);
            accounts::store(&mut self.state, seq, payer);
        }
        Charged {
            fee,
            changes: self.state.changes(mark, &[]),
        }
    }

    /// Gives back what a transaction did not use, and writes its record.
    fn settle(&mut self, seq: u32, frame: &Frame, charged: Charged, applied: Applied) -> TxRecord {
        let payer = frame.fee_source();
        let mark = self.state.mark();
        let mut refund = applied.refund.clamp(0, charged.fee);
        // A payer that merged away in this ledger gets nothing back.
        let account = accounts::load(&self.state, &payer).filter(|_| refund > 0);
        let refunded = account
            .and_then(|mut account| accounts::credit(&mut account, refund).then_some(account));
        match refunded {
            Some(account) => accounts::store(&mut self.state, seq, account),
            None => refund = 0,
        }
        let mut tx_events = vec![events::fee(
            &self.network,
            &payer,
            charged.fee,
            TransactionEventStage::BeforeAllTxs,
        )];
        if refund != 0 {
            tx_events.push(events::fee(
                &self.network,
                &payer,
                -refund,
                TransactionEventStage::AfterAllTxs,
            ));
        }
        let paid_for_place = charged.fee.saturating_sub(frame.resource_fee());
        TxRecord {
            hash: frame.hash(),
            inner_hash: frame.fee_bump.as_ref().map(|_| frame.inner_hash),
            envelope: frame.envelope.clone(),
            result: TransactionResult {
                fee_charged: charged.fee.saturating_sub(refund),
                result: applied.result,
                ext: TransactionResultExt::V0,
            },
            meta: TransactionMetaV4 {
                ext: ExtensionPoint::V0,
                tx_changes_before: applied.changes_before,
                operations: applied.operations.try_into().unwrap_or_default(),
                tx_changes_after: LedgerEntryChanges::default(),
                soroban_meta: applied.soroban_meta,
                events: tx_events.try_into().unwrap_or_default(),
                diagnostic_events: applied.diagnostics.try_into().unwrap_or_default(),
            },
            fee_changes: charged.changes,
            refund_changes: self.state.changes(mark, &[]),
            succeeded: applied.succeeded,
            contract: frame.is_soroban(),
            inclusion_fee: paid_for_place
                .checked_div(frame.fee_operations())
                .unwrap_or(0),
        }
    }

    fn finish(
        &mut self,
        mut header: LedgerHeader,
        tx_set_hash: [u8; 32],
        close_time: u64,
        transactions: Vec<TxRecord>,
    ) {
        let seq = header.ledger_seq;
        self.keep_new_code(seq);
        let fees: i64 = transactions
            .iter()
            .fold(0, |sum, tx| sum.saturating_add(tx.result.fee_charged));
        let results: Vec<_> = transactions
            .iter()
            .map(|tx| TransactionResultPair {
                transaction_hash: Hash(tx.hash),
                result: tx.result.clone(),
            })
            .collect();
        header.scp_value = value(tx_set_hash, close_time);
        header.tx_set_result_hash = Hash(sha256_xdr(&TransactionResultSet {
            results: results.try_into().unwrap_or_default(),
        }));
        header.bucket_list_hash = Hash(self.state.digest(header.bucket_list_hash.0));
        header.fee_pool = header.fee_pool.saturating_add(fees);
        self.state.commit(seq);
        self.chain.append(header);
        self.history.insert(seq, LedgerRecord { transactions });
        self.forget();
    }

    /// Code that was uploaded or restored is parsed once and kept.
    fn keep_new_code(&self, seq: u32) {
        for key in self.state.written_keys() {
            let LedgerKey::ContractCode(_) = key else {
                continue;
            };
            let code = self
                .state
                .get(key)
                .filter(|stored| stored.is_live(seq))
                .map(|stored| &stored.entry.data);
            if let Some(soroban_env_host::xdr::LedgerEntryData::ContractCode(code)) = code {
                // The host parsed this code when it was uploaded; were it ever unreadable, it would
                // only be parsed again by each call.
                let _ = self.engine.remember(code.code.as_slice());
            }
        }
    }

    fn forget(&mut self) {
        self.history.forget_before(self.chain.oldest());
    }
}
