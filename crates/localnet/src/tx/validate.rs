//! Whether a transaction may enter the queue, or a ledger: core's checks in core's order.

use soroban_env_host::xdr::{
    AccountEntry, Duration, FeeBumpTransactionInnerTx, Hash, InnerTransactionResult,
    InnerTransactionResultExt, InnerTransactionResultPair, InnerTransactionResultResult,
    LedgerBounds, OperationBody, OperationResult, Preconditions, PreconditionsV2, ScErrorCode,
    ScErrorType, SequenceNumber, SignerKey, TimeBounds, TransactionEnvelope, TransactionResult,
    TransactionResultExt, TransactionResultResult,
};
use soroban_simulation::NetworkConfig;

use super::envelope::{FeeBump, Frame, has_memo, is_muxed, muxed_account_id};
use super::resources;
use super::signatures::{Level, SignatureChecker, operation_level};
use crate::ledger::state::State;
use crate::limits::Limits;
use crate::meta::diagnostics::Complaint;
use crate::ops;
use crate::ops::accounts::{self, available_balance};

/// What a transaction is judged against.
pub(crate) struct Rules<'a> {
    pub(crate) state: &'a State,
    pub(crate) limits: &'a Limits,
    pub(crate) config: &'a NetworkConfig,
    /// The ledger it would be part of.
    pub(crate) seq: u32,
    /// Unix seconds before which a minimum time must not lie.
    pub(crate) not_before: u64,
    /// Unix seconds that a maximum time must reach.
    pub(crate) not_after: u64,
    /// The fee was taken already: the transaction is being applied.
    pub(crate) applying: bool,
}

/// Why a transaction is refused.
#[derive(Clone, Debug)]
pub(crate) struct Invalid {
    pub(crate) result: TransactionResult,
    pub(crate) complaint: Option<Complaint>,
}

impl Invalid {
    /// A flaw with the fee that the result names, in stroops.
    fn flawed(flaw: Flaw, fee_charged: i64) -> Box<Self> {
        Box::new(Self {
            complaint: flaw.complaint,
            ..Self::new(flaw.result, fee_charged)
        })
    }

    /// A refusal with the fee that the result names, in stroops.
    pub(crate) fn new(result: TransactionResultResult, fee_charged: i64) -> Self {
        Self {
            result: TransactionResult {
                fee_charged,
                result,
                ext: TransactionResultExt::V0,
            },
            complaint: None,
        }
    }
}

/// What is wrong with a transaction.
struct Flaw {
    result: TransactionResultResult,
    complaint: Option<Complaint>,
}

impl Flaw {
    fn of(result: TransactionResultResult) -> Box<Self> {
        Box::new(Self {
            result,
            complaint: None,
        })
    }

    /// The same with a reason.
    fn because(mut self: Box<Self>, complaint: Complaint) -> Box<Self> {
        self.complaint = Some(complaint);
        self
    }
}

type Verdict = Result<(), Box<Flaw>>;

/// Judges a transaction.
pub(crate) fn validate(rules: &Rules<'_>, frame: &Frame) -> Result<(), Box<Invalid>> {
    let fee_charged = frame
        .min_inclusion_fee()
        .saturating_add(frame.resource_fee());
    // The outer layer is judged on the way in alone: once its fee was taken it has done its part,
    // even if its payer lost its signer or its account in the same ledger.
    if let Some(bump) = frame.fee_bump.as_ref().filter(|_| !rules.applying) {
        if let Some(needed) = fee_bump_shortfall(frame) {
            let short = Flaw::of(TransactionResultResult::TxInsufficientFee);
            return Err(Invalid::flawed(*short, needed));
        }
        fee_bump(rules, frame, bump).map_err(|flaw| Invalid::flawed(*flaw, fee_charged))?;
    }
    inner(rules, frame).map_err(|mut flaw| {
        if frame.fee_bump.is_some() {
            flaw.result = wrap_inner(frame, flaw.result);
        }
        Invalid::flawed(*flaw, fee_charged)
    })
}

