//! Applying one transaction: sequence number, operations, metadata, result.

use soroban_env_host::xdr::{
    DiagnosticEvent, ExtensionPoint, LedgerEntryChanges, OperationMetaV2, OperationResult, ScVal,
    SorobanTransactionMetaExt, SorobanTransactionMetaExtV1, SorobanTransactionMetaV2,
    TransactionResultResult,
};

use super::envelope::{Frame, muxed_account_id};
use super::resources::non_refundable_fee;
use super::validate::{Rules, validate, wrap_inner};
use crate::host::Engine;
use crate::ledger::state::State;
use crate::limits::Limits;
use crate::meta::diagnostics::Complaint;
use crate::network::Network;
use crate::ops::{self, Scope, accounts};

/// The ledger in which transactions are applied.
pub(crate) struct Applying<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) network: &'a Network,
    pub(crate) engine: &'a Engine,
    pub(crate) limits: &'a Limits,
    pub(crate) seq: u32,
    pub(crate) close_time: u64,
}

/// A transaction after its operations, before refunds.
pub(crate) struct Applied {
    pub(crate) result: TransactionResultResult,
    pub(crate) succeeded: bool,
    pub(crate) changes_before: LedgerEntryChanges,
    pub(crate) operations: Vec<OperationMetaV2>,
    pub(crate) soroban_meta: Option<SorobanTransactionMetaV2>,
    pub(crate) diagnostics: Vec<DiagnosticEvent>,
    /// Stroops of the resource fee that are given back at the end of the ledger.
    pub(crate) refund: i64,
}

/// Applies a transaction whose fee has been taken. With `no_refundable_fee` its refundable fee
/// counts as too small for anything.
pub(crate) fn apply(
    ledger: &mut Applying<'_>,
    frame: &Frame,
    prng_seed: [u8; 32],
    no_refundable_fee: bool,
) -> Applied {
    let refundable = frame.soroban_data().map_or(0, |data| {
        data.resource_fee
            .saturating_sub(non_refundable_fee(frame, data, &ledger.engine.config))
            .max(0)
    });
    let rules = Rules {
        state: ledger.state,
        limits: ledger.limits,
        config: &ledger.engine.config,
        seq: ledger.seq,
        not_before: ledger.close_time,
        not_after: ledger.close_time,
        applying: true,
    };
    let verdict = validate(&rules, frame);
    let mark = ledger.state.mark();
    if let Err(invalid) = verdict {
        if uses_sequence(&invalid.result.result) {
            use_sequence(ledger, frame);
        }
        return Applied {
            result: invalid.result.result,
            succeeded: false,
            changes_before: ledger.state.changes(mark, &[]),
            operations: Vec::new(),
            soroban_meta: frame
                .soroban_data()
                .map(|_| soroban_meta(frame, ledger.engine, 0, 0, None)),
            diagnostics: invalid.complaint.iter().map(Complaint::event).collect(),
            refund: refundable,
        };
    }
    use_sequence(ledger, frame);
    let changes_before = ledger.state.changes(mark, &[]);
    let refundable_fee = if no_refundable_fee { -1 } else { refundable };
    let done = run_operations(ledger, frame, prng_seed, refundable_fee);
    let results = done.results.try_into().unwrap_or_default();
    let result = if done.has_failed {
        TransactionResultResult::TxFailed(results)
    } else {
        TransactionResultResult::TxSuccess(results)
    };
    Applied {
        result: match &frame.fee_bump {
            Some(_) => wrap_inner(frame, result),
            None => result,
        },
        succeeded: !done.has_failed,
        changes_before,
        operations: done.metas,
        soroban_meta: frame.soroban_data().map(|_| {
            // Extending and restoring return nothing, and say so.
            let value = done
                .return_value
                .or_else(|| (!done.has_failed).then_some(ScVal::Void));
            soroban_meta(
                frame,
                ledger.engine,
                done.refundable_used,
                done.rent_fee,
                value,
            )
        }),
        diagnostics: done.diagnostics,
        refund: refundable.saturating_sub(done.refundable_used),
    }
}

