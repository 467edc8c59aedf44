//! `ExtendFootprintTtl`: anyone may pay for a longer life.

use soroban_env_host::xdr::{ExtendFootprintTtlOp, ExtendFootprintTtlResult, OperationResultTr};

use super::{Outcome, Refusal, Scope, rent};
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
    let mut changes = Vec::new();
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
        let Ok(size) = rent::size(scope, stored, size) else {
            return outcome(ExtendFootprintTtlResult::ResourceLimitExceeded);
        };
        changes.push(rent::longer_life(key, size, Some(ttl.live_until), until));
        extended.push(key.clone());
    }
    let fee = match rent::charge(scope, &changes) {
        Ok(fee) => fee,
        Err(complaint) => {
            return outcome(ExtendFootprintTtlResult::InsufficientRefundableFee)
                .telling(&complaint);
        }
    };
    for key in &extended {
        scope.state.set_ttl(scope.seq, key, until);
    }
    Outcome {
        rent_fee: fee,
        refundable_used: fee,
        ..outcome(ExtendFootprintTtlResult::Success)
    }
}
