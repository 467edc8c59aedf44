//! `RestoreFootprint`: archived entries come back to life.

use soroban_env_host::e2e_invoke::entry_size_for_rent;
use soroban_env_host::fees::{LedgerEntryRentChange, compute_rent_fee};
use soroban_env_host::xdr::{LedgerKey, OperationResultTr, RestoreFootprintResult};

use super::{Outcome, Scope};
use crate::meta::diagnostics::Complaint;
use crate::network::xdr;

fn outcome(result: RestoreFootprintResult) -> Outcome {
    Outcome::of(OperationResultTr::RestoreFootprint(result))
}

/// Restores what is archived; missing and live entries are passed over.
pub(super) fn apply(scope: &mut Scope<'_>) -> Outcome {
    let Some(data) = scope.frame.soroban_data() else {
        return outcome(RestoreFootprintResult::Malformed);
    };
    let until = scope
        .seq
        .saturating_add(scope.limits.archival.min_persistent_ttl.saturating_sub(1));
    let mut restored = Vec::new();
    let mut rent = Vec::new();
    let mut bytes = 0_u32;
    for key in &data.resources.footprint.read_write {
        let Some(stored) = scope
            .state
            .get(key)
            .filter(|stored| !stored.is_live(scope.seq))
        else {
            continue;
        };
        let size = u32::try_from(xdr(stored.entry.as_ref()).len()).unwrap_or(u32::MAX);
        bytes = bytes.saturating_add(size);
        let Ok(rent_size) = scope
            .engine
            .budget(u32::MAX)
            .and_then(|budget| entry_size_for_rent(&budget, &stored.entry, size))
        else {
            return outcome(RestoreFootprintResult::ResourceLimitExceeded);
        };
        rent.push(LedgerEntryRentChange {
            is_persistent: true,
            is_code_entry: matches!(key, LedgerKey::ContractCode(_)),
            old_size_bytes: 0,
            new_size_bytes: rent_size,
            old_live_until_ledger: 0,
            new_live_until_ledger: until,
        });
        restored.push(key.clone());
    }
    let resources = &data.resources;
    for (text, declared) in [
        (
            "more disk-read bytes than declared",
            resources.disk_read_bytes,
        ),
        ("more write bytes than declared", resources.write_bytes),
    ] {
        if bytes > declared {
            let mut failed = outcome(RestoreFootprintResult::ResourceLimitExceeded);
            failed
                .diagnostics
                .push(Complaint::limit(text, u64::from(bytes), u64::from(declared)).event());
            return failed;
        }
    }
    let fee = compute_rent_fee(
        &rent,
        &scope.engine.config.rent_fee_configuration,
        scope.seq,
    );
    if fee > scope.refundable_fee {
        let mut failed = outcome(RestoreFootprintResult::InsufficientRefundableFee);
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
    for key in &restored {
        if let LedgerKey::ContractCode(code) = key {
            // See `invoke`: the cache's lock is never poisoned.
            let _ = scope.engine.forget(&code.hash);
        }
        scope.state.set_ttl(scope.seq, key, until);
    }
    Outcome {
        rent_fee: fee,
        refundable_used: fee,
        restored,
        ..outcome(RestoreFootprintResult::Success)
    }
}