/// The outer layer: its payer exists, signed, and can pay.
fn fee_bump(rules: &Rules<'_>, frame: &Frame, bump: &FeeBump) -> Verdict {
    let mut checker = SignatureChecker::new(bump.hash, &bump.signatures);
    let account = accounts::load(rules.state, &bump.source)
        .ok_or_else(|| Flaw::of(TransactionResultResult::TxNoAccount))?;
    if !checker.account(&account, Level::Low) {
        return Err(Flaw::of(TransactionResultResult::TxBadAuth));
    }
    can_pay(rules, frame, &account)?;
    if !checker.all_used() {
        return Err(Flaw::of(TransactionResultResult::TxBadAuthExtra));
    }
    Ok(())
}

/// The result of a fee bump around the result of its inner transaction.
pub(crate) fn wrap_inner(
    frame: &Frame,
    result: TransactionResultResult,
) -> TransactionResultResult {
    let succeeded = matches!(result, TransactionResultResult::TxSuccess(_));
    let pair = InnerTransactionResultPair {
        transaction_hash: Hash(frame.inner_hash),
        result: InnerTransactionResult {
            fee_charged: 0,
            result: inner_result(result),
            ext: InnerTransactionResultExt::V0,
        },
    };
    if succeeded {
        TransactionResultResult::TxFeeBumpInnerSuccess(pair)
    } else {
        TransactionResultResult::TxFeeBumpInnerFailed(pair)
    }
}

fn inner_result(result: TransactionResultResult) -> InnerTransactionResultResult {
    use InnerTransactionResultResult as Inner;
    use TransactionResultResult as Outer;
    match result {
        Outer::TxSuccess(operations) => Inner::TxSuccess(operations),
        Outer::TxFailed(operations) => Inner::TxFailed(operations),
        Outer::TxTooEarly => Inner::TxTooEarly,
        Outer::TxTooLate => Inner::TxTooLate,
        Outer::TxMissingOperation => Inner::TxMissingOperation,
        Outer::TxBadSeq => Inner::TxBadSeq,
        Outer::TxBadAuth => Inner::TxBadAuth,
        Outer::TxInsufficientBalance => Inner::TxInsufficientBalance,
        Outer::TxNoAccount => Inner::TxNoAccount,
        Outer::TxInsufficientFee => Inner::TxInsufficientFee,
        Outer::TxBadAuthExtra => Inner::TxBadAuthExtra,
        Outer::TxNotSupported => Inner::TxNotSupported,
        Outer::TxBadSponsorship => Inner::TxBadSponsorship,
        Outer::TxBadMinSeqAgeOrGap => Inner::TxBadMinSeqAgeOrGap,
        Outer::TxMalformed => Inner::TxMalformed,
        Outer::TxSorobanInvalid => Inner::TxSorobanInvalid,
        Outer::TxFrozenKeyAccessed => Inner::TxFrozenKeyAccessed,
        // A fee bump is never the inner transaction of another.
        Outer::TxInternalError
        | Outer::TxFeeBumpInnerSuccess(_)
        | Outer::TxFeeBumpInnerFailed(_) => Inner::TxInternalError,
    }
}

/// What a refused fee bump is told, in stroops: all of the minimum for its operations, or the
/// inclusion fee at which its rate would be no lower than that of its inner transaction.
fn fee_bump_shortfall(frame: &Frame) -> Option<i64> {
    let minimum = frame.min_inclusion_fee();
    let bid = frame.inclusion_bid();
    if bid < minimum {
        return Some(minimum.saturating_add(frame.resource_fee()));
    }
    let TransactionEnvelope::TxFeeBump(envelope) = &frame.envelope else {
        return None;
    };
    let FeeBumpTransactionInnerTx::Tx(inner) = &envelope.tx.inner_tx;
    let inner_bid = i64::from(inner.tx.fee).saturating_sub(frame.resource_fee());
    let inner_operations = i128::try_from(inner.tx.operations.len()).unwrap_or(i128::MAX);
    let outer_operations = i128::from(frame.fee_operations());
    if inner_bid < 0 {
        // A resource fee that does not fit the inner fee: clearly the bump is one.
        return None;
    }
    let inner_operations = inner_operations.max(1);
    let needed =
        (i128::from(inner_bid) * outer_operations + inner_operations - 1) / inner_operations;
    (i128::from(bid) < needed).then(|| i64::try_from(needed).unwrap_or(i64::MAX))
}

