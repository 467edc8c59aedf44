//! `InvokeHostFunction`: calls, uploads and creations.

use soroban_env_host::HostError;
use soroban_env_host::budget::Budget;
use soroban_env_host::e2e_invoke::{
    InvokeHostFunctionResult as HostResult, LedgerEntryChange, extract_rent_changes,
    invoke_host_function,
};
use soroban_env_host::fees::{
    TransactionResources, compute_rent_fee, compute_transaction_resource_fee,
};
use soroban_env_host::xdr::{
    AccountId, ContractEvent, DiagnosticEvent, Hash, HostFunction, InvokeHostFunctionOp,
    InvokeHostFunctionResult, InvokeHostFunctionSuccessPreImage, LedgerEntry, LedgerEntryData,
    LedgerKey, Limits as XdrLimits, OperationResultTr, ReadXdr, ScErrorCode, ScErrorType, ScVal,
    SorobanResources,
};

use super::footprint::{Failure, Footprint, check_entry_size, load_footprint};
use super::{Outcome, Refusal, Scope};
use crate::host::sub_seed;
use crate::ledger::state::Ttl;
use crate::limits::Limits;
use crate::meta::diagnostics::{Complaint, host_fn_failed, metric};
use crate::network::{sha256_xdr, xdr};

pub(super) fn check(op: &InvokeHostFunctionOp, limits: &Limits) -> Result<(), Box<Refusal>> {
    if let HostFunction::UploadContractWasm(wasm) = &op.host_function {
        let size = u64::try_from(wasm.len()).unwrap_or(u64::MAX);
        if size > u64::from(limits.code_bytes) {
            let malformed = Refusal::inner(OperationResultTr::InvokeHostFunction(
                InvokeHostFunctionResult::Malformed,
            ));
            return Err(malformed.because(Complaint::limit(
                "the contract's code is above the network's limit",
                size,
                u64::from(limits.code_bytes),
            )));
        }
    }
    Ok(())
}

pub(super) fn apply(
    scope: &mut Scope<'_>,
    op: &InvokeHostFunctionOp,
    source: &AccountId,
) -> Outcome {
    let mut diagnostics = Vec::new();
    let outcome = run(scope, op, source, &mut diagnostics).unwrap_or_else(|failure| {
        diagnostics.extend(failure.complaint.iter().map(Complaint::event));
        Outcome::of(OperationResultTr::InvokeHostFunction(failure.result))
    });
    Outcome {
        diagnostics,
        ..outcome
    }
}

fn run(
    scope: &mut Scope<'_>,
    op: &InvokeHostFunctionOp,
    source: &AccountId,
    diagnostics: &mut Vec<DiagnosticEvent>,
) -> Result<Outcome, Failure> {
    let resources = declared(scope);
    let footprint = load_footprint(scope, &resources)?;
    forget_archived_code(scope, &footprint);
    let budget = scope
        .engine
        .budget(resources.instructions)
        .map_err(|error| Failure::trapped(&error))?;
    let invoked = invoke(
        scope,
        op,
        source,
        &resources,
        &footprint,
        &budget,
        diagnostics,
    );
    let used = Used::measure(&budget);
    let done = invoked.and_then(|host| {
        let value = host.encoded_invoke_result.clone()?;
        Ok((host, value))
    });
    let (host, value) = match done {
        Ok(done) => done,
        Err(error) => {
            diagnostics.push(host_fn_failed(
                ScErrorType::Context,
                ScErrorCode::InvalidAction,
            ));
            used.report(diagnostics, &footprint, 0, 0);
            return Err(used
                .judge(&resources, scope)
                .unwrap_or_else(|| Failure::trapped(&error)));
        }
    };
    let (written, write_bytes) = decode_changes(scope, &resources, &host.ledger_changes)?;
    let events = decode_events(scope, &host, &value)?;
    let (refundable_used, rent_fee) = charge_refundable(scope, &host, &value)?;
    used.report(diagnostics, &footprint, written.len(), write_bytes);
    write_changes(scope, &resources, &host.ledger_changes, written);
    let return_value = ScVal::from_xdr(&value, XdrLimits::none())
        .map_err(|_| unreadable("the host's return value"))?;
    let preimage = InvokeHostFunctionSuccessPreImage {
        return_value: return_value.clone(),
        events: events.clone().try_into().unwrap_or_default(),
    };
    Ok(Outcome {
        events,
        return_value: Some(return_value),
        rent_fee,
        refundable_used,
        restored: footprint.restored,
        ..Outcome::of(OperationResultTr::InvokeHostFunction(
            InvokeHostFunctionResult::Success(Hash(sha256_xdr(&preimage))),
        ))
    })
}

