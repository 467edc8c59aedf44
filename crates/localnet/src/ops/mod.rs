//! The operations this ledger knows, one file each. Everything else is refused in words.

pub(crate) mod accounts;
pub(crate) mod trustlines;

mod account_merge;
mod change_trust;
mod clawback;
mod create_account;
mod extend;
mod footprint;
pub(crate) mod invoke;
mod payment;
mod rent;
mod restore;
mod set_options;
mod set_trust_line_flags;

use soroban_env_host::xdr::{
    AccountId, AccountMergeResult, ChangeTrustResult, ClawbackResult, ContractEvent,
    CreateAccountResult, DiagnosticEvent, ExtendFootprintTtlResult, Hash, InvokeHostFunctionResult,
    LedgerKey, Operation, OperationBody, OperationResult, OperationResultTr, PaymentResult,
    RestoreFootprintResult, ScErrorCode, ScErrorType, ScVal, SetOptionsResult,
    SetTrustLineFlagsResult,
};

use crate::host::Engine;
use crate::ledger::state::State;
use crate::limits::Limits;
use crate::meta::diagnostics::Complaint;
use crate::network::Network;
use crate::tx::envelope::Frame;

/// An operation that can never succeed, whatever the ledger holds.
pub(crate) struct Refusal {
    pub(crate) result: OperationResult,
    pub(crate) complaint: Option<Complaint>,
}

impl Refusal {
    fn inner(result: OperationResultTr) -> Box<Self> {
        Box::new(Self {
            result: OperationResult::OpInner(result),
            complaint: None,
        })
    }

    fn unsupported(text: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            result: OperationResult::OpNotSupported,
            complaint: Some(Complaint::new(
                ScErrorType::Context,
                ScErrorCode::InvalidAction,
                text,
            )),
        })
    }

    /// The same with a reason.
    fn because(mut self: Box<Self>, complaint: Complaint) -> Box<Self> {
        self.complaint = Some(complaint);
        self
    }
}

/// Where an operation is applied.
pub(crate) struct Scope<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) network: &'a Network,
    pub(crate) engine: &'a Engine,
    pub(crate) limits: &'a Limits,
    /// The ledger that is being closed.
    pub(crate) seq: u32,
    /// Its close time in Unix seconds.
    pub(crate) close_time: u64,
    pub(crate) frame: &'a Frame,
    /// Seed of the transaction's random numbers.
    pub(crate) prng_seed: [u8; 32],
    /// The part of the resource fee that rent and events may use, in stroops.
    pub(crate) refundable_fee: i64,
}

impl Scope<'_> {
    /// Until when an entry lives that comes back from the archive now.
    fn restored_until(&self) -> u32 {
        let life = self.limits.archival.min_persistent_ttl.saturating_sub(1);
        self.seq.saturating_add(life)
    }
}

/// What an operation did besides its changes.
pub(crate) struct Outcome {
    pub(crate) result: OperationResult,
    pub(crate) events: Vec<ContractEvent>,
    pub(crate) diagnostics: Vec<DiagnosticEvent>,
    pub(crate) return_value: Option<ScVal>,
    /// Stroops of the refundable fee that rent used.
    pub(crate) rent_fee: i64,
    /// Stroops of the refundable fee that were used in all.
    pub(crate) refundable_used: i64,
    /// Entries that came back from the archive.
    pub(crate) restored: Vec<LedgerKey>,
}

impl Outcome {
    fn of(result: OperationResultTr) -> Self {
        Self {
            result: OperationResult::OpInner(result),
            events: Vec::new(),
            diagnostics: Vec::new(),
            return_value: None,
            rent_fee: 0,
            refundable_used: 0,
            restored: Vec::new(),
        }
    }

    /// The same with a reason among the diagnostic events.
    fn telling(mut self, complaint: &Complaint) -> Self {
        self.diagnostics.push(complaint.event());
        self
    }

    fn with_events(result: OperationResultTr, events: Vec<ContractEvent>) -> Self {
        Self {
            events,
            ..Self::of(result)
        }
    }
}

/// Judges an operation without looking at the ledger.
pub(crate) fn check(
    body: &OperationBody,
    source: &AccountId,
    limits: &Limits,
) -> Result<(), Box<Refusal>> {
    match body {
        OperationBody::CreateAccount(op) => create_account::check(op, source),
        OperationBody::Payment(op) => payment::check(op),
        OperationBody::ChangeTrust(op) => change_trust::check(op, source),
        OperationBody::SetOptions(op) => set_options::check(op, source),
        OperationBody::SetTrustLineFlags(op) => set_trust_line_flags::check(op, source),
        OperationBody::AccountMerge(destination) => account_merge::check(destination, source),
        OperationBody::Clawback(op) => clawback::check(op, source),
        OperationBody::InvokeHostFunction(op) => invoke::check(op, limits),
        OperationBody::ExtendFootprintTtl(op) => extend::check(op, limits),
        OperationBody::RestoreFootprint(_) => Ok(()),
        other => Err(Refusal::unsupported(format!(
            "operation {} is not supported by this local ledger",
            other.name()
        ))),
    }
}