/// Whether the payer has the fee beside its reserve; when the fee was taken already, whether that
/// left the reserve.
fn can_pay(rules: &Rules<'_>, frame: &Frame, payer: &AccountEntry) -> Verdict {
    let due = if rules.applying { 0 } else { frame.full_fee() };
    if available_balance(payer) < due {
        return Err(Flaw::of(TransactionResultResult::TxInsufficientBalance));
    }
    Ok(())
}

/// Everything below the fee bump.
fn inner(rules: &Rules<'_>, frame: &Frame) -> Verdict {
    shape(frame)?;
    if let Some(data) = frame.soroban_data() {
        soroban_text(frame)?;
        resources::check(frame, data, rules.limits, rules.config).map_err(|complaint| {
            Flaw::of(TransactionResultResult::TxSorobanInvalid).because(complaint)
        })?;
    }
    bounds(rules, &frame.tx.cond).map_err(Flaw::of)?;
    if !rules.applying
        && frame.fee_bump.is_none()
        && frame.inclusion_bid() < frame.min_inclusion_fee()
    {
        return Err(Flaw::of(TransactionResultResult::TxInsufficientFee));
    }
    let source = accounts::load(rules.state, &frame.source())
        .ok_or_else(|| Flaw::of(TransactionResultResult::TxNoAccount))?;
    sequence(rules, frame, &source).map_err(Flaw::of)?;
    let mut checker = SignatureChecker::new(frame.inner_hash, &frame.signatures);
    if !checker.account(&source, Level::Low) {
        return Err(Flaw::of(TransactionResultResult::TxBadAuth));
    }
    extra_signers(&mut checker, &frame.tx.cond)?;
    if frame.fee_bump.is_none() {
        can_pay(rules, frame, &source)?;
    }
    operations(rules, frame, &mut checker)?;
    if !checker.all_used() {
        return Err(Flaw::of(TransactionResultResult::TxBadAuthExtra));
    }
    Ok(())
}

/// Operations and extension must belong together.
fn shape(frame: &Frame) -> Verdict {
    let operations = &frame.tx.operations;
    if operations.is_empty() {
        return Err(Flaw::of(TransactionResultResult::TxMissingOperation));
    }
    if let Some(v2) = preconditions_v2(&frame.tx.cond)
        && let [first, second] = v2.extra_signers.as_slice()
        && first == second
    {
        return Err(Flaw::of(TransactionResultResult::TxMalformed));
    }
    let contract = frame.is_soroban();
    if contract && operations.len() != 1 || contract != frame.soroban_data().is_some() {
        let text = "a contract transaction has exactly one operation and declares its resources; \
                    a classic one declares none";
        return Err(
            Flaw::of(TransactionResultResult::TxMalformed).because(Complaint::new(
                ScErrorType::Context,
                ScErrorCode::InvalidInput,
                text,
            )),
        );
    }
    Ok(())
}

/// A contract call carries no memo and no multiplexed source: its authorisation would not cover
/// them.
fn soroban_text(frame: &Frame) -> Verdict {
    let Some(operation) = frame.tx.operations.first() else {
        return Ok(());
    };
    let invokes = matches!(operation.body, OperationBody::InvokeHostFunction(_));
    let muxed = is_muxed(&frame.tx.source_account)
        || operation.source_account.as_ref().is_some_and(is_muxed);
    if invokes && (has_memo(&frame.tx) || muxed) {
        return Err(
            Flaw::of(TransactionResultResult::TxSorobanInvalid).because(Complaint::new(
                ScErrorType::Context,
                ScErrorCode::InvalidInput,
                "a contract call has no memo and no multiplexed source account",
            )),
        );
    }
    Ok(())
}

fn bounds(rules: &Rules<'_>, cond: &Preconditions) -> Result<(), TransactionResultResult> {
    let (time, ledger) = match cond {
        Preconditions::None => (None, None),
        Preconditions::Time(time) => (Some(time), None),
        Preconditions::V2(v2) => (v2.time_bounds.as_ref(), v2.ledger_bounds.as_ref()),
    };
    if let Some(TimeBounds { min_time, .. }) = time
        && min_time.0 > rules.not_before
    {
        return Err(TransactionResultResult::TxTooEarly);
    }
    if let Some(LedgerBounds { min_ledger, .. }) = ledger
        && *min_ledger > rules.seq
    {
        return Err(TransactionResultResult::TxTooEarly);
    }
    if let Some(TimeBounds { max_time, .. }) = time
        && max_time.0 != 0
        && max_time.0 < rules.not_after
    {
        return Err(TransactionResultResult::TxTooLate);
    }
    if let Some(LedgerBounds { max_ledger, .. }) = ledger
        && *max_ledger != 0
        && *max_ledger <= rules.seq
    {
        return Err(TransactionResultResult::TxTooLate);
    }
    Ok(())
}

