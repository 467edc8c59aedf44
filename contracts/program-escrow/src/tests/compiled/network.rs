//! Mainnet's limits and fee rates (snapshot of 2026-07-10, as soroban-sdk 28 has it), and what an
//! invocation costs under them.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::vec::Vec;

use soroban_env_host::budget::Budget;
use soroban_env_host::e2e_invoke::{
    InvokeHostFunctionRecordingModeResult, RecordingInvocationAuthMode, extract_rent_changes,
    invoke_host_function_in_recording_mode,
};
use soroban_env_host::fees::{
    FeeConfiguration, RentFeeConfiguration, TransactionResources, compute_rent_fee,
    compute_transaction_resource_fee,
};
use soroban_env_host::storage::{EntryWithLiveUntil, SnapshotSource};
use soroban_env_host::xdr::{
    AccountId, ContractEvent, HostFunction, InvokeHostFunctionOp, LedgerEntry, LedgerKey, Limits,
    Memo, MuxedAccount, Operation, OperationBody, Preconditions, PublicKey, ReadXdr, ScVal,
    SequenceNumber, Signature, SorobanResourcesExtV0, SorobanTransactionData,
    SorobanTransactionDataExt, TimeBounds, TimePoint, Transaction, TransactionExt,
    TransactionV1Envelope, WriteXdr,
};
use soroban_env_host::{HostError, LedgerInfo};

pub(super) const MAX_INSTRUCTIONS: u32 = 400_000_000;
pub(super) const MAX_MEMORY: u64 = 41_943_040;
pub(super) const MAX_DISK_READ_ENTRIES: u32 = 200;
pub(super) const MAX_WRITE_ENTRIES: u32 = 200;
pub(super) const MAX_FOOTPRINT: u32 = 400;
pub(super) const MAX_DISK_READ_BYTES: u32 = 200_000;
pub(super) const MAX_WRITE_BYTES: u32 = 132_096;
/// Events and return value of one transaction, in bytes.
pub(super) const MAX_EMITTED: u32 = 16_384;
pub(super) const MAX_LEDGER_KEY: usize = 250;
pub(super) const MAX_TRANSACTION: u32 = 132_096;

const FEES: FeeConfiguration = FeeConfiguration {
    fee_per_instruction_increment: 7,
    fee_per_disk_read_entry: 1_563,
    fee_per_write_entry: 2_500,
    fee_per_disk_read_1kb: 447,
    fee_per_write_1kb: 875,
    fee_per_historical_1kb: 4_059,
    fee_per_contract_event_1kb: 5_000,
    fee_per_transaction_size_1kb: 406,
};

/// The rate of 12,000 stroops a kilobyte is the SDK's deliberate overestimate; the live rate moves
/// with the size of the ledger's state.
pub(super) const RENT: RentFeeConfiguration = RentFeeConfiguration {
    fee_per_write_1kb: 875,
    fee_per_rent_1kb: 12_000,
    fee_per_write_entry: 2_500,
    persistent_rent_rate_denominator: 1_215,
    temporary_rent_rate_denominator: 2_430,
};

/// A ledger to invoke on.
#[derive(Default)]
pub(super) struct Ledger(pub(super) BTreeMap<LedgerKey, (LedgerEntry, Option<u32>)>);

impl Ledger {
    /// Puts what an invocation wrote on the ledger.
    pub(super) fn apply(self: &mut Rc<Self>, invocation: &Invocation) {
        let entries = &mut Rc::get_mut(self).expect("no invocation is running").0;
        for written in &invocation.written {
            let value = (written.entry.clone(), written.live_until);
            entries.insert(written.key.clone(), value);
        }
    }
}

impl SnapshotSource for Ledger {
    fn get(&self, key: &Rc<LedgerKey>) -> Result<Option<EntryWithLiveUntil>, HostError> {
        Ok(self
            .0
            .get(&**key)
            .map(|(entry, live_until)| (Rc::new(entry.clone()), *live_until)))
    }
}

/// What one invocation costs. Fees are in stroops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) instructions: u32,
    pub(super) footprint: u32,
    pub(super) write_entries: u32,
    pub(super) disk_read_entries: u32,
    pub(super) disk_read_bytes: u32,
    pub(super) write_bytes: u32,
    pub(super) emitted: u32,
    pub(super) transaction: u32,
    pub(super) rent: i64,
    pub(super) rest: i64,
}

/// An entry that an invocation wrote.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) key: LedgerKey,
    pub(super) entry: LedgerEntry,
    pub(super) live_until: Option<u32>,
    /// Bytes that rent is counted on.
    pub(super) size: u32,
}

/// A successful invocation.
pub(super) struct Invocation {
    pub(super) cost: Cost,
    pub(super) memory: u64,
    pub(super) value: ScVal,
    pub(super) events: Vec<ContractEvent>,
    pub(super) written: Vec<Written>,
    pub(super) keys: Vec<LedgerKey>,
}