fn declared(scope: &Scope<'_>) -> SorobanResources {
    scope
        .frame
        .soroban_data()
        .map(|data| data.resources.clone())
        .unwrap_or_default()
}

fn unreadable(what: &str) -> Failure {
    Failure {
        result: InvokeHostFunctionResult::Trapped,
        complaint: Some(Complaint::new(
            ScErrorType::Value,
            ScErrorCode::InternalError,
            format!("{what} could not be decoded"),
        )),
    }
}

fn forget_archived_code(scope: &Scope<'_>, footprint: &Footprint) {
    for key in &footprint.restored {
        if let LedgerKey::ContractCode(code) = key {
            // The cache's lock is never poisoned: a parse that panics aborts the transaction.
            let _ = scope.engine.forget(&code.hash);
        }
    }
}

fn invoke(
    scope: &Scope<'_>,
    op: &InvokeHostFunctionOp,
    source: &AccountId,
    resources: &SorobanResources,
    footprint: &Footprint,
    budget: &Budget,
    diagnostics: &mut Vec<DiagnosticEvent>,
) -> Result<HostResult, HostError> {
    let auth: Vec<Vec<u8>> = op.auth.iter().map(xdr).collect();
    invoke_host_function(
        budget,
        true,
        xdr(&op.host_function).as_slice(),
        xdr(resources).as_slice(),
        &footprint.restored_indices,
        xdr(source).as_slice(),
        auth.iter().map(Vec::as_slice),
        scope.engine.ledger_info(scope.seq, scope.close_time),
        footprint
            .entries
            .iter()
            .map(|(entry, ttl)| (entry.as_deref(), *ttl)),
        sub_seed(scope.prng_seed, 0).as_slice(),
        diagnostics,
        None,
        Some(scope.engine.modules()),
    )
}

/// What an invocation consumed.
struct Used {
    instructions: u64,
    memory: u64,
}

impl Used {
    fn measure(budget: &Budget) -> Self {
        Self {
            instructions: budget.get_cpu_insns_consumed().unwrap_or(u64::MAX),
            memory: budget.get_mem_bytes_consumed().unwrap_or(u64::MAX),
        }
    }

    /// A failed call that ran out of what it declared failed for that reason.
    fn judge(&self, resources: &SorobanResources, scope: &Scope<'_>) -> Option<Failure> {
        let declared = u64::from(resources.instructions);
        let memory = u64::from(scope.engine.config.tx_memory_limit);
        if self.instructions > declared {
            return Some(Failure::limit(
                "more instructions than declared",
                self.instructions,
                declared,
            ));
        }
        (self.memory > memory)
            .then(|| Failure::limit("more memory than the network allows", self.memory, memory))
    }

    fn report(
        &self,
        diagnostics: &mut Vec<DiagnosticEvent>,
        footprint: &Footprint,
        written: usize,
        write_bytes: u32,
    ) {
        let written = u64::try_from(written).unwrap_or(u64::MAX);
        for (name, value) in [
            ("read_entry", footprint.read_entries),
            ("write_entry", written),
            ("ledger_read_byte", u64::from(footprint.disk_read_bytes)),
            ("ledger_write_byte", u64::from(write_bytes)),
            ("cpu_insn", self.instructions),
            ("mem_byte", self.memory),
        ] {
            diagnostics.push(metric(name, value));
        }
    }
}

