//! `RestoreFootprint`: archived entries come back to life.

use soroban_env_host::xdr::{LedgerKey, OperationResultTr, RestoreFootprintResult};

use super::{Outcome, Scope, rent};
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
    let until = scope.restored_until();
    let mut restored = Vec::new();
    let mut changes = Vec::new();
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
        let Ok(size) = rent::size(scope, stored, size) else {
            return outcome(RestoreFootprintResult::ResourceLimitExceeded);
        };
        changes.push(rent::longer_life(key, size, None, until));
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
            return outcome(RestoreFootprintResult::ResourceLimitExceeded).telling(
                &Complaint::limit(text, u64::from(bytes), u64::from(declared)),
            );
        }
    }
    let fee = match rent::charge(scope, &changes) {
        Ok(fee) => fee,
        Err(complaint) => {
            return outcome(RestoreFootprintResult::InsufficientRefundableFee).telling(&complaint);
        }
    };
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