/// Applies an operation. Its changes are in the scope's state; the caller takes them back when the
/// result is no success.
pub(crate) fn apply(scope: &mut Scope<'_>, operation: &Operation, source: &AccountId) -> Outcome {
    match &operation.body {
        OperationBody::CreateAccount(op) => create_account::apply(scope, op, source),
        OperationBody::Payment(op) => payment::apply(scope, op, source),
        OperationBody::ChangeTrust(op) => change_trust::apply(scope, op, source),
        OperationBody::SetOptions(op) => set_options::apply(scope, op, source),
        OperationBody::SetTrustLineFlags(op) => set_trust_line_flags::apply(scope, op),
        OperationBody::AccountMerge(destination) => {
            account_merge::apply(scope, destination, source)
        }
        OperationBody::Clawback(op) => clawback::apply(scope, op),
        OperationBody::InvokeHostFunction(op) => invoke::apply(scope, op, source),
        OperationBody::ExtendFootprintTtl(op) => extend::apply(scope, op),
        OperationBody::RestoreFootprint(_) => restore::apply(scope),
        _ => Outcome {
            result: OperationResult::OpNotSupported,
            ..Outcome::of(OperationResultTr::Payment(PaymentResult::Malformed))
        },
    }
}

/// The result of an operation that passed its checks, in a list where another one failed.
pub(crate) fn success_result(body: &OperationBody) -> OperationResult {
    let result = match body {
        OperationBody::CreateAccount(_) => {
            OperationResultTr::CreateAccount(CreateAccountResult::Success)
        }
        OperationBody::Payment(_) => OperationResultTr::Payment(PaymentResult::Success),
        OperationBody::ChangeTrust(_) => OperationResultTr::ChangeTrust(ChangeTrustResult::Success),
        OperationBody::SetOptions(_) => OperationResultTr::SetOptions(SetOptionsResult::Success),
        OperationBody::SetTrustLineFlags(_) => {
            OperationResultTr::SetTrustLineFlags(SetTrustLineFlagsResult::Success)
        }
        OperationBody::AccountMerge(_) => {
            OperationResultTr::AccountMerge(AccountMergeResult::Success(0))
        }
        OperationBody::Clawback(_) => OperationResultTr::Clawback(ClawbackResult::Success),
        OperationBody::InvokeHostFunction(_) => {
            OperationResultTr::InvokeHostFunction(InvokeHostFunctionResult::Success(Hash([0; 32])))
        }
        OperationBody::ExtendFootprintTtl(_) => {
            OperationResultTr::ExtendFootprintTtl(ExtendFootprintTtlResult::Success)
        }
        OperationBody::RestoreFootprint(_) => {
            OperationResultTr::RestoreFootprint(RestoreFootprintResult::Success)
        }
        _ => return OperationResult::OpNotSupported,
    };
    OperationResult::OpInner(result)
}

/// Whether an operation did what it was asked to do.
pub(crate) fn succeeded(result: &OperationResult) -> bool {
    let OperationResult::OpInner(result) = result else {
        return false;
    };
    match result {
        OperationResultTr::CreateAccount(r) => matches!(r, CreateAccountResult::Success),
        OperationResultTr::Payment(r) => matches!(r, PaymentResult::Success),
        OperationResultTr::ChangeTrust(r) => matches!(r, ChangeTrustResult::Success),
        OperationResultTr::SetOptions(r) => matches!(r, SetOptionsResult::Success),
        OperationResultTr::SetTrustLineFlags(r) => matches!(r, SetTrustLineFlagsResult::Success),
        OperationResultTr::AccountMerge(r) => matches!(r, AccountMergeResult::Success(_)),
        OperationResultTr::Clawback(r) => matches!(r, ClawbackResult::Success),
        OperationResultTr::InvokeHostFunction(r) => {
            matches!(r, InvokeHostFunctionResult::Success(_))
        }
        OperationResultTr::ExtendFootprintTtl(r) => matches!(r, ExtendFootprintTtlResult::Success),
        OperationResultTr::RestoreFootprint(r) => matches!(r, RestoreFootprintResult::Success),
        _ => false,
    }
}
