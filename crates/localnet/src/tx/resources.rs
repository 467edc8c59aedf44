//! What a contract transaction may declare, and what that costs before it runs.

use std::collections::BTreeSet;

use soroban_env_host::fees::{TransactionResources, compute_transaction_resource_fee};
use soroban_env_host::ledger_info::get_key_durability;
use soroban_env_host::xdr::{
    ContractDataDurability, LedgerKey, OperationBody, ScErrorCode, ScErrorType,
    SorobanTransactionData, TrustLineAsset,
};
use soroban_simulation::NetworkConfig;

use super::envelope::Frame;
use crate::limits::Limits;
use crate::meta::diagnostics::Complaint;
use crate::network::xdr;

/// Judges the declared resources. The complaint says which limit is broken, as core's diagnostic
/// events do.
pub(crate) fn check(
    frame: &Frame,
    data: &SorobanTransactionData,
    limits: &Limits,
    config: &NetworkConfig,
) -> Result<(), Complaint> {
    let resources = &data.resources;
    let footprint = &resources.footprint;
    let cost = &limits.ledger_cost;
    let all_entries = footprint.read_only.len() + footprint.read_write.len();
    let bounds = [
        (
            "declared instructions are above the network's limit",
            u64::from(resources.instructions),
            limits.compute.tx_max_instructions.unsigned_abs(),
        ),
        (
            "declared disk-read bytes are above the network's limit",
            u64::from(resources.disk_read_bytes),
            u64::from(cost.tx_max_disk_read_bytes),
        ),
        (
            "declared write bytes are above the network's limit",
            u64::from(resources.write_bytes),
            u64::from(cost.tx_max_write_bytes),
        ),
        (
            "entries to be read from disk are above the network's limit",
            u64::from(disk_read_entries(frame, data)),
            u64::from(cost.tx_max_disk_read_entries),
        ),
        (
            "entries to be written are above the network's limit",
            len(footprint.read_write.len()),
            u64::from(cost.tx_max_write_ledger_entries),
        ),
        (
            "entries of the footprint are above the network's limit",
            len(all_entries),
            u64::from(limits.footprint_entries),
        ),
        (
            "the transaction's size is above the network's limit",
            u64::from(frame.size),
            u64::from(limits.bandwidth.tx_max_size_bytes),
        ),
    ];
    for (text, given, limit) in bounds {
        if given > limit {
            return Err(Complaint::limit(text, given, limit));
        }
    }
    check_keys(data, limits)?;
    check_archived(frame, data)?;
    check_shape(frame, data)?;
    check_fee(frame, data, config)
}

fn check_keys(data: &SorobanTransactionData, limits: &Limits) -> Result<(), Complaint> {
    let footprint = &data.resources.footprint;
    let mut seen = BTreeSet::new();
    for key in footprint
        .read_only
        .iter()
        .chain(footprint.read_write.iter())
    {
        let supported = match key {
            LedgerKey::Account(_) | LedgerKey::ContractCode(_) | LedgerKey::ContractData(_) => true,
            LedgerKey::Trustline(line) => match &line.asset {
                TrustLineAsset::CreditAlphanum4(asset) => asset.issuer != line.account_id,
                TrustLineAsset::CreditAlphanum12(asset) => asset.issuer != line.account_id,
                TrustLineAsset::Native | TrustLineAsset::PoolShare(_) => false,
            },
            _ => false,
        };
        if !supported {
            return Err(Complaint::new(
                ScErrorType::Storage,
                ScErrorCode::UnexpectedType,
                "the footprint has a key of a kind that contracts cannot use",
            ));
        }
        let size = len(xdr(key).len());
        if get_key_durability(key).is_some() && size > u64::from(limits.key_bytes) {
            return Err(Complaint::limit(
                "the size of a key of the footprint is above the network's limit",
                size,
                u64::from(limits.key_bytes),
            ));
        }
        if !seen.insert(key) {
            return Err(Complaint::new(
                ScErrorType::Storage,
                ScErrorCode::ExistingValue,
                "the footprint has duplicate keys",
            ));
        }
    }
    Ok(())
}

