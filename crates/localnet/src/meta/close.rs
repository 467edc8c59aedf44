//! `LedgerCloseMeta`: a ledger with everything that happened in it.

use soroban_env_host::xdr::{
    DependentTxCluster, ExtensionPoint, GeneralizedTransactionSet, Hash, LedgerCloseMeta,
    LedgerCloseMetaExt, LedgerCloseMetaV2, LedgerHeader, LedgerHeaderHistoryEntry,
    LedgerHeaderHistoryEntryExt, ParallelTxExecutionStage, ParallelTxsComponent,
    TransactionEnvelope, TransactionMeta, TransactionPhase, TransactionResultMetaV1,
    TransactionResultPair, TransactionSetV1, TxSetComponent, TxSetComponentTxsMaybeDiscountedFee,
    VecM,
};

use crate::ledger::history::LedgerRecord;
use crate::limits::STATE_SIZE_BYTES;

/// The transactions of a ledger: classic ones in the first phase, contract calls in the second,
/// all of them in one cluster.
pub(crate) fn transaction_set(
    previous_ledger_hash: [u8; 32],
    classic: &[TransactionEnvelope],
    contract: &[TransactionEnvelope],
) -> GeneralizedTransactionSet {
    let components = if classic.is_empty() {
        VecM::default()
    } else {
        let component = TxSetComponentTxsMaybeDiscountedFee {
            base_fee: None,
            txs: classic.to_vec().try_into().unwrap_or_default(),
        };
        vec![TxSetComponent::TxsetCompTxsMaybeDiscountedFee(component)]
            .try_into()
            .unwrap_or_default()
    };
    let stages = if contract.is_empty() {
        VecM::default()
    } else {
        let cluster = DependentTxCluster(contract.to_vec().try_into().unwrap_or_default());
        let stage = ParallelTxExecutionStage(vec![cluster].try_into().unwrap_or_default());
        vec![stage].try_into().unwrap_or_default()
    };
    let phases = vec![
        TransactionPhase::V0(components),
        TransactionPhase::V1(ParallelTxsComponent {
            base_fee: None,
            execution_stages: stages,
        }),
    ];
    GeneralizedTransactionSet::V1(TransactionSetV1 {
        previous_ledger_hash: Hash(previous_ledger_hash),
        phases: phases.try_into().unwrap_or_default(),
    })
}

/// A header with its hash.
pub(crate) fn history_entry(header: LedgerHeader, hash: [u8; 32]) -> LedgerHeaderHistoryEntry {
    LedgerHeaderHistoryEntry {
        hash: Hash(hash),
        header,
        ext: LedgerHeaderHistoryEntryExt::V0,
    }
}

/// The whole ledger; `record` is there where it had transactions.
pub(crate) fn ledger_close_meta(
    header: LedgerHeader,
    hash: [u8; 32],
    record: Option<&LedgerRecord>,
) -> LedgerCloseMeta {
    let previous = header.previous_ledger_hash.0;
    let (tx_set, processing) = match record {
        None => (transaction_set(previous, &[], &[]), Vec::new()),
        Some(record) => (
            record.transaction_set(previous),
            record
                .transactions
                .iter()
                .map(|tx| TransactionResultMetaV1 {
                    ext: ExtensionPoint::V0,
                    result: TransactionResultPair {
                        transaction_hash: Hash(tx.hash),
                        result: tx.result.clone(),
                    },
                    fee_processing: tx.fee_changes.clone(),
                    tx_apply_processing: TransactionMeta::V4(tx.meta.clone()),
                    post_tx_apply_fee_processing: tx.refund_changes.clone(),
                })
                .collect(),
        ),
    };
    LedgerCloseMeta::V2(LedgerCloseMetaV2 {
        ext: LedgerCloseMetaExt::V0,
        ledger_header: history_entry(header, hash),
        tx_set,
        tx_processing: processing.try_into().unwrap_or_default(),
        upgrades_processing: VecM::default(),
        scp_info: VecM::default(),
        total_byte_size_of_live_soroban_state: STATE_SIZE_BYTES,
        evicted_keys: VecM::default(),
    })
}
