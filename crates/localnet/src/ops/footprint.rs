//! The entries a contract call may touch, in the form the host takes them.

use soroban_env_host::HostError;
use soroban_env_host::e2e_invoke::TtlLedgerEntryMeta;
use soroban_env_host::ledger_info::get_key_durability;
use soroban_env_host::xdr::{
    ContractDataDurability, InvokeHostFunctionResult, LedgerKey, ScErrorCode, ScErrorType, ScVal,
    SorobanResources,
};

use super::{Scope, rent};
use crate::limits::Limits;
use crate::meta::diagnostics::{Complaint, bytes};
use crate::network::xdr;

/// Why an invocation failed, and what to tell about it.
pub(super) struct Failure {
    pub(super) result: InvokeHostFunctionResult,
    pub(super) complaint: Option<Complaint>,
}

impl Failure {
    pub(super) fn limit(text: &str, given: u64, limit: u64) -> Self {
        Self {
            result: InvokeHostFunctionResult::ResourceLimitExceeded,
            complaint: Some(Complaint::limit(text, given, limit)),
        }
    }

    /// The host failed, and said why in its own diagnostic events.
    pub(super) fn trapped(_: &HostError) -> Self {
        Self {
            result: InvokeHostFunctionResult::Trapped,
            complaint: None,
        }
    }
}

/// An entry in the form the host takes it.
type Loaded = (Option<Vec<u8>>, Option<TtlLedgerEntryMeta>);

pub(super) struct Footprint {
    pub(super) entries: Vec<Loaded>,
    pub(super) restored: Vec<LedgerKey>,
    pub(super) restored_indices: Vec<u32>,
    pub(super) disk_read_bytes: u32,
    pub(super) read_entries: u64,
}

/// Reads the footprint: read-only entries, then read-write ones, one item a key. Archived entries
/// are taken back to life where the transaction lists them, else the call fails.
pub(super) fn load_footprint(
    scope: &Scope<'_>,
    resources: &SorobanResources,
) -> Result<Footprint, Failure> {
    let archived = scope.frame.archived_indices();
    let restored_until = scope.restored_until();
    let mut footprint = Footprint {
        entries: Vec::new(),
        restored: Vec::new(),
        restored_indices: Vec::new(),
        disk_read_bytes: 0,
        read_entries: 0,
    };
    let read_only = resources.footprint.read_only.iter().map(|key| (key, None));
    let read_write = (0_u32..)
        .zip(resources.footprint.read_write.iter())
        .map(|(index, key)| (key, Some(index)));
    for (key, index) in read_only.chain(read_write) {
        let Some(stored) = scope.state.get(key) else {
            footprint.entries.push((None, None));
            continue;
        };
        let encoded = xdr(stored.entry.as_ref());
        let size = u32::try_from(encoded.len()).unwrap_or(u32::MAX);
        let mut ttl = stored.ttl.map(|ttl| ttl.live_until);
        let mut from_disk = get_key_durability(key).is_none();
        if !stored.is_live(scope.seq) {
            if get_key_durability(key) == Some(ContractDataDurability::Temporary) {
                footprint.entries.push((None, None));
                continue;
            }
            match index.filter(|index| archived.contains(index)) {
                Some(index) => {
                    footprint.restored.push(key.clone());
                    footprint.restored_indices.push(index);
                    ttl = Some(restored_until);
                    from_disk = true;
                }
                None => return Err(archived_entry(key)),
            }
        }
        check_entry_size(scope.limits, key, size)?;
        footprint.read_entries += 1;
        if from_disk {
            footprint.disk_read_bytes = footprint.disk_read_bytes.saturating_add(size);
        }
        let meta = match ttl {
            Some(live_until_ledger) => Some(TtlLedgerEntryMeta {
                live_until_ledger,
                entry_size_for_rent: rent::size(scope, stored, size)
                    .map_err(|error| Failure::trapped(&error))?,
            }),
            None => None,
        };
        footprint.entries.push((Some(encoded), meta));
    }
    if footprint.disk_read_bytes > resources.disk_read_bytes {
        return Err(Failure::limit(
            "more disk-read bytes than declared",
            u64::from(footprint.disk_read_bytes),
            u64::from(resources.disk_read_bytes),
        ));
    }
    Ok(footprint)
}

fn archived_entry(key: &LedgerKey) -> Failure {
    let (text, values) = match key {
        LedgerKey::ContractCode(code) => (
            "the call needs code that is archived and not listed for restoration",
            vec![bytes(&code.hash.0)],
        ),
        LedgerKey::ContractData(data) => (
            "the call needs a contract's data that is archived and not listed for restoration",
            vec![ScVal::Address(data.contract.clone()), data.key.clone()],
        ),
        // Nothing else can be archived.
        _ => ("the call needs an archived entry", Vec::new()),
    };
    let complaint = Complaint::new(ScErrorType::Value, ScErrorCode::InvalidInput, text);
    Failure {
        result: InvokeHostFunctionResult::EntryArchived,
        complaint: Some(complaint.about(values)),
    }
}

pub(super) fn check_entry_size(limits: &Limits, key: &LedgerKey, size: u32) -> Result<(), Failure> {
    let (text, limit) = match key {
        LedgerKey::ContractData(_) => (
            "an entry of contract data is above the network's limit",
            limits.entry_bytes,
        ),
        LedgerKey::ContractCode(_) => (
            "a contract's code is above the network's limit",
            limits.code_bytes,
        ),
        _ => return Ok(()),
    };
    if size > limit {
        return Err(Failure::limit(text, u64::from(size), u64::from(limit)));
    }
    Ok(())
}