fn check_archived(frame: &Frame, data: &SorobanTransactionData) -> Result<(), Complaint> {
    let indices = frame.archived_indices();
    let read_write = &data.resources.footprint.read_write;
    let ascending = indices.windows(2).all(|pair| pair[0] < pair[1]);
    let persistent = indices.iter().all(|index| {
        usize::try_from(*index)
            .ok()
            .and_then(|index| read_write.get(index))
            .is_some_and(|key| get_key_durability(key) == Some(ContractDataDurability::Persistent))
    });
    if ascending && persistent {
        return Ok(());
    }
    Err(Complaint::new(
        ScErrorType::Storage,
        ScErrorCode::InvalidInput,
        "archived entry indices must ascend and name persistent entries of the read-write footprint",
    ))
}

/// The footprints that the two lifetime operations may have.
fn check_shape(frame: &Frame, data: &SorobanTransactionData) -> Result<(), Complaint> {
    let footprint = &data.resources.footprint;
    let fits = match frame.tx.operations.first().map(|op| &op.body) {
        Some(OperationBody::ExtendFootprintTtl(_)) => {
            footprint.read_write.is_empty()
                && footprint
                    .read_only
                    .iter()
                    .all(|key| get_key_durability(key).is_some())
        }
        Some(OperationBody::RestoreFootprint(_)) => {
            footprint.read_only.is_empty()
                && footprint
                    .read_write
                    .iter()
                    .all(|key| get_key_durability(key) == Some(ContractDataDurability::Persistent))
        }
        _ => true,
    };
    if fits {
        return Ok(());
    }
    Err(Complaint::new(
        ScErrorType::Storage,
        ScErrorCode::InvalidInput,
        "the footprint does not fit the operation: extend reads contract entries only, restore \
         writes persistent contract entries only",
    ))
}

fn check_fee(
    frame: &Frame,
    data: &SorobanTransactionData,
    config: &NetworkConfig,
) -> Result<(), Complaint> {
    let offered = frame.full_fee();
    if data.resource_fee < 0 || data.resource_fee > offered {
        return Err(Complaint::fee(
            "the declared resource fee is not covered by the transaction's fee",
            data.resource_fee,
            offered,
        ));
    }
    let needed = non_refundable_fee(frame, data, config);
    if data.resource_fee < needed {
        return Err(Complaint::fee(
            "the declared resource fee is below what the declared resources cost",
            data.resource_fee,
            needed,
        ));
    }
    Ok(())
}

/// The part of the resource fee that is never given back, in stroops: from what was declared, not
/// from what was used.
pub(crate) fn non_refundable_fee(
    frame: &Frame,
    data: &SorobanTransactionData,
    config: &NetworkConfig,
) -> i64 {
    let resources = &data.resources;
    let declared = TransactionResources {
        instructions: resources.instructions,
        disk_read_entries: disk_read_entries(frame, data),
        write_entries: u32::try_from(resources.footprint.read_write.len()).unwrap_or(u32::MAX),
        disk_read_bytes: resources.disk_read_bytes,
        write_bytes: resources.write_bytes,
        contract_events_size_bytes: 0,
        transaction_size_bytes: frame.size,
    };
    compute_transaction_resource_fee(&declared, &config.fee_configuration).0
}

/// Entries that are read from disk: classic ones and those that come back from the archive. Live
/// contract state is in memory, except that a restoration counts as reading all it names.
pub(crate) fn disk_read_entries(frame: &Frame, data: &SorobanTransactionData) -> u32 {
    let footprint = &data.resources.footprint;
    if let Some(OperationBody::RestoreFootprint(_)) = frame.tx.operations.first().map(|op| &op.body)
    {
        return u32::try_from(footprint.read_write.len()).unwrap_or(u32::MAX);
    }
    let classic = footprint
        .read_only
        .iter()
        .chain(footprint.read_write.iter())
        .filter(|key| get_key_durability(key).is_none())
        .count();
    u32::try_from(classic + frame.archived_indices().len()).unwrap_or(u32::MAX)
}

fn len(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
