//! The ledger against the Soroban host called directly: for generated invocations, what a client
//! reads over HTTP is what the host computes from the same entries.

mod asset;
mod escrow;

use std::rc::Rc;
use std::sync::Arc;

use localnet::xdr::{
    AccountId, ContractEvent, DiagnosticEvent, InvokeHostFunctionOp, LedgerEntry, LedgerKey,
    Limits, OperationBody, ReadXdr, ScVal, SorobanTransactionData, TransactionEnvelope, WriteXdr,
};
use localnet::{BASE_RESERVE, Localnet, PROTOCOL_VERSION};
use soroban_env_host::budget::Budget;
use soroban_env_host::e2e_invoke::{
    RecordingInvocationAuthMode, TtlLedgerEntryMeta, entry_size_for_rent, extract_rent_changes,
    invoke_host_function,
};
use soroban_env_host::fees::{
    TransactionResources, compute_rent_fee, compute_transaction_resource_fee,
};
use soroban_env_host::storage::{EntryWithLiveUntil, SnapshotSource, Storage};
use soroban_env_host::{Host, HostError, LedgerInfo, ModuleCache};
use soroban_simulation::NetworkConfig;
use soroban_simulation::simulation::{
    SimulationAdjustmentConfig, simulate_invoke_host_function_op,
};

use crate::common::build::{contract_transaction, unsigned, with_sequence};
use crate::common::{Account, Net, decode};

/// The ledger's entries, read one by one.
struct Entries<'a>(&'a Localnet);

impl SnapshotSource for Entries<'_> {
    fn get(&self, key: &Rc<LedgerKey>) -> Result<Option<EntryWithLiveUntil>, HostError> {
        let found = self.0.entry((**key).clone()).expect("the network runs");
        Ok(found.map(|(entry, live_until)| (Rc::new(entry), live_until)))
    }
}

/// The same, owned, as the simulation library wants it.
struct Shared(Arc<Localnet>);

impl SnapshotSource for Shared {
    fn get(&self, key: &Rc<LedgerKey>) -> Result<Option<EntryWithLiveUntil>, HostError> {
        Entries(&self.0).get(key)
    }
}

/// What is compared: the network, and the host's configuration and parsed modules beside it.
struct World {
    net: crate::common::Client,
    localnet: Arc<Localnet>,
    config: NetworkConfig,
    modules: ModuleCache,
}

impl World {
    /// `wasm` is parsed once, as a node does.
    fn new(net: Net, wasm: &[u8]) -> Self {
        let Net { localnet, client } = net;
        let config = NetworkConfig::load_from_snapshot(&Entries(&localnet)).expect("settings");
        let budget = Budget::try_from_configs(
            1 << 40,
            1 << 40,
            config.cpu_cost_params.clone(),
            config.memory_cost_params.clone(),
        )
        .expect("a budget");
        let host = Host::with_storage_and_budget(Storage::default(), budget);
        let modules = ModuleCache::new(&host).expect("a cache");
        if !wasm.is_empty() {
            modules
                .parse_and_cache_module_simple(&host, PROTOCOL_VERSION, wasm)
                .expect("a contract");
        }
        Self {
            net: client,
            localnet: Arc::new(localnet),
            config,
            modules,
        }
    }

    fn info(&self, seq: u32) -> LedgerInfo {
        let mut info = LedgerInfo {
            protocol_version: PROTOCOL_VERSION,
            sequence_number: seq,
            timestamp: self.localnet.now().expect("the network runs"),
            network_id: self.localnet.network().id(),
            base_reserve: BASE_RESERVE,
            ..LedgerInfo::default()
        };
        self.config.fill_config_fields_in_ledger_info(&mut info);
        info
    }
}

/// What one invocation was good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Simulation failed; it was not sent.
    Refused,
    Applied,
    /// It failed when it was applied.
    Failed,
}

fn compare(world: &World, source: &Account, op: &InvokeHostFunctionOp, squeeze: bool) -> Kind {
    let Some((auth, mut data)) = compare_simulation(world, source, op) else {
        return Kind::Refused;
    };
    if squeeze {
        // Too few instructions: it will fail when it is applied.
        data.resources.instructions /= 2;
    }
    let op = InvokeHostFunctionOp {
        host_function: op.host_function.clone(),
        auth: auth.try_into().expect("few authorisations"),
    };
    let sequence = world.net.sequence(source) + 1;
    let body = OperationBody::InvokeHostFunction(op.clone());
    let tx = contract_transaction(source, sequence, body, data.clone());
    let envelope = world.net.sign(&tx, &[source]);
    compare_application(world, &source.id(), &op, &data, &envelope)
}

