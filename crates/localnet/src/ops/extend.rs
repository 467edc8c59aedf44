//! `ExtendFootprintTtl`: anyone may pay for a longer life.

use soroban_env_host::e2e_invoke::entry_size_for_rent;
use soroban_env_host::fees::{LedgerEntryRentChange, compute_rent_fee};
use soroban_env_host::ledger_info::get_key_durability;
use soroban_env_host::xdr::{
    ContractDataDurability, ExtendFootprintTtlOp, ExtendFootprintTtlResult, LedgerKey,
    OperationResultTr,
};

use super::{Outcome, Refusal, Scope};
use crate::limits::Limits;
use crate::meta::diagnostics::Complaint;
use crate::network::xdr;

fn outcome(result: ExtendFootprintTtlResult) -> Outcome {
    Outcome::of(OperationResultTr::ExtendFootprintTtl(result))
}

pub(super) fn check(op: &ExtendFootprintTtlOp, limits: &Limits) -> Result<(), Box<Refusal>> {
    let most = limits.archival.max_entry_ttl.saturating_sub(1);
    if op.extend_to > most {
        let malformed = Refusal::inner(OperationResultTr::ExtendFootprintTtl(
            ExtendFootprintTtlResult::Malformed,
        ));
        return Err(malformed.because(Complaint::limit(
            "the extension is above the network's limit",
            u64::from(op.extend_to),
            u64::from(most),
        )));
    }
    Ok(())
}

/// Lengthens what lives; missing, archived and longer-lived entries are passed over.
pub(super) fn apply(scope: &mut Scope<'_>, op: &ExtendFootprintTtlOp) -> Outcome {
    let Some(data) = scope.frame.soroban_data() else {
        return outcome(ExtendFootprintTtlResult::Malformed);
    };
    let until = scope.seq.saturating_add(op.extend_to);
    let mut extended = Vec::new();
    let mut rent = Vec::new();
    for key in &data.resources.footprint.read_only {
        let Some(stored) = scope.state.get(key) else {
            continue;
        };
        let Some(ttl) = stored
            .ttl
            .filter(|ttl| ttl.live_until >= scope.seq && ttl.live_until < until)
        else {
            continue;
        };
        let size = u32::try_from(xdr(stored.entry.as_ref()).len()).unwrap_or(u32::MAX);
        let Ok(size) = scope
            .engine
            .budget(u32::MAX)
            .and_then(|budget| entry_size_for_rent(&budget, &stored.entry, size))
        else {
            return outcome(ExtendFootprintTtlResult::ResourceLimitExceeded);
        };
        rent.push(LedgerEntryRentChange {
            is_persistent: get_key_durability(key) == Some(ContractDataDurability::Persistent),
            is_code_entry: matches!(key, LedgerKey::ContractCode(_)),
            old_size_bytes: size,
            new_size_bytes: size,
            old_live_until_ledger: ttl.live_until,
            new_live_until_ledger: until,
        });
        extended.push(key.clone());
    }
    let fee = compute_rent_fee(
        &rent,
        &scope.engine.config.rent_fee_configuration,
        scope.seq,
    );
    if fee > scope.refundable_fee {
        let mut failed = outcome(ExtendFootprintTtlResult::InsufficientRefundableFee);
        failed.diagnostics.push(
            Complaint::fee(
                "the refundable fee does not cover the rent",
                scope.refundable_fee,
                fee,
            )
            .event(),
        );
        return failed;
    }
    for key in &extended {
        scope.state.set_ttl(scope.seq, key, until);
    }
    Outcome {
        rent_fee: fee,
        refundable_used: fee,
        ..outcome(ExtendFootprintTtlResult::Success)
    }
}