/// Invokes on a ledger as `source` and adds up what it costs; nothing is applied.
pub(super) fn invoke(
    ledger: &Rc<Ledger>,
    info: &LedgerInfo,
    source: &AccountId,
    function: &HostFunction,
) -> Result<Invocation, HostError> {
    let budget = Budget::default();
    budget
        .reset_limits(u64::from(MAX_INSTRUCTIONS), MAX_MEMORY)
        .unwrap();
    let recorded = invoke_host_function_in_recording_mode(
        &budget,
        false,
        function,
        source,
        RecordingInvocationAuthMode::recording(true, false),
        info.clone(),
        ledger.clone(),
        [7; 32],
        &mut std::vec![],
    )?;
    let value = recorded.invoke_result.clone()?;
    let cost = price(info, source, function, &recorded);
    let footprint = &recorded.resources.footprint;
    let keys = footprint
        .read_only
        .iter()
        .chain(footprint.read_write.iter());
    Ok(Invocation {
        cost,
        memory: budget.get_mem_bytes_consumed().unwrap(),
        value,
        keys: keys.cloned().collect(),
        written: recorded
            .ledger_changes
            .iter()
            .filter_map(|change| {
                let entry = change.encoded_new_value.as_ref()?;
                Some(Written {
                    key: LedgerKey::from_xdr(&change.encoded_key, Limits::none()).unwrap(),
                    entry: LedgerEntry::from_xdr(entry, Limits::none()).unwrap(),
                    live_until: change
                        .ttl_change
                        .as_ref()
                        .map(|change| change.new_live_until_ledger),
                    size: change.new_entry_size_bytes_for_rent,
                })
            })
            .collect(),
        events: recorded.contract_events,
    })
}

fn price(
    info: &LedgerInfo,
    source: &AccountId,
    function: &HostFunction,
    recorded: &InvokeHostFunctionRecordingModeResult,
) -> Cost {
    let resources = &recorded.resources;
    let footprint = &resources.footprint;
    let keys = || {
        footprint
            .read_only
            .iter()
            .chain(footprint.read_write.iter())
    };
    let classic = keys()
        .filter(|key| !matches!(key, LedgerKey::ContractData(_) | LedgerKey::ContractCode(_)))
        .count();
    let measured = TransactionResources {
        instructions: resources.instructions,
        disk_read_entries: u32::try_from(classic + recorded.restored_rw_entry_indices.len())
            .unwrap(),
        write_entries: u32::try_from(footprint.read_write.len()).unwrap(),
        disk_read_bytes: resources.disk_read_bytes,
        write_bytes: resources.write_bytes,
        contract_events_size_bytes: recorded.contract_events_and_return_value_size,
        transaction_size_bytes: transaction_size(source, function, recorded),
    };
    let (non_refundable, events) = compute_transaction_resource_fee(&measured, &FEES);
    let rent = compute_rent_fee(
        &extract_rent_changes(&recorded.ledger_changes),
        &RENT,
        info.sequence_number,
    );
    Cost {
        instructions: measured.instructions,
        footprint: u32::try_from(keys().count()).unwrap(),
        write_entries: measured.write_entries,
        disk_read_entries: measured.disk_read_entries,
        disk_read_bytes: measured.disk_read_bytes,
        write_bytes: measured.write_bytes,
        emitted: measured.contract_events_size_bytes,
        transaction: measured.transaction_size_bytes,
        rent,
        rest: non_refundable + events,
    }
}

/// Bytes of the signed envelope that would carry this invocation.
fn transaction_size(
    source: &AccountId,
    function: &HostFunction,
    recorded: &InvokeHostFunctionRecordingModeResult,
) -> u32 {
    let AccountId(PublicKey::PublicKeyTypeEd25519(source)) = source;
    let ext = if recorded.restored_rw_entry_indices.is_empty() {
        SorobanTransactionDataExt::V0
    } else {
        SorobanTransactionDataExt::V1(SorobanResourcesExtV0 {
            archived_soroban_entries: recorded
                .restored_rw_entry_indices
                .clone()
                .try_into()
                .unwrap(),
        })
    };
    let envelope = TransactionV1Envelope {
        tx: Transaction {
            source_account: MuxedAccount::Ed25519(source.clone()),
            fee: 0,
            seq_num: SequenceNumber(0),
            cond: Preconditions::Time(TimeBounds {
                min_time: TimePoint(0),
                max_time: TimePoint(0),
            }),
            memo: Memo::None,
            operations: [Operation {
                source_account: None,
                body: OperationBody::InvokeHostFunction(InvokeHostFunctionOp {
                    host_function: function.clone(),
                    auth: recorded.auth.clone().try_into().unwrap(),
                }),
            }]
            .try_into()
            .unwrap(),
            ext: TransactionExt::V1(SorobanTransactionData {
                ext,
                resources: recorded.resources.clone(),
                resource_fee: 0,
            }),
        },
        signatures: [soroban_env_host::xdr::DecoratedSignature {
            hint: soroban_env_host::xdr::SignatureHint([0; 4]),
            signature: Signature(std::vec![0; 64].try_into().unwrap()),
        }]
        .try_into()
        .unwrap(),
    };
    // The union's discriminant stands before it in an envelope.
    4 + u32::try_from(envelope.to_xdr(Limits::none()).unwrap().len()).unwrap()
}

impl Invocation {
    /// # Panics
    /// When mainnet would refuse this invocation.
    pub(super) fn require_within_limits(&self) {
        let cost = &self.cost;
        assert!(cost.instructions <= MAX_INSTRUCTIONS, "{cost:?}");
        assert!(self.memory <= MAX_MEMORY, "{} bytes of memory", self.memory);
        assert!(cost.disk_read_entries <= MAX_DISK_READ_ENTRIES, "{cost:?}");
        assert!(cost.write_entries <= MAX_WRITE_ENTRIES, "{cost:?}");
        assert!(cost.footprint <= MAX_FOOTPRINT, "{cost:?}");
        assert!(cost.disk_read_bytes <= MAX_DISK_READ_BYTES, "{cost:?}");
        assert!(cost.write_bytes <= MAX_WRITE_BYTES, "{cost:?}");
        assert!(cost.emitted <= MAX_EMITTED, "{cost:?}");
        assert!(cost.transaction <= MAX_TRANSACTION, "{cost:?}");
        for key in &self.keys {
            let size = key.to_xdr(Limits::none()).unwrap().len();
            assert!(size <= MAX_LEDGER_KEY, "{size} bytes: {key:?}");
        }
    }
}