fn preconditions_v2(cond: &Preconditions) -> Option<&PreconditionsV2> {
    match cond {
        Preconditions::V2(v2) => Some(v2),
        Preconditions::None | Preconditions::Time(_) => None,
    }
}

fn sequence(
    rules: &Rules<'_>,
    frame: &Frame,
    source: &AccountEntry,
) -> Result<(), TransactionResultResult> {
    let v2 = preconditions_v2(&frame.tx.cond);
    let current = source.seq_num.0;
    let wanted = frame.sequence();
    // The numbers of an account created in this very ledger start here.
    let starting = i64::from(rules.seq) << 32;
    let fits = match v2.and_then(|v2| v2.min_seq_num.as_ref()) {
        Some(SequenceNumber(minimum)) => current >= *minimum && current < wanted,
        None => current.checked_add(1) == Some(wanted),
    };
    if wanted == starting || !fits {
        return Err(TransactionResultResult::TxBadSeq);
    }
    if let Some(PreconditionsV2 {
        min_seq_age: Duration(age),
        min_seq_ledger_gap: gap,
        ..
    }) = v2
    {
        let (seq_ledger, seq_time) = accounts::last_sequence_use(source);
        if rules.not_before.saturating_sub(seq_time) < *age
            || rules.seq.saturating_sub(seq_ledger) < *gap
        {
            return Err(TransactionResultResult::TxBadMinSeqAgeOrGap);
        }
    }
    Ok(())
}

fn extra_signers(checker: &mut SignatureChecker<'_>, cond: &Preconditions) -> Verdict {
    let Some(v2) = preconditions_v2(cond) else {
        return Ok(());
    };
    for signer in &v2.extra_signers {
        let SignerKey::Ed25519(key) = signer else {
            return Err(
                Flaw::of(TransactionResultResult::TxNotSupported).because(Complaint::new(
                    ScErrorType::Context,
                    ScErrorCode::InvalidInput,
                    "this ledger supports extra signers of the kind ed25519 only",
                )),
            );
        };
        if !checker.extra_signer(key) {
            return Err(Flaw::of(TransactionResultResult::TxBadAuth));
        }
    }
    Ok(())
}

/// Each operation's signatures and shape; one that cannot succeed fails the transaction.
fn operations(rules: &Rules<'_>, frame: &Frame, checker: &mut SignatureChecker<'_>) -> Verdict {
    let mut results = Vec::with_capacity(frame.tx.operations.len());
    let mut complaint = None;
    let mut failed = false;
    for operation in &frame.tx.operations {
        let source = operation
            .source_account
            .as_ref()
            .map_or_else(|| frame.source(), muxed_account_id);
        let signed = match accounts::load(rules.state, &source) {
            Some(account) => checker
                .account(&account, operation_level(&operation.body))
                .then_some(())
                .ok_or_else(|| Box::new(OperationResult::OpBadAuth)),
            // At submission the account may still be created by an earlier operation.
            None if operation.source_account.is_some() => checker
                .missing_account(&source)
                .then_some(())
                .ok_or_else(|| Box::new(OperationResult::OpBadAuth)),
            None => Err(Box::new(OperationResult::OpNoAccount)),
        };
        // Before it is applied, the first flaw settles the matter.
        if failed && !rules.applying {
            results.push(ops::success_result(&operation.body));
            continue;
        }
        let judged = signed.and_then(|()| {
            ops::check(&operation.body, &source, rules.limits).map_err(|refusal| {
                complaint = refusal.complaint;
                Box::new(refusal.result)
            })
        });
        match judged {
            Ok(()) => results.push(ops::success_result(&operation.body)),
            Err(result) => {
                failed = true;
                results.push(*result);
            }
        }
    }
    if failed {
        let results = results.try_into().unwrap_or_default();
        let flaw = Flaw::of(TransactionResultResult::TxFailed(results));
        return Err(match complaint {
            Some(complaint) => flaw.because(complaint),
            None => flaw,
        });
    }
    Ok(())
}
