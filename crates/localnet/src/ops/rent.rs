//! Rent: what an entry's size and life cost.

use soroban_env_host::HostError;
use soroban_env_host::e2e_invoke::entry_size_for_rent;
use soroban_env_host::fees::{LedgerEntryRentChange, compute_rent_fee};
use soroban_env_host::ledger_info::get_key_durability;
use soroban_env_host::xdr::{ContractDataDurability, LedgerKey};

use super::Scope;
use crate::ledger::state::Stored;
use crate::meta::diagnostics::Complaint;

/// The size that rent is computed from, in bytes: for code, what its module takes in memory is added
/// to the `encoded` size.
pub(super) fn size(scope: &Scope<'_>, stored: &Stored, encoded: u32) -> Result<u32, HostError> {
    let budget = scope.engine.budget(u32::MAX)?;
    entry_size_for_rent(&budget, &stored.entry, encoded)
}

/// An entry of `size` bytes that will live until ledger `until`; before, until `from`, or not at
/// all where it comes back from the archive.
pub(super) fn longer_life(
    key: &LedgerKey,
    size: u32,
    from: Option<u32>,
    until: u32,
) -> LedgerEntryRentChange {
    LedgerEntryRentChange {
        is_persistent: get_key_durability(key) == Some(ContractDataDurability::Persistent),
        is_code_entry: matches!(key, LedgerKey::ContractCode(_)),
        old_size_bytes: if from.is_some() { size } else { 0 },
        new_size_bytes: size,
        old_live_until_ledger: from.unwrap_or(0),
        new_live_until_ledger: until,
    }
}

/// What the changes cost, in stroops, where the refundable fee covers it.
pub(super) fn charge(
    scope: &Scope<'_>,
    changes: &[LedgerEntryRentChange],
) -> Result<i64, Complaint> {
    let rates = &scope.engine.config.rent_fee_configuration;
    let fee = compute_rent_fee(changes, rates, scope.seq);
    if fee > scope.refundable_fee {
        return Err(Complaint::fee(
            "the refundable fee does not cover the rent",
            scope.refundable_fee,
            fee,
        ));
    }
    Ok(fee)
}