/// Runs all operations; where one fails, the changes of all are taken back.
fn run_operations(
    ledger: &mut Applying<'_>,
    frame: &Frame,
    prng_seed: [u8; 32],
    refundable_fee: i64,
) -> Operations {
    let before_operations = ledger.state.mark();
    let mut done = Operations::default();
    for operation in &frame.tx.operations {
        let source = operation
            .source_account
            .as_ref()
            .map_or_else(|| frame.source(), muxed_account_id);
        let mark = ledger.state.mark();
        if accounts::load(ledger.state, &source).is_none() {
            done.failed(OperationResult::OpNoAccount);
            continue;
        }
        let mut scope = Scope {
            state: ledger.state,
            network: ledger.network,
            engine: ledger.engine,
            limits: ledger.limits,
            seq: ledger.seq,
            close_time: ledger.close_time,
            frame,
            prng_seed,
            refundable_fee,
        };
        let outcome = ops::apply(&mut scope, operation, &source);
        done.diagnostics.extend(outcome.diagnostics);
        if !ops::succeeded(&outcome.result) {
            ledger.state.rollback(mark);
            done.failed(outcome.result);
            continue;
        }
        done.results.push(outcome.result);
        done.metas.push(OperationMetaV2 {
            ext: ExtensionPoint::V0,
            changes: ledger.state.changes(mark, &outcome.restored),
            events: outcome.events.try_into().unwrap_or_default(),
        });
        done.return_value = outcome.return_value;
        done.rent_fee = outcome.rent_fee;
        done.refundable_used = outcome.refundable_used;
    }
    if done.has_failed {
        ledger.state.rollback(before_operations);
        done.metas.clear();
        (done.rent_fee, done.refundable_used, done.return_value) = (0, 0, None);
    }
    done
}

#[derive(Default)]
struct Operations {
    results: Vec<OperationResult>,
    metas: Vec<OperationMetaV2>,
    diagnostics: Vec<DiagnosticEvent>,
    return_value: Option<ScVal>,
    rent_fee: i64,
    refundable_used: i64,
    has_failed: bool,
}

impl Operations {
    fn failed(&mut self, result: OperationResult) {
        self.results.push(result);
        self.has_failed = true;
    }
}

fn soroban_meta(
    frame: &Frame,
    engine: &Engine,
    refundable: i64,
    rent: i64,
    return_value: Option<ScVal>,
) -> SorobanTransactionMetaV2 {
    let non_refundable = frame
        .soroban_data()
        .map_or(0, |data| non_refundable_fee(frame, data, &engine.config));
    SorobanTransactionMetaV2 {
        ext: SorobanTransactionMetaExt::V1(SorobanTransactionMetaExtV1 {
            ext: ExtensionPoint::V0,
            total_non_refundable_resource_fee_charged: non_refundable,
            total_refundable_resource_fee_charged: refundable,
            rent_fee_charged: rent,
        }),
        return_value,
    }
}

fn use_sequence(ledger: &mut Applying<'_>, frame: &Frame) {
    if let Some(mut source) = accounts::load(ledger.state, &frame.source()) {
        accounts::use_sequence(&mut source, frame.sequence(), ledger.seq, ledger.close_time);
        accounts::store(ledger.state, ledger.seq, source);
    }
}

/// Whether a transaction that is invalid when its turn comes still uses up its sequence number:
/// it does where the number itself was right.
fn uses_sequence(result: &TransactionResultResult) -> bool {
    use soroban_env_host::xdr::InnerTransactionResultResult as Inner;
    match result {
        TransactionResultResult::TxFailed(_)
        | TransactionResultResult::TxBadAuth
        | TransactionResultResult::TxBadAuthExtra
        | TransactionResultResult::TxBadMinSeqAgeOrGap
        | TransactionResultResult::TxInsufficientBalance => true,
        TransactionResultResult::TxFeeBumpInnerFailed(inner) => matches!(
            inner.result.result,
            Inner::TxFailed(_)
                | Inner::TxBadAuth
                | Inner::TxBadAuthExtra
                | Inner::TxBadMinSeqAgeOrGap
                | Inner::TxInsufficientBalance
        ),
        _ => false,
    }
}