/// Decodes what the host wrote and holds it against the declared bytes and the entry limits.
fn decode_changes(
    scope: &Scope<'_>,
    resources: &SorobanResources,
    changes: &[LedgerEntryChange],
) -> Result<(Vec<LedgerEntry>, u32), Failure> {
    let mut written = Vec::new();
    let mut bytes = 0_u32;
    for value in changes
        .iter()
        .filter(|change| !change.read_only)
        .filter_map(|change| change.encoded_new_value.as_ref())
    {
        let entry = LedgerEntry::from_xdr(value, XdrLimits::none())
            .map_err(|_| unreadable("an entry of the host"))?;
        let size = u32::try_from(value.len()).unwrap_or(u32::MAX);
        check_entry_size(scope.limits, &entry.to_key(), size)?;
        bytes = bytes.saturating_add(size);
        written.push(entry);
    }
    if bytes > resources.write_bytes {
        return Err(Failure::limit(
            "more write bytes than declared",
            u64::from(bytes),
            u64::from(resources.write_bytes),
        ));
    }
    Ok((written, bytes))
}

fn events_and_value_size(host: &HostResult, value: &[u8]) -> u32 {
    let bytes: usize = host
        .encoded_contract_events
        .iter()
        .map(Vec::len)
        .sum::<usize>()
        .saturating_add(value.len());
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn decode_events(
    scope: &Scope<'_>,
    host: &HostResult,
    value: &[u8],
) -> Result<Vec<ContractEvent>, Failure> {
    let size = events_and_value_size(host, value);
    if size > scope.limits.event_bytes {
        return Err(Failure::limit(
            "events and return value are above the network's limit",
            u64::from(size),
            u64::from(scope.limits.event_bytes),
        ));
    }
    host.encoded_contract_events
        .iter()
        .map(|event| {
            ContractEvent::from_xdr(event, XdrLimits::none())
                .map_err(|_| unreadable("an event of the host"))
        })
        .collect()
}

/// Rent, events and return value against the refundable fee: `(used, rent)` in stroops.
fn charge_refundable(
    scope: &Scope<'_>,
    host: &HostResult,
    value: &[u8],
) -> Result<(i64, i64), Failure> {
    let config = &scope.engine.config;
    let rent_fee = compute_rent_fee(
        &extract_rent_changes(&host.ledger_changes),
        &config.rent_fee_configuration,
        scope.seq,
    );
    let only_events = TransactionResources {
        instructions: 0,
        disk_read_entries: 0,
        write_entries: 0,
        disk_read_bytes: 0,
        write_bytes: 0,
        contract_events_size_bytes: events_and_value_size(host, value),
        transaction_size_bytes: 0,
    };
    let (_, events_fee) = compute_transaction_resource_fee(&only_events, &config.fee_configuration);
    let used = rent_fee.saturating_add(events_fee);
    if used > scope.refundable_fee {
        return Err(Failure {
            result: InvokeHostFunctionResult::InsufficientRefundableFee,
            complaint: Some(Complaint::fee(
                "the refundable fee does not cover rent and events",
                scope.refundable_fee,
                used,
            )),
        });
    }
    Ok((used, rent_fee))
}

/// Takes over what the host wrote. A read-write key without a new value is a deletion.
fn write_changes(
    scope: &mut Scope<'_>,
    resources: &SorobanResources,
    changes: &[LedgerEntryChange],
    written: Vec<LedgerEntry>,
) {
    let kept: Vec<LedgerKey> = written.iter().map(LedgerEntry::to_key).collect();
    for entry in written {
        let ttl = scope.state.get(&entry.to_key()).and_then(|old| old.ttl);
        let has_ttl = matches!(
            entry.data,
            LedgerEntryData::ContractData(_) | LedgerEntryData::ContractCode(_)
        );
        let ttl = has_ttl.then(|| {
            ttl.unwrap_or(Ttl {
                live_until: scope.seq,
                last_modified: scope.seq,
            })
        });
        scope.state.put(scope.seq, entry.data, ttl);
    }
    for change in changes {
        let (Ok(key), Some(ttl)) = (
            LedgerKey::from_xdr(&change.encoded_key, XdrLimits::none()),
            change.ttl_change.as_ref(),
        ) else {
            continue;
        };
        if ttl.new_live_until_ledger > ttl.old_live_until_ledger {
            scope
                .state
                .set_ttl(scope.seq, &key, ttl.new_live_until_ledger);
        }
    }
    for key in &resources.footprint.read_write {
        if !kept.contains(key) && scope.state.get(key).is_some() {
            scope.state.remove(key);
        }
    }
}