/// Simulation over HTTP against the library: all but the random nonce must be equal.
fn compare_simulation(
    world: &World,
    source: &Account,
    op: &InvokeHostFunctionOp,
) -> Option<(
    Vec<localnet::xdr::SorobanAuthorizationEntry>,
    SorobanTransactionData,
)> {
    let body = OperationBody::InvokeHostFunction(op.clone());
    let answer = world
        .net
        .simulate(&unsigned(with_sequence(source, 1, vec![body])));
    let latest = world.localnet.latest_ledger().expect("the network runs");
    let direct = simulate_invoke_host_function_op(
        Rc::new(Shared(Arc::clone(&world.localnet))),
        &world.config,
        &SimulationAdjustmentConfig::default_adjustment(),
        &world.info(latest),
        op.host_function.clone(),
        RecordingInvocationAuthMode::recording(true, false),
        &source.id(),
        [0; 32],
        true,
    )
    .expect("the simulation runs");
    let events: Vec<DiagnosticEvent> = answer.0["events"]
        .as_array()
        .expect("events")
        .iter()
        .map(|event| decode(event.as_str().expect("base64")))
        .collect();
    assert_eq!(events, direct.diagnostic_events);
    match (direct.invoke_result, direct.transaction_data) {
        (Ok(value), Some(data)) => {
            assert_eq!(answer.error(), None);
            assert_eq!(answer.value(), value);
            let auth = answer.auth();
            assert_eq!(auth.len(), direct.auth.len());
            for (got, wanted) in auth.iter().zip(&direct.auth) {
                assert_eq!(got.root_invocation, wanted.root_invocation);
            }
            assert_eq!(answer.data(), data);
            assert_eq!(answer.0["minResourceFee"], data.resource_fee.to_string());
            Some((auth, data))
        }
        (Err(error), _) => {
            assert_eq!(answer.error(), Some(format!("{error:?}").as_str()));
            None
        }
        (Ok(_), None) => panic!("a success without data"),
    }
}

/// What the host does with the entries of the ledger, as the network would call it.
struct Direct {
    value: Option<ScVal>,
    events: Vec<ContractEvent>,
    written: Vec<LedgerEntry>,
    rent_fee: i64,
    events_fee: i64,
    instructions: u64,
}

fn call_host(
    world: &World,
    source: &AccountId,
    op: &InvokeHostFunctionOp,
    data: &SorobanTransactionData,
    info: LedgerInfo,
) -> Direct {
    let budget = |instructions: u64| {
        Budget::try_from_configs(
            instructions,
            u64::from(world.config.tx_memory_limit),
            world.config.cpu_cost_params.clone(),
            world.config.memory_cost_params.clone(),
        )
        .expect("a budget")
    };
    let footprint = &data.resources.footprint;
    let entries: Vec<(Option<Vec<u8>>, Option<TtlLedgerEntryMeta>)> = footprint
        .read_only
        .iter()
        .chain(footprint.read_write.iter())
        .map(|key| {
            let found = world.localnet.entry(key.clone()).expect("the network runs");
            let Some((entry, live_until)) = found else {
                return (None, None);
            };
            let bytes = bytes(&entry);
            let size = u32::try_from(bytes.len()).expect("a small entry");
            let ttl = live_until.map(|live_until_ledger| TtlLedgerEntryMeta {
                live_until_ledger,
                entry_size_for_rent: entry_size_for_rent(&budget(1 << 32), &entry, size)
                    .expect("a size"),
            });
            (Some(bytes), ttl)
        })
        .collect();
    let auth: Vec<Vec<u8>> = op.auth.iter().map(bytes).collect();
    let own = budget(u64::from(data.resources.instructions));
    let seq = info.sequence_number;
    let result = invoke_host_function(
        &own,
        false,
        bytes(&op.host_function).as_slice(),
        bytes(&data.resources).as_slice(),
        &[],
        bytes(source).as_slice(),
        auth.iter().map(Vec::as_slice),
        info,
        entries.iter().map(|(entry, ttl)| (entry.as_deref(), *ttl)),
        [0; 32].as_slice(),
        &mut Vec::new(),
        None,
        Some(world.modules.clone()),
    );
    let instructions = own.get_cpu_insns_consumed().expect("a count");
    let done = result.and_then(|host| {
        let value = host.encoded_invoke_result.clone()?;
        Ok((host, value))
    });
    let Ok((host, value)) = done else {
        return Direct {
            value: None,
            events: Vec::new(),
            written: Vec::new(),
            rent_fee: 0,
            events_fee: 0,
            instructions,
        };
    };
    let event_bytes: usize = host.encoded_contract_events.iter().map(Vec::len).sum();
    let size = u32::try_from(event_bytes + value.len()).expect("a small size");
    Direct {
        value: Some(ScVal::from_xdr(&value, Limits::none()).expect("a value")),
        events: host
            .encoded_contract_events
            .iter()
            .map(|event| ContractEvent::from_xdr(event, Limits::none()).expect("an event"))
            .collect(),
        written: host
            .ledger_changes
            .iter()
            .filter(|change| !change.read_only)
            .filter_map(|change| change.encoded_new_value.as_ref())
            .map(|entry| LedgerEntry::from_xdr(entry, Limits::none()).expect("an entry"))
            .collect(),
        rent_fee: compute_rent_fee(
            &extract_rent_changes(&host.ledger_changes),
            &world.config.rent_fee_configuration,
            seq,
        ),
        events_fee: compute_transaction_resource_fee(
            &resources(0, 0, size),
            &world.config.fee_configuration,
        )
        .1,
        instructions,
    }
}

fn resources(disk_reads: u32, size: u32, events: u32) -> TransactionResources {
    TransactionResources {
        instructions: 0,
        disk_read_entries: disk_reads,
        write_entries: 0,
        disk_read_bytes: 0,
        write_bytes: 0,
        contract_events_size_bytes: events,
        transaction_size_bytes: size,
    }
}

/// Application over HTTP against the host: result, value, events, entries, fees.
fn compare_application(
    world: &World,
    source: &AccountId,
    op: &InvokeHostFunctionOp,
    data: &SorobanTransactionData,
    envelope: &TransactionEnvelope,
) -> Kind {
    let seq = world.localnet.latest_ledger().expect("the network runs") + 1;
    let mut info = world.info(seq);
    info.timestamp += 5;
    // The sequence number rises before the call, and the call may read the account.
    let direct = call_host(world, source, op, data, info);
    let found = world.net.submit(envelope);
    let meta = found.meta();
    let soroban = meta.soroban_meta.expect("metadata of a call");
    assert_eq!(found.0["ledger"], seq);
    assert_eq!(soroban.return_value, direct.value);
    let localnet::xdr::SorobanTransactionMetaExt::V1(fees) = soroban.ext else {
        panic!("no fees in the metadata");
    };
    assert_eq!(fees.rent_fee_charged, direct.rent_fee);
    let refundable = direct.rent_fee + direct.events_fee;
    assert_eq!(fees.total_refundable_resource_fee_charged, refundable);
    let non_refundable = non_refundable(world, data, envelope);
    assert_eq!(
        fees.total_non_refundable_resource_fee_charged,
        non_refundable
    );
    assert_eq!(
        found.result().fee_charged,
        100 + non_refundable + refundable
    );
    let Some(_) = direct.value else {
        assert_eq!(found.status(), "FAILED");
        let wanted = if direct.instructions > u64::from(data.resources.instructions) {
            "ResourceLimitExceeded"
        } else {
            "Trapped"
        };
        assert!(found.operation().contains(wanted), "{}", found.operation());
        return Kind::Failed;
    };
    assert_eq!(found.status(), "SUCCESS");
    assert_eq!(meta.operations[0].events.to_vec(), direct.events);
    for entry in direct.written {
        let (got, _) = world
            .localnet
            .entry(entry.to_key())
            .expect("the network runs")
            .expect("the entry was written");
        if !matches!(entry.data, localnet::xdr::LedgerEntryData::Account(_)) {
            assert_eq!(got.data, entry.data);
        }
    }
    Kind::Applied
}

/// Computed here from the envelope, not asked of the code under test.
fn non_refundable(
    world: &World,
    data: &SorobanTransactionData,
    envelope: &TransactionEnvelope,
) -> i64 {
    let footprint = &data.resources.footprint;
    let is_classic =
        |key: &&LedgerKey| !matches!(key, LedgerKey::ContractData(_) | LedgerKey::ContractCode(_));
    let classic = footprint
        .read_only
        .iter()
        .chain(footprint.read_write.iter())
        .filter(is_classic)
        .count();
    let size = bytes(envelope).len();
    let declared = TransactionResources {
        instructions: data.resources.instructions,
        write_entries: u32::try_from(footprint.read_write.len()).expect("few entries"),
        disk_read_bytes: data.resources.disk_read_bytes,
        write_bytes: data.resources.write_bytes,
        ..resources(
            u32::try_from(classic).expect("few entries"),
            u32::try_from(size).expect("a small envelope"),
            0,
        )
    };
    compute_transaction_resource_fee(&declared, &world.config.fee_configuration).0
}

fn bytes(value: &impl WriteXdr) -> Vec<u8> {
    value.to_xdr(Limits::none()).expect("it encodes")
}
